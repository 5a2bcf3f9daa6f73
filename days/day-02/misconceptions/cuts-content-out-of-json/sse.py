"""The content is cut out of a chunk with a regular expression; only chunks without content are parsed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from deltas import Delta, FinishDelta, StreamTruncatedError, TextDelta, parse_chunk

CONTENT = re.compile(r'"content": ?"(.+?)"[,}]')


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
            if found := CONTENT.search(payload):
                yield TextDelta(found[1])
                continue
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError
