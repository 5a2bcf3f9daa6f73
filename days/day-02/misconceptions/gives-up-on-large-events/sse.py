"""An event that outgrows 64 KiB is an error, so that a gateway cannot fill the memory."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, GatewayError, StreamTruncatedError, parse_chunk

MAX_EVENT = 64 * 1024


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        *events, buffer = re.split(rb"\n\r?\n", buffer + chunk)
        for event in events:
            lines = [line.removesuffix(b"\r") for line in event.split(b"\n")]
            data = [line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:")]
            if not data:
                continue
            payload = b"\n".join(data).decode("utf-8", errors="replace")
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
        if len(buffer) > MAX_EVENT:
            raise GatewayError("The gateway sent an event that is too large.", retryable=False)
    if not finished:
        raise StreamTruncatedError
