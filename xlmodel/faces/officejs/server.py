"""Starting the server: what is asked for checked, a certificate found, and uvicorn run."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from uvicorn.supervisors import Multiprocess

from xlmodel.errors import BadUsage, CertificateRefused
from xlmodel.faces.officejs.app import Settings, make_app
from xlmodel.faces.officejs.certificate import development_certificate, user_folder
from xlmodel.faces.officejs.guard import LOOPBACK, Guard, check_token
from xlmodel.faces.officejs.limits import Limits

_CONNECTIONS = 1_000  # open at a time in one process; those that are idle are closed after a few seconds
# For batches in hand when the server is told to stop; functions.js asks again for what is cut off.
_FAREWELL_SECONDS = 3


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for."""

    host: str = "127.0.0.1"
    port: int = 8443
    public_url: str | None = None
    token: str = field(default="", repr=False)
    certificate: Path | None = None
    key: Path | None = None
    plain_http: bool = False
    workers: int = 1
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Ready:
    """What was found to be sound: the settings, and the files for https (None: plain http)."""

    settings: Settings
    certificate: Path | None
    key: Path | None


def prepare(wanted: Wanted) -> Ready:
    """Raises BadUsage, CertificateRefused for a server that would be unsafe or could not be used."""
    loopback = _is_loopback(wanted.host)
    check_token(wanted.token)
    if not loopback and not wanted.token:
        raise BadUsage(
            f"{wanted.host} can be reached from other machines, which needs a token",
            remedy="set XLMODEL_TOKEN, or leave out --host",
        )
    if not loopback and wanted.public_url is None:
        raise BadUsage(
            "where others reach the server is not said", remedy="add --public-url https://name:port of it"
        )
    if wanted.plain_http and wanted.public_url is None:
        raise BadUsage(
            "Excel loads add-ins over https only",
            remedy="add --public-url https://... of the proxy that has https",
        )
    certificate, key = (None, None) if wanted.plain_http else _certificate(wanted, loopback)
    public_url = wanted.public_url or f"https://localhost:{wanted.port}"
    _check_public_url(public_url)
    hosts = LOOPBACK if _address(wanted.host) is None else LOOPBACK | {wanted.host}
    guard = Guard(public_url.rstrip("/"), wanted.token, hosts)
    return Ready(Settings(guard, wanted.limits), certificate, key)


def listen(wanted: Wanted) -> socket.socket:
    """The socket to serve on.  Raises BadUsage where the address is taken or is not this machine's."""
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    listening = socket.socket(family)
    if sys.platform != "win32":  # there it would let two servers share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((wanted.host, wanted.port))
    except OSError as error:
        listening.close()
        raise BadUsage(
            f"cannot listen on {wanted.host} port {wanted.port}: {error.strerror or error}",
            remedy="stop what uses it, or choose another --port or --host",
        ) from None
    listening.set_inheritable(True)
    return listening


def serve(wanted: Wanted, ready: Ready, listening: socket.socket) -> None:
    """Serve until told to stop."""
    config = uvicorn.Config(
        partial(make_app, ready.settings),
        factory=True,
        workers=wanted.workers,
        ssl_certfile=ready.certificate,
        ssl_keyfile=ready.key,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_FAREWELL_SECONDS,
        # nothing is decided by who the client is, so no header is believed about it
        proxy_headers=False,
        access_log=False,
        server_header=False,
        log_config=None,
        log_level="warning",
    )
    if wanted.workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
    else:
        Multiprocess(config, sockets=[listening]).run()


def with_evaluators(limits: Limits, cores: int, workers: int) -> Limits:
    """The cores of the machine shared among the workers' evaluators."""
    return replace(limits, evaluators=max(1, cores // workers))


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _check_public_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme == "https" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or parts.username:
        raise BadUsage(f"{url!r} is no https address of a server", remedy="write https://name[:port][/path]")


def _certificate(wanted: Wanted, loopback: bool) -> tuple[Path, Path]:
    certificate, key = wanted.certificate, wanted.key
    if certificate is None and key is None:
        if not loopback:
            raise CertificateRefused(
                "the certificate for development names this machine only, and others are to reach the server"
            )
        return development_certificate(user_folder())
    if certificate is None or key is None:
        raise BadUsage("a certificate and its key go together", remedy="give both --cert and --key")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, _no_password)
    except (OSError, ValueError) as error:
        raise CertificateRefused(f"{certificate} with {key}: {error}") from None
    return certificate, key


def _no_password() -> str:
    """Instead of asking on the terminal."""
    raise ValueError("the key is protected by a password")
