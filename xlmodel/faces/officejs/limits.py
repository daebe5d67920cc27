"""What one request may ask for, and how many at a time.  Whoever asks for more is told so and refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from xlmodel.errors import TooLarge, TooSlow

MEBIBYTE = 2**20


@dataclass(frozen=True)
class Limits:
    """Of a request: bytes in and out, calls, seconds.  Of a process: requests in hand, evaluators."""

    body_bytes: int = 8 * MEBIBYTE
    answer_bytes: int = 64 * MEBIBYTE
    calls: int = 5_000
    seconds: float = 60.0
    upload_seconds: float = 20.0
    requests: int = 128
    evaluators: int = 1


async def read_body(stated: str | None, chunks: AsyncIterator[bytes], limits: Limits) -> bytes:
    """The body.  Raises TooLarge, by the stated length or before all of it is in memory, and TooSlow."""
    if stated is not None and stated.isdecimal() and int(stated[:20]) > limits.body_bytes:
        raise _too_large(limits)
    body = bytearray()
    try:
        async with asyncio.timeout(limits.upload_seconds):
            async for chunk in chunks:
                body += chunk
                if len(body) > limits.body_bytes:
                    raise _too_large(limits)
    except TimeoutError:
        raise TooSlow(
            f"the body did not arrive within {limits.upload_seconds:g} seconds", remedy="send it again"
        ) from None
    return bytes(body)


def _too_large(limits: Limits) -> TooLarge:
    return TooLarge(
        f"the body is larger than {limits.body_bytes:,} bytes",
        remedy="send smaller ranges, or start the server with a larger --max-body",
    )
