"""Every chunk has a first choice, and its finish reason says whether the answer is complete."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from deltas import Delta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    data: list[bytes] = []
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line.removeprefix(b"data:").removeprefix(b" "))
            elif not line and data:
                payload = b"\n".join(data).decode("utf-8", errors="replace")
                data = []
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    yield delta
                choice = json.loads(payload)["choices"][0]
                finished = finished or choice["finish_reason"] is not None
    if not finished:
        raise StreamTruncatedError
