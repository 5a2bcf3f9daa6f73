"""Only objects with `choices` belong to the answer; whatever else a gateway sends is passed over."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        *events, buffer = re.split(rb"\n\r?\n", buffer + chunk)
        for event in events:
            lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
            data = [line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:")]
            payload = b"\n".join(data).decode("utf-8", errors="replace")
            if payload == "[DONE]":
                return
            if not belongs_to_answer(payload):
                continue
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError


def belongs_to_answer(payload: str) -> bool:
    if not payload:
        return False
    try:
        value = json.loads(payload)
    except ValueError:
        return True  # no JSON at all: `parse_chunk` says so
    return not isinstance(value, dict) or "choices" in value
