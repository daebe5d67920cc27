"""A worked example as a picture: the arguments in cells, the formula above, the result below.

Drawn as SVG from a case of the table that every face is tested with; the result is what the call gives.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any

from tests.faces.case import OMITTED, Case
from tests.faces.case_workbook import letters
from xlmodel.functions import FUNCTIONS
from xlmodel.functions.cells import Cell, CellError, Rows

_MOST_ROWS, _MOST_COLUMNS = 6, 5
_ROW, _HEAD, _LABEL, _WIDE, _NARROW = 24, 34, 150, 250, 104  # pixels
_LETTER = 6.9  # pixels to a letter of the text
_STYLE = (
    "text{font:12px Arial,'Liberation Sans',sans-serif;fill:#1f2a37}"
    ".q{fill:#5b6776}.r{text-anchor:end}.b{font-weight:bold}"
    ".l{stroke:#c9d1da;fill:none}.h{fill:#eef2f6}.s{stroke:#0b3fa8;stroke-width:2;fill:#fff8dc}"
)


@dataclass(frozen=True)
class Example:
    """The formula of a case, and its lines: a label, cells side by side, whether they are the result."""

    formula: str
    corner: str
    lines: tuple[tuple[str, tuple[str, ...], bool], ...]


def example(case: Case, result: Cell | Rows) -> Example:
    """The cells of a case.  A range too large to show is a named one."""
    names = [p.name for p in FUNCTIONS[case.function].parameters]
    names += names[-1:] * (len(case.arguments) - len(names))
    lines: list[tuple[str, tuple[str, ...], bool]] = []
    written = []
    for name, given in zip(names, case.arguments, strict=False):
        row = len(lines) + 1
        if given is OMITTED:
            written.append("")
        elif isinstance(given, list):
            tall, wide = len(given), len(given[0])
            if tall > _MOST_ROWS or wide > _MOST_COLUMNS:
                written.append(name.capitalize())
                lines.append((name, (f"the range {name.capitalize()}, {tall} × {wide} cells",), False))
                continue
            last = f"{letters(1 + wide)}{row + tall - 1}"
            written.append(f"B{row}" if tall == wide == 1 else f"B{row}:{last}")
            for number, cells in enumerate(given):
                lines.append(("" if number else name, tuple(map(shown, cells)), False))
        else:
            written.append(f"B{row}")
            lines.append((name, (shown(given),), False))
    rows = result if isinstance(result, list) else [[result]]
    corner = f"B{len(lines) + 1}"
    for number, cells in enumerate(rows[:_MOST_ROWS]):
        texts = [shown(cell) for cell in cells[:_MOST_COLUMNS]]
        texts += ["…"] if len(cells) > _MOST_COLUMNS else []
        lines.append(("" if number else "result", tuple(texts), True))
    if len(rows) > _MOST_ROWS:
        lines.append((f"… {len(rows)} rows in all", (), False))
    return Example(f"={case.function}({','.join(written)})", corner, tuple(lines))


def shown(value: Any) -> str:
    """A value as a cell without a format of its own shows it; dates as dates."""
    if value is None:
        return ""
    if isinstance(value, CellError):
        return value.code
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, dt.datetime):
        return f"{value.day} {value:%b %Y %H:%M}"
    if isinstance(value, dt.date):
        return f"{value.day} {value:%b %Y}"
    if isinstance(value, Decimal | float | int):
        number = float(value)
        return f"{number:.10f}".rstrip("0").rstrip(".") if 1e-4 <= abs(number) < 1e11 else f"{number:.10g}"
    return str(value)


def picture(drawn: Example) -> str:
    """The SVG."""
    most = max([1, *(len(cells) for _, cells, _ in drawn.lines)])
    wide = _WIDE if most == 1 else _NARROW
    right = 30 + _LABEL + most * wide
    width = max(right, 100 + int(len(drawn.formula) * _LETTER))
    height = _HEAD + _ROW * (len(drawn.lines) + 1)
    title = escape(drawn.formula)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 1}" height="{height + 1}" '
        f'viewBox="0 0 {width + 1} {height + 1}" role="img" aria-label="{title}">',
        f"<title>{title}</title><style>{_STYLE}</style>",
        f'<rect x="0.5" y="0.5" width="{width}" height="{height}" fill="#fff"/>',
        _text(10, 22, drawn.corner, "b") + _text(52, 22, "fx", "q") + _text(76, 22, drawn.formula),
        f'<rect class="h" x="0" y="{_HEAD}" width="{right}" height="{_ROW}"/>',
        f'<rect class="h" x="0" y="{_HEAD}" width="30" height="{height - _HEAD}"/>',
    ]
    for column in range(most + 1):
        left, size = (30, _LABEL) if column == 0 else (30 + _LABEL + (column - 1) * wide, wide)
        parts.append(_text(left + size // 2 - 4, _HEAD + 16, letters(column + 1), "q"))
        parts.append(f'<path class="l" d="M{left + 0.5} {_HEAD}V{height}"/>')
    selected = ""
    for number, (label, cells, is_result) in enumerate(drawn.lines, start=1):
        top = _HEAD + number * _ROW
        parts.append(f'<path class="l" d="M0 {top + 0.5}H{right}"/>')
        parts.append(_text(10, top + 16, str(number), "q") + _text(36, top + 16, _cut(label, _LABEL), "q"))
        if is_result and not selected:
            rows = sum(line[2] for line in drawn.lines)
            selected = (
                f'<rect class="s" x="{31 + _LABEL}" y="{top + 1}" width="{len(cells) * wide - 2}" '
                f'height="{rows * _ROW - 2}"/>'
            )
            parts.append(selected)
        for column, cell in enumerate(cells):
            left = 30 + _LABEL + column * wide
            is_number = cell[:1].isdigit() or cell[:2].lstrip("-").isdigit()
            at, look = (left + wide - 8, "r") if is_number else (left + 8, "")
            parts.append(_text(at, top + 16, _cut(cell, wide), f"{look} b".strip() if is_result else look))
    parts.append(f'<rect class="l" x="0.5" y="0.5" width="{width}" height="{height}"/>')
    parts.append(f'<path class="l" d="M0 {_HEAD + 0.5}H{width}M{right + 0.5} {_HEAD}V{height}"/></svg>')
    return "\n".join(parts) + "\n"


def _text(x: float, y: float, text: str, look: str = "") -> str:
    marked = f' class="{look}"' if look else ""
    return f'<text{marked} x="{x}" y="{y}">{escape(text)}</text>'


def _cut(text: str, width: int) -> str:
    most = int((width - 12) / _LETTER)
    return text if len(text) <= most else text[: most - 1] + "…"
