"""The ranges that a formula reads, as far as its text tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from xlmodel.errors import XlmodelError
from xlmodel.package.address import Block
from xlmodel.package.formula import tokens

# What they read is known only when they are evaluated.
_COMPUTED = {"OFFSET", "INDIRECT", "LAMBDA", "LET"}
_WORDS = {"TRUE", "FALSE"}
_DEPTH = 20  # names that stand for names


def references(formula: str, sheet: str, names: Mapping[str, str], depth: int = 0) -> list[Block] | None:
    """The ranges that a formula on a sheet reads, names included; None where its text does not tell.

    ``names``: what each defined name stands for, by its name in lower case.  None for computed references,
    columns of tables, other workbooks, ranges over several sheets, names that are not known.
    """
    if depth > _DEPTH:
        return None
    found: list[Block] = []
    pieces = _pieces(formula)
    for at, (kind, text) in enumerate(pieces):
        after = pieces[at + 1][1] if at + 1 < len(pieces) else ""
        before = pieces[at - 1][1] if at else ""
        match kind:
            case "brackets":
                return None
            case "other" if text == "#":
                return None
            case "name" if after == "(":
                if text.upper().rpartition(".")[2] in _COMPUTED:
                    return None
            case "name" if after == "!" or text.upper() in _WORDS:
                pass
            case "name":
                meant = names.get(text.lower()) if before != "!" and after != ":" else None
                inside = None if meant is None else references(meant, sheet, names, depth + 1)
                if inside is None:
                    return None
                found += inside
            case "area":
                block = _block(text, sheet)
                if block is None or ":" in (after, before):
                    return None
                found.append(block)
    return found


def _pieces(formula: str) -> list[tuple[str, str]]:
    """The tokens, with a reference and its sheet put together as one of kind ``area``."""
    plain = [
        (str(token.lastgroup), token[0])
        for token in tokens(formula)
        if token.lastgroup not in ("text", "number", "error") and not token[0].isspace()
    ]
    return list(_joined(plain))


def _joined(plain: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(plain):
        kind, text = plain[at]
        if kind in ("sheet", "name") and _text(plain, at + 1) == "!" and _kind(plain, at + 2) == "cell":
            prefix, at = f"{text}!", at + 2
            kind, text = plain[at]
        elif kind in ("sheet", "name") and _text(plain, at + 1) == "!" and _kind(plain, at + 2) in _LINES:
            yield "area", f"{text}!{plain[at + 2][1]}"
            at += 3
            continue
        else:
            prefix = ""
        if kind == "cell":
            if _text(plain, at + 1) == ":" and _kind(plain, at + 2) == "cell":
                yield "area", f"{prefix}{text}:{plain[at + 2][1]}"
                at += 3
                continue
            yield "area", prefix + text
        else:
            yield ("area" if kind in _LINES else kind), text
        at += 1


_LINES = ("rows", "columns")


def _kind(plain: list[tuple[str, str]], at: int) -> str:
    return plain[at][0] if at < len(plain) else ""


def _text(plain: list[tuple[str, str]], at: int) -> str:
    return plain[at][1] if at < len(plain) else ""


def _block(text: str, sheet: str) -> Block | None:
    try:
        block = Block.parse(re.sub(r"\s", "", text) if "'" not in text else text)
    except XlmodelError:
        return None
    if block.sheet is not None:
        return block
    return Block(sheet, block.top, block.left, block.bottom, block.right)
