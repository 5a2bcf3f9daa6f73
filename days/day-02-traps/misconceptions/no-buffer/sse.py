"""Every chunk is taken for a number of whole events."""

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
        self._at_start = True
        self._id = ""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        events: list[ServerSentEvent] = []
        for block in chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n"):
            if self._limit is not None and len(block) > self._limit:
                raise EventTooLarge(f"An event has more than {self._limit} bytes.")
            events += self._read(block)
        return events

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
