"""When the bytes end, what is still in the buffer is taken for the last event."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    finished = False
    async for event in read_events(chunks):
        lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
        data = [line.removeprefix(b"data:").removeprefix(b" ") for line in lines if line.startswith(b"data:")]
        if not data:
            continue
        payload = b"\n".join(data).decode("utf-8", errors="replace")
        if payload == "[DONE]":
            return
        for delta in parse_chunk(payload):
            finished = finished or isinstance(delta, FinishDelta)
            yield delta
    if not finished:
        raise StreamTruncatedError


async def read_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    buffer = b""
    async for chunk in chunks:
        *events, buffer = re.split(rb"\n\r?\n", buffer + chunk)
        for event in events:
            yield event
    if buffer:
        yield buffer
