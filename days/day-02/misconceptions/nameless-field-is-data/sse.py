"""A line without a field name in front of its colon is taken for data, like one that says `data`."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk

DATA_FIELDS = (b"data", b"")


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    data: list[bytes] = []
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            name, _, value = line.partition(b":")
            if line and name in DATA_FIELDS:
                data.append(value.removeprefix(b" "))
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
