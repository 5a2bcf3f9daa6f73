"""A line whose first letters are `data` is data; what stands behind its colon is the value."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    data: list[bytes] = []
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data"):
                data.append(line.partition(b":")[2].removeprefix(b" "))
            elif not line and data:
                payload = b"\n".join(data).decode("utf-8", errors="replace")
                data = []
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    finished = finished or isinstance(delta, FinishDelta)
                    yield delta
    if not finished:
        raise StreamTruncatedError
