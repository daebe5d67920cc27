"""The server as an ASGI application: five documents, made once, and one endpoint that takes batches.

It keeps nothing between requests, so any number of processes may stand behind one proxy.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from xlmodel.errors import (
    EvaluatorLost,
    ForeignPage,
    MalformedBatch,
    TokenRefused,
    TooBusy,
    TooLarge,
    TooSlow,
    UnknownHost,
    XlmodelError,
)
from xlmodel.faces.officejs.evaluators import Evaluators
from xlmodel.faces.officejs.guard import Guard
from xlmodel.faces.officejs.limits import Limits, read_body
from xlmodel.faces.officejs.pages import documents
from xlmodel.functions import functions_version

log = logging.getLogger(__name__)

STATUS: dict[type[XlmodelError], int] = {
    UnknownHost: HTTPStatus.MISDIRECTED_REQUEST,
    ForeignPage: HTTPStatus.FORBIDDEN,
    TokenRefused: HTTPStatus.UNAUTHORIZED,
    MalformedBatch: HTTPStatus.BAD_REQUEST,
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    TooSlow: HTTPStatus.GATEWAY_TIMEOUT,
    TooBusy: HTTPStatus.SERVICE_UNAVAILABLE,
    EvaluatorLost: HTTPStatus.SERVICE_UNAVAILABLE,
}
_HEADERS: dict[type[XlmodelError], dict[str, str]] = {
    TokenRefused: {"WWW-Authenticate": "Bearer"},
    TooBusy: {"Retry-After": "1"},
    EvaluatorLost: {"Retry-After": "1"},
}


@dataclass(frozen=True)
class Settings:
    """All that a server process needs to know; it is sent to each of them."""

    guard: Guard
    limits: Limits = field(default_factory=Limits)


def make_app(settings: Settings) -> ASGIApp:
    """The application.  A path below the public address's own path is taken with it and without it."""
    evaluators = Evaluators(settings.limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await evaluators.start()
        yield
        evaluators.stop()

    calls = _Calls(settings, evaluators)
    app = Starlette(
        lifespan=lifespan,
        routes=[
            Route("/calls", calls.answer, methods=["POST"]),
            Route("/health", _health, methods=["GET"]),
            *(_document(path, kind, text, settings.guard) for path, (kind, text) in _made(settings).items()),
        ],
        exception_handlers={XlmodelError: _refused, HTTPException: _no_such_page},  # type: ignore[dict-item]  # Starlette types handlers by the common base
    )
    return _AtTheDoor(app, settings.guard)


class _AtTheDoor:
    """What is checked before anything else: the name of the server.  Takes off the public path."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard
        self._path = urlsplit(guard.public_url).path.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            try:
                self._guard.check_host(request.headers.get("host"))
            except XlmodelError as error:
                await _error(error)(scope, receive, send)
                return
            if self._path and scope["path"].startswith(self._path + "/"):
                scope = {**scope, "path": scope["path"].removeprefix(self._path)}
        await self._app(scope, receive, send)


class _Calls:
    """The endpoint."""

    def __init__(self, settings: Settings, evaluators: Evaluators) -> None:
        self._settings = settings
        self._evaluators = evaluators
        self._in_hand = 0

    async def answer(self, request: Request) -> Response:
        self._settings.guard.check_caller(request.headers)
        # A form of another page could send any other type without being asked about it.
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return _error(
                MalformedBatch("the body is not sent as application/json"), HTTPStatus.UNSUPPORTED_MEDIA_TYPE
            )
        limits = self._settings.limits
        if self._in_hand >= limits.requests:
            raise TooBusy(f"{limits.requests} requests are in hand already")
        self._in_hand += 1
        try:
            body = await read_body(request.headers.get("content-length"), request.stream(), limits)
            return _json(await self._evaluators.answer(body))
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)  # nobody is left to read it
        finally:
            self._in_hand -= 1


def _made(settings: Settings) -> dict[str, tuple[str, bytes]]:
    return documents(settings.guard.public_url, settings.limits)


def _document(path: str, kind: str, content: bytes, guard: Guard) -> Route:
    async def answer(request: Request) -> Response:
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        if path == "/functions.json":
            headers["Vary"] = "Origin"
            origin = request.headers.get("origin")
            if origin and guard.may_read_metadata(origin):
                headers["Access-Control-Allow-Origin"] = origin
        return Response(content, media_type=kind, headers=headers)

    return Route(path, answer, methods=["GET"])


async def _health(_: Request) -> Response:
    return _json(json.dumps({"status": "ok", "version": functions_version()}).encode())


async def _refused(_: Request, error: XlmodelError) -> Response:
    return _error(error)


async def _no_such_page(_: Request, error: HTTPException) -> Response:
    return _json(
        json.dumps({"error": {"code": "", "reason": error.detail}}).encode(),
        error.status_code,
        dict(error.headers or {}),
    )


def _error(error: XlmodelError, status: int | None = None) -> Response:
    log.info("refused: %s", error)
    body = json.dumps({"error": {"code": error.code, "reason": str(error)}}).encode()
    return _json(body, status or STATUS[type(error)], _HEADERS.get(type(error)))


def _json(body: bytes, status: int = HTTPStatus.OK, headers: dict[str, str] | None = None) -> Response:
    kept = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} | dict(headers or {})
    return Response(body, status_code=status, media_type="application/json", headers=kept)
