"""An event is over when its data is complete JSON: why wait for the blank line?"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    payload = ""
    finished = False
    async for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                value = line.removeprefix(b"data:").removeprefix(b" ").decode("utf-8", errors="replace")
                payload = f"{payload}\n{value}" if payload else value
            if not payload or (line and not is_json(payload)):
                continue
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
            payload = ""
    if not finished:
        raise StreamTruncatedError


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
