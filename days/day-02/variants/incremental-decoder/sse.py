"""Differs from the solution: an incremental decoder turns bytes into text at once, and only text is kept."""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # keeps half a character for the next chunk
    line: list[str] = []
    data: list[str] = []
    finished = False
    async for chunk in chunks:
        first, *others = decoder.decode(chunk).split("\n")
        line.append(first)
        for start_of_next in others:
            text = "".join(line).removesuffix("\r")
            line = [start_of_next]
            field, _, value = text.partition(":")
            if field == "data":
                data.append(value.removeprefix(" "))
            elif text == "" and data:
                payload, data = "\n".join(data), []
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    finished = finished or isinstance(delta, FinishDelta)
                    yield delta
    if not finished:
        raise StreamTruncatedError
