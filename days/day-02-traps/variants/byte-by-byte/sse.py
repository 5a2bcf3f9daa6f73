"""Differs from the solution: a machine that looks at one byte after another, and is in one of three states."""

from __future__ import annotations

import json
from enum import Enum
from typing import Any, NamedTuple


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


class State(Enum):
    NAME = 1
    VALUE_STARTS = 2
    VALUE = 3


class SSEParser:
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self.limit = max_event_bytes
        self.state = State.NAME
        self.name, self.value = bytearray(), bytearray()
        self.line_size = self.event_size = 0
        self.before = 0
        self.is_first_line = True
        self.data: bytearray | None = None
        self.event, self.id = b"", b""
        self.retry: int | None = None

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        events = []
        for byte in chunk:
            if byte == 10 and self.before == 13:
                self.before = byte
                continue
            self.before = byte
            if byte in (10, 13):
                if event := self.end_line():
                    events.append(event)
                continue
            self.line_size += 1
            self.event_size += 1
            if self.limit is not None and self.event_size > self.limit:
                raise EventTooLarge(self.limit)
            self.take(byte)
        return events

    def close(self) -> list[ServerSentEvent]:
        return []

    def take(self, byte: int) -> None:
        if self.state is State.NAME and byte == 58:
            self.state = State.VALUE_STARTS
        elif self.state is State.NAME:
            self.name.append(byte)
        elif self.state is State.VALUE_STARTS and byte == 32:
            self.state = State.VALUE
        else:
            self.state = State.VALUE
            self.value.append(byte)

    def end_line(self) -> ServerSentEvent | None:
        name, value, size = bytes(self.name), bytes(self.value), self.line_size
        if self.is_first_line and name[:3] == b"\xef\xbb\xbf":
            name, size = name[3:], size - 3
        self.is_first_line = False
        self.state = State.NAME
        self.name.clear()
        self.value.clear()
        self.line_size = 0
        if size == 0:
            return self.dispatch()
        if name == b"data":
            self.data = value_behind(self.data, value)
        elif name == b"event":
            self.event = value
        elif name == b"id" and 0 not in value:
            self.id = value
        elif name == b"retry" and value.isdigit():
            self.retry = int(value)
        return None

    def dispatch(self) -> ServerSentEvent | None:
        event = None
        if self.data is not None:
            name, data, id = (part.decode("utf-8", "replace") for part in (self.event, self.data, self.id))
            event = ServerSentEvent(name or "message", data, id, self.retry)
        self.event, self.data, self.retry, self.event_size = b"", None, None, 0
        return event


def value_behind(data: bytearray | None, value: bytes) -> bytearray:
    if data is None:
        return bytearray(value)
    data += b"\n"
    data += value
    return data


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
