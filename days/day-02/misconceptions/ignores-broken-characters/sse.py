"""Every chunk is decoded as it arrives; bytes that are no character are ignored."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    text = ""
    data: list[str] = []
    finished = False
    async for chunk in chunks:
        text += chunk.decode("utf-8", errors="ignore")
        *lines, text = text.split("\n")
        for line in lines:
            line = line.removesuffix("\r")
            if line.startswith("data:"):
                data.append(line.removeprefix("data:").removeprefix(" "))
            elif line == "" and data:
                payload = "\n".join(data)
                data = []
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    finished = finished or isinstance(delta, FinishDelta)
                    yield delta
    if not finished:
        raise StreamTruncatedError
