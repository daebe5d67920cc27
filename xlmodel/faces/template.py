"""What formulas that were filled down have in common: their text with every row number replaced by 1.

A sheet of 20,000 formulas has a few hundred templates, so what is costly is done once for each of those.
"""

from __future__ import annotations

import re
from functools import lru_cache

# The digits after at most three letters, or after a $: the row of a cell.  The names Rate1 and Rate2 are two.
_BEGINS = r"(?<![\w.\\])"
_ROW = re.compile(
    rf"(?:(?<=[A-Za-z]\$)|(?<={_BEGINS}[A-Za-z])|(?<={_BEGINS}[A-Za-z]{{2}})|(?<={_BEGINS}[A-Za-z]{{3}}))"
    r"[0-9]+(?![\w.(!])",
    re.ASCII,
)
_QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")


@lru_cache(maxsize=1 << 16)  # every formula is asked for twice
def template(formula: str) -> str:
    """The text with row numbers replaced; texts and quoted sheet names stay as they are."""
    if '"' not in formula and "'" not in formula:
        return _ROW.sub("1", formula)
    pieces = _QUOTED.split(formula)
    pieces[::2] = [_ROW.sub("1", piece) for piece in pieces[::2]]
    return "".join(pieces)


def rows(formula: str) -> list[str]:
    """The row numbers that the template leaves out, in order."""
    if '"' not in formula and "'" not in formula:
        return _ROW.findall(formula)
    return [row for piece in _QUOTED.split(formula)[::2] for row in _ROW.findall(piece)]


def row_spans(formula: str) -> list[tuple[int, int]]:
    """Where those row numbers stand."""
    spans = []
    start = 0
    for number, piece in enumerate(_QUOTED.split(formula)):
        if number % 2 == 0:
            spans += [(start + match.start(), start + match.end()) for match in _ROW.finditer(piece)]
        start += len(piece)
    return spans
