"""The `data:` lines of an event are put together with a space between them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    data: bytes | None = None
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                value = line.removeprefix(b"data:").removeprefix(b" ")
                data = value if data is None else data + b" " + value
            elif not line and data is not None:
                payload = data.decode("utf-8", errors="replace")
                data = None
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    finished = finished or isinstance(delta, FinishDelta)
                    yield delta
    if not finished:
        raise StreamTruncatedError
