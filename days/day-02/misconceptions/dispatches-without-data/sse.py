"""Every blank line ends an event, and every event has a payload."""

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
            field, _, value = line.removesuffix(b"\r").partition(b":")
            if field == b"data":
                data.append(value.removeprefix(b" "))
            if line.removesuffix(b"\r"):
                continue
            payload = b"\n".join(data).decode("utf-8", errors="replace")
            data = []
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError
