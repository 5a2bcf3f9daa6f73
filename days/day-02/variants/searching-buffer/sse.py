"""Differs from the solution: one `bytearray`, and a search for line ends that goes on from where the last one ended."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = bytearray()
    searched = 0  # there is no line feed in front of this place
    data: list[str] = []
    finished = False
    async for chunk in chunks:
        buffer += chunk
        while (end := buffer.find(b"\n", searched)) >= 0:
            line = buffer[:end].decode("utf-8", errors="replace").removesuffix("\r")
            del buffer[: end + 1]
            searched = 0
            field, _, value = line.partition(":")
            if field == "data":
                data.append(value.removeprefix(" "))
            elif not line and data:
                payload = "\n".join(data)
                data.clear()
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    finished = finished or isinstance(delta, FinishDelta)
                    yield delta
        searched = len(buffer)
    if not finished:
        raise StreamTruncatedError
