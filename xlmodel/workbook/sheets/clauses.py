"""The sheet Clauses: which clause or practice each part carries out, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from xlmodel.package.address import Block
from xlmodel.workbook.model_folder import Model
from xlmodel.workbook.sheets import theme
from xlmodel.workbook.sheets.layout import Layout, Sheet, block
from xlmodel.workbook.sheets.theme import put

TITLE = "Clauses"
_TOP = 5
_HEADINGS = ("Rule", "Status", "What it says, in our words", "Where it is carried out", "Source")
_WIDTHS = (34.0, 11.0, 78.0, 34.0, 58.0)

CLAUSE, PRACTICE, ASSUMED = "clause", "practice", "assumed"


@dataclass(frozen=True)
class Rule:
    """A clause of an agreement, a market practice with its public source, or an assumption."""

    name: str
    status: str
    says: str
    where: str
    source: str

    @property
    def note(self) -> str:
        """As it hangs on the cells that carry it out."""
        label = {CLAUSE: "Clause", PRACTICE: "Market practice", ASSUMED: "Assumed"}[self.status]
        return f"{label}: {self.name}.\n{self.says}\n{self.source}"


def clause_sheet(rules: Sequence[Rule]) -> Sheet[Model]:
    """The sheet of a kind's rules."""

    def place(contents: Model) -> Mapping[str, Block]:
        return {"rules": block(TITLE, _TOP, 1, len(rules), len(_HEADINGS))}

    def write(sheet: Worksheet, contents: Model, layout: Layout) -> None:
        theme.head(
            sheet,
            contents.title,
            TITLE,
            "Each hangs as a note on the cells that carry it out; practice is not in the clauses at hand.",
        )
        theme.widths(sheet, 1, *_WIDTHS)
        for offset, heading in enumerate(_HEADINGS):
            put(
                sheet,
                _TOP - 1,
                1 + offset,
                heading,
                theme.TEXT_HEADING if not offset else theme.INNER_HEADING,
            )
        look = theme.Look(wrap=True, align="left")
        inner = theme.Look(wrap=True, align="left", indent=1, ink=theme.QUIET)
        for row, rule in enumerate(rules, start=_TOP):
            texts = (rule.name, rule.status, rule.says, rule.where, rule.source)
            for offset, text in enumerate(texts):
                put(sheet, row, 1 + offset, text, inner if offset else look)
            needed = max(
                theme.lines_of(text, width, inner) for text, width in zip(texts, _WIDTHS, strict=True)
            )
            theme.lines(sheet, row, needed)
        status = block(TITLE, _TOP, 2, len(rules))
        theme.mark_practice(sheet, status)
        sheet.freeze_panes = f"A{_TOP}"
        theme.print_setup(sheet, title_rows=(1, _TOP - 1))

    return Sheet(TITLE, place, write)
