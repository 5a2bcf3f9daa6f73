"""An event is a list of payloads, one for each of its `data:` lines."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    payloads: list[str] = []
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                payloads.append(line[len(b"data:") :].decode("utf-8", errors="replace").strip())
            elif not line:
                for payload in payloads:
                    if payload == "[DONE]":
                        return
                    for delta in parse_chunk(payload):
                        finished = finished or isinstance(delta, FinishDelta)
                        yield delta
                payloads = []
    if not finished:
        raise StreamTruncatedError
