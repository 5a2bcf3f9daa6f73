"""A stream is cut if it ends in the middle of an event."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk

BLANK_LINE = re.compile(rb"\n\r?\n")


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        *events, buffer = BLANK_LINE.split(buffer + chunk)
        for payload in filter(None, map(payload_of, events)):
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if buffer and not finished:
        raise StreamTruncatedError


def payload_of(event: bytes) -> str:
    """What the `data:` lines of an event say; empty if it has none."""
    lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
    data = [line.removeprefix(b"data:").removeprefix(b" ") for line in lines if line.startswith(b"data:")]
    return b"\n".join(data).decode("utf-8", errors="replace")
