"""The value of a line is what `split("data:")` finds behind the field's name."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    data: list[str] = []
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", errors="replace").removesuffix("\r")
            if text.startswith("data:"):
                data.append(text.split("data:")[1].removeprefix(" "))
            elif not text and data:
                payload = "\n".join(data)
                data = []
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    finished = finished or isinstance(delta, FinishDelta)
                    yield delta
    if not finished:
        raise StreamTruncatedError
