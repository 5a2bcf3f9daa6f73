"""The deltas of an event are kept until the next event shows that it was not the last."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    held: list[Delta] = []
    finished = False
    async for payload in read_payloads(chunks):
        for delta in held:
            yield delta
        held = []
        if payload == "[DONE]":
            return
        held = parse_chunk(payload)
        finished = finished or any(isinstance(delta, FinishDelta) for delta in held)
    for delta in held:
        yield delta
    if not finished:
        raise StreamTruncatedError


async def read_payloads(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """What the `data:` lines of each complete event say."""
    buffer = b""
    data: list[bytes] = []
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line.removeprefix(b"data:").removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data).decode("utf-8", errors="replace")
                data = []
