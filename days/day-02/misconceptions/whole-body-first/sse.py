"""The body is collected to its end and parsed then."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    body = b"".join([chunk async for chunk in chunks])
    *lines, _unfinished = body.split(b"\n")
    data: list[bytes] = []
    finished = False
    for line in lines:
        line = line.removesuffix(b"\r")
        if line.startswith(b"data:"):
            data.append(line.removeprefix(b"data:").removeprefix(b" "))
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
