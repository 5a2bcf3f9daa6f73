"""A payload that is not JSON is passed over: one bad event must not end an answer."""

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
            if not is_json(payload):
                continue
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError


def is_json(payload: str) -> bool:
    try:
        json.loads(payload)
    except ValueError:
        return False
    return True
