"""Every line of an event with data gives a value, whatever its name; only comments are passed over."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        *events, buffer = re.split(rb"\n\r?\n", buffer + chunk)
        for event in events:
            if b"data:" not in event:
                continue  # a heartbeat
            payload = "\n".join(values(event.decode("utf-8", errors="replace")))
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError


def values(event: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in event.split("\n")]
    return [line.split(":", 1)[1].removeprefix(" ") for line in lines if ":" in line and not line.startswith(":")]
