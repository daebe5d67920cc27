"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Published = Annotated[
    Path | None,
    typer.Option(help="Folder of the published figures; by default published/ beside the workbook."),
]
KeepErrors = Annotated[
    bool, typer.Option("--keep-errors", help="Write errors of XM_ cells instead of failing.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse workbooks with links to other workbooks.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the results to this file as JSON.")]
