"""The lines of an event are what `str.splitlines` says they are."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk

BLANK_LINE = re.compile(rb"\n\r?\n")


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    buffer = b""
    finished = False
    async for chunk in chunks:
        *events, buffer = BLANK_LINE.split(buffer + chunk)
        for event in events:
            lines = event.decode("utf-8", errors="replace").splitlines()
            data = [line[len("data:") :].removeprefix(" ") for line in lines if line.startswith("data:")]
            if not data:
                continue
            payload = "\n".join(data)
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError
