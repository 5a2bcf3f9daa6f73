"""CRLF becomes LF as soon as a chunk arrives, so that only LF is left to look for."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        buffer += chunk.replace(b"\r\n", b"\n")
        *events, buffer = buffer.split(b"\n\n")
        for event in events:
            data = data_lines(event)
            if not data:
                continue
            payload = b"\n".join(data).decode("utf-8", errors="replace")
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError


def data_lines(event: bytes) -> list[bytes]:
    lines = event.split(b"\n")
    return [line.removeprefix(b"data:").removeprefix(b" ") for line in lines if line.startswith(b"data:")]
