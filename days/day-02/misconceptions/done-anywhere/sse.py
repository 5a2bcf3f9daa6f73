"""A payload with `[DONE]` in it is the end, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    finished = False
    async for payload in read_payloads(chunks):
        if "[DONE]" in payload:
            return
        for delta in parse_chunk(payload):
            finished = finished or isinstance(delta, FinishDelta)
            yield delta
    if not finished:
        raise StreamTruncatedError


async def read_payloads(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """What the `data:` lines of each complete event say."""
    buffer = b""
    async for chunk in chunks:
        *events, buffer = re.split(rb"\n\r?\n", buffer + chunk)
        for event in events:
            lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
            data = [line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:")]
            if data:
                yield b"\n".join(data).decode("utf-8", errors="replace")
