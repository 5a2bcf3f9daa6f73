"""All events of a chunk are parsed first, then their deltas are yielded."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        *events, buffer = re.split(rb"\n\r?\n", buffer + chunk)
        payloads = list(filter(None, map(payload_of, events)))
        is_last = "[DONE]" in payloads
        if is_last:
            payloads = payloads[: payloads.index("[DONE]")]
        deltas = [delta for payload in payloads for delta in parse_chunk(payload)]
        for delta in deltas:
            finished = finished or isinstance(delta, FinishDelta)
            yield delta
        if is_last:
            return
    if not finished:
        raise StreamTruncatedError


def payload_of(event: bytes) -> str:
    """What the `data:` lines of an event say; empty if it has none."""
    lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
    data = [line.removeprefix(b"data:").removeprefix(b" ") for line in lines if line.startswith(b"data:")]
    return b"\n".join(data).decode("utf-8", errors="replace")
