"""Each chunk is split into events on its own, and nothing of it is kept for the next."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    finished = False
    async for chunk in chunks:
        for event in re.split(rb"\n\r?\n", chunk):
            payload = data_of(event)
            if payload is None:
                continue
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError


def data_of(event: bytes) -> str | None:
    """What the event's `data:` lines say, or None if it has none."""
    lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
    data = [line[len(b"data:") :].removeprefix(b" ") for line in lines if line.startswith(b"data:")]
    return b"\n".join(data).decode("utf-8", errors="replace") if data else None
