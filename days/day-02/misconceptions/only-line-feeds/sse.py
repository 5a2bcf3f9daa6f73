"""An event ends at two line feeds; no other line end is known."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        buffer += chunk
        *events, buffer = buffer.split(b"\n\n")
        for event in events:
            fields = [line.partition(b":") for line in event.split(b"\n")]
            data = [value.removeprefix(b" ") for name, _, value in fields if name == b"data"]
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
