"""The blank line is looked for in the chunk: what has none is only kept."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

BOM = b"\xef\xbb\xbf"


class ServerSentEvent(NamedTuple):
    event: str = "message"
    data: str = ""
    id: str = ""
    retry: int | None = None


class EventTooLarge(Exception):
    pass


class PayloadError(NamedTuple):
    position: int
    data: str


class SSEParser:
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._limit = max_event_bytes
        self._kept: list[bytes] = []
        self._size = 0
        self._at_start = True
        self._id = ""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n\n" not in chunk:
            self._kept.append(chunk)
            self._size += len(chunk)
            if self._limit is not None and self._size > self._limit:
                raise EventTooLarge(f"An event has more than {self._limit} bytes.")
            return []
        *blocks, rest = b"".join([*self._kept, chunk]).split(b"\n\n")
        self._kept, self._size = [rest], len(rest)
        return [event for block in blocks for event in self._read(block)]

    def close(self) -> list[ServerSentEvent]:
        return []

    def _read(self, block: bytes) -> list[ServerSentEvent]:
        """The event that these lines make, if they make one."""
        if self._at_start:
            block, self._at_start = block.removeprefix(BOM), False
        event, retry = "", None
        data: list[str] = []
        for line in block.decode("utf-8", "replace").split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name == "event":
                event = value
            elif name == "id" and "\0" not in value:
                self._id = value
            elif name == "retry" and value.isascii() and value.isdigit():
                retry = int(value)
        return [ServerSentEvent(event or "message", "\n".join(data), self._id, retry)] if data else []


class JSONEventStream:
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._parser = SSEParser(max_event_bytes=max_event_bytes)
        self._position = 0
        self._done = False

    def feed(self, chunk: bytes) -> list[Any]:
        items: list[Any] = []
        if self._done:
            return items
        for event in self._parser.feed(chunk):
            if event.data == "[DONE]":
                self._done = True
                break
            try:
                items.append(json.loads(event.data))
            except ValueError:
                items.append(PayloadError(self._position, event.data))
            self._position += 1
        return items
