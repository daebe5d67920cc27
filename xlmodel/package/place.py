"""Adds to an error on its way up what the layer it passes through knows of its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from xlmodel.errors import XlmodelError


@contextmanager
def placed(**known: str | int | None) -> Iterator[None]:
    """Any ``XlmodelError`` raised in the block leaves it with these fields of its place filled in."""
    try:
        yield
    except XlmodelError as error:
        error.at(**known)
        raise
