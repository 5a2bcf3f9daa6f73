"""Differs from the solution: a pipeline of generators, from chunks to lines to events to payloads to deltas."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    complete = False
    async for payload in payloads(events(lines(chunks))):
        if payload == "[DONE]":
            complete = True
            break
        for delta in parse_chunk(payload):
            complete = complete or isinstance(delta, FinishDelta)
            yield delta
    if not complete:
        raise StreamTruncatedError


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Complete lines, without their ends."""
    pieces: list[bytes] = []
    async for chunk in chunks:
        head, *tails = chunk.split(b"\n")
        pieces.append(head)
        for tail in tails:
            yield b"".join(pieces).removesuffix(b"\r")
            pieces = [tail]


async def events(lines: AsyncIterator[bytes]) -> AsyncIterator[list[bytes]]:
    """The lines of each event that its blank line has ended."""
    event: list[bytes] = []
    async for line in lines:
        if line:
            event.append(line)
        else:
            yield event
            event = []


async def payloads(events: AsyncIterator[list[bytes]]) -> AsyncIterator[str]:
    """What the `data:` lines of each event say; an event without one says nothing."""
    async for event in events:
        fields = [line.partition(b":") for line in event]
        data = [value.removeprefix(b" ") for name, _, value in fields if name == b"data"]
        if data:
            yield b"\n".join(data).decode("utf-8", errors="replace")
