"""Lint: what in a workbook will be slow, fragile or stale, though nothing of it is an error yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from xlmodel.package.parts import Package
from xlmodel.workbook.lint_calls import per_cell_calls, spellings, unknown_names
from xlmodel.workbook.lint_formulas import compared_exactly, overwritten, volatile
from xlmodel.workbook.lint_reading import Found, Reading, Rule, read
from xlmodel.workbook.lint_values import stale

# The rules in the order of their codes; docs/lint.md is made from them.
RULES: tuple[Rule, ...] = (
    Rule(
        "XM-641",
        "A column or row of single calls that one call over a range would replace.",
        "mark the range, enter the formula once with ranges for its arguments",
        per_cell_calls,
    ),
    Rule(
        "XM-642",
        "A function that changes by itself (NOW, TODAY, RAND, OFFSET, INDIRECT and the like) feeds ours.",
        "put the date or number into a cell as a constant, or use INDEX in place of OFFSET and INDIRECT",
        volatile,
    ),
    Rule(
        "XM-643",
        "A constant where the formulas around it are all alike, or a broken range of an array formula.",
        "fill the formula over it again, or move the exception out of the range",
        overwritten,
    ),
    Rule(
        "XM-644",
        "A value in the file is not what its formula gives.",
        "put the values in again: xlmodel refresh FILE",
        stale,
    ),
    Rule(
        "XM-645",
        "Calls are spelt for different programs (_xll., _xldudf_, [1]! or plain), or for another workbook.",
        "replace the prefix so that all calls are spelt alike, without one for Excel's modules",
        spellings,
    ),
    Rule(
        "XM-646",
        "A name that begins with XM_ and is no function of this version.",
        "correct the name, or install the version that has it",
        unknown_names,
    ),
    Rule(
        "XM-647",
        "Computed numbers are compared exactly and not rounded on both sides, so that the last bit decides.",
        "write ROUND(..., 2) on both sides",
        compared_exactly,
    ),
)


@dataclass(frozen=True)
class Finding:
    """One finding: the rule's code, the sheet, the cell or range, what is there and what to do."""

    code: str
    sheet: str
    cell: str
    sentence: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.code} {self.sheet}!{self.cell}: {self.sentence} ({self.remedy})"


def lint(package: Package) -> list[Finding]:
    """Every finding of every rule.  Raises what reading the package raises."""
    reading = read(package)
    return [_finding(rule, found) for rule in RULES for found in rule.find(reading)]


def as_json(file: str, findings: Sequence[Finding]) -> Mapping[str, Any]:
    """The findings of a file as JSON values."""
    return {"file": file, "findings": [asdict(finding) for finding in findings]}


def _finding(rule: Rule, found: Found) -> Finding:
    return Finding(rule.code, found.sheet, found.cell, found.sentence, found.remedy or rule.remedy)


__all__ = ["RULES", "Finding", "Reading", "as_json", "lint"]
