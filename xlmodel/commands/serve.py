"""The server behind the Office.js add-in."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from xlmodel.errors import BadUsage


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8443,
    public_url: Annotated[
        str | None,
        typer.Option(help="https address under which Excel reaches the server, with the path of a proxy."),
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            envvar="XLMODEL_TOKEN",
            help="Secret that requests must carry. The variable keeps it out of the list of processes.",
            show_default=False,
        ),
    ] = "",
    cert: Annotated[
        Path | None, typer.Option(help="Certificate, PEM; by default one for this machine is made and kept.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Key of the certificate, PEM.")] = None,
    plain_http: Annotated[
        bool, typer.Option("--plain-http", help="Behind a proxy that has https; needs --public-url.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Server processes.")] = 1,
    max_body: Annotated[int, typer.Option(min=1, max=1024, help="Mebibytes of one batch.")] = 8,
    max_calls: Annotated[int, typer.Option(min=1, help="Calls of one batch.")] = 5_000,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="Seconds that one batch may take.")] = 60.0,
    max_requests: Annotated[
        int, typer.Option(min=1, help="Requests in hand at a time, for each server process.")
    ] = 128,
) -> None:
    """Serve the functions to Excel on Mac and on the web, as an Office.js add-in.

    Example: xlmodel serve
    """
    if not all(map(find_spec, ("uvicorn", "starlette", "cryptography"))):
        raise BadUsage(
            "the server's libraries are not installed", remedy='install them: pip install "xlmodel[server]"'
        )
    from xlmodel.faces.officejs.limits import MEBIBYTE, Limits
    from xlmodel.faces.officejs.server import Wanted, listen, prepare, with_evaluators
    from xlmodel.faces.officejs.server import serve as run

    limits = Limits(
        body_bytes=max_body * MEBIBYTE, calls=max_calls, seconds=max_seconds, requests=max_requests
    )
    limits = with_evaluators(limits, os.cpu_count() or 1, workers)
    wanted = Wanted(host, port, public_url, token, cert, key, plain_http, workers, limits)
    ready = prepare(wanted)
    listening = listen(wanted)
    url = ready.settings.guard.public_url
    typer.echo(f"serving {url}; the manifest for Excel is {url}/manifest.xml")
    if ready.certificate is not None and cert is None:
        typer.echo(f"its certificate is signed by itself; trust it once: {ready.certificate}")
    run(wanted, ready, listening)
