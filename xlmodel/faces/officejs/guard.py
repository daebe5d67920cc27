"""Who may ask: the right name of the server, no page of somebody else, and the token where there is one.

A server on the loopback address can be reached by any web page that the same browser shows.  Such a page is
kept out by its Origin; one that has its own name point to 127.0.0.1 (DNS rebinding) by the name it asks for.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from xlmodel.errors import BadUsage, ForeignPage, TokenRefused, UnknownHost

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SHORTEST_TOKEN = 16

# Where Excel on the web runs.  Its page reads functions.json from the server; nothing else crosses origins.
# Source: Microsoft, "URLs and IP address ranges for Office 365", common and Office Online.
OFFICE_DOMAINS = ("officeapps.live.com", "office.com", "sharepoint.com", "cloud.microsoft")


@dataclass(frozen=True)
class Guard:
    """``public_url`` is where people reach the server; ``token`` "" where none is asked for."""

    public_url: str
    token: str = field(default="", repr=False)
    hosts: frozenset[str] = LOOPBACK

    def check_host(self, host: str | None) -> None:
        """Raises UnknownHost for a name that is not the server's."""
        name = _split(f"//{host or ''}").hostname
        if name not in self.hosts and name != urlsplit(self.public_url).hostname:
            raise UnknownHost(f"the server is not called {(host or '')[:80]!r}")

    def check_caller(self, headers: Mapping[str, str]) -> None:
        """Raises ForeignPage, TokenRefused.  A program that is no browser sends no Origin and may ask."""
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin):
            raise ForeignPage(f"a page of {origin[:80]!r} may not call this server")
        if self.token:
            scheme, _, given = headers.get("authorization", "").partition(" ")
            right = hmac.compare_digest(given.strip().encode(), self.token.encode())
            if scheme.lower() != "bearer" or not right:
                raise TokenRefused("the token is missing" if not given else "the token is not right")

    def may_read_metadata(self, origin: str | None) -> bool:
        """Whether a page of another origin, Excel on the web, may read functions.json."""
        parts = _split(origin or "")
        name = parts.hostname or ""
        return parts.scheme == "https" and any(
            name == domain or name.endswith("." + domain) for domain in OFFICE_DOMAINS
        )

    def _is_own(self, origin: str) -> bool:
        mine, theirs = urlsplit(self.public_url), _split(origin)
        if (theirs.scheme, theirs.netloc) == (mine.scheme, mine.netloc):
            return True
        # the same server by another of its loopback names
        both_loopback = theirs.hostname in LOOPBACK and mine.hostname in LOOPBACK
        return both_loopback and _port(theirs.netloc) == _port(mine.netloc)


def check_token(token: str) -> None:
    """Raises BadUsage for a token that is no protection or cannot be sent."""
    if token and (
        len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token
    ):
        raise BadUsage(
            f"the token has fewer than {SHORTEST_TOKEN} characters, or a space or letters beyond ASCII in it",
            remedy='make one: python -c "import secrets; print(secrets.token_urlsafe(32))"',
        )


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _port(netloc: str) -> str:
    return netloc.rpartition(":")[2]
