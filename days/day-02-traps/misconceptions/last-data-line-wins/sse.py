"""An event has one of each field, and the last one counts."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

LINE_END = re.compile(rb"\r\n|\r|\n")
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
        self._size = 0  # of the event that is not whole yet
        self._line: list[bytes] = []  # pieces of the line that is not whole yet
        self._after_cr = False
        self._at_start = True
        self._event = ""
        self._data: str | None = None
        self._id = ""
        self._retry: int | None = None

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        if not chunk:
            return []
        events: list[ServerSentEvent] = []
        if self._after_cr:
            chunk = chunk.removeprefix(b"\n")
        self._after_cr = chunk.endswith(b"\r")
        *lines, rest = LINE_END.split(chunk)
        for line in lines:
            self._add(line)
            self._end_line(events)
        self._add(rest)
        return events

    def close(self) -> list[ServerSentEvent]:
        return []

    def _add(self, piece: bytes) -> None:
        self._line.append(piece)
        self._size += len(piece)
        if self._limit is not None and self._size > self._limit:
            raise EventTooLarge(f"An event has more than {self._limit} bytes.")

    def _end_line(self, events: list[ServerSentEvent]) -> None:
        line = b"".join(self._line)
        self._line.clear()
        if self._at_start:
            line, self._at_start = line.removeprefix(BOM), False
        if line:
            self._take(line)
            return
        if self._data is not None:
            events.append(ServerSentEvent(self._event or "message", self._data, self._id, self._retry))
        self._event, self._data, self._retry, self._size = "", None, None, 0

    def _take(self, line: bytes) -> None:
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data = value
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self._retry = int(value)


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
