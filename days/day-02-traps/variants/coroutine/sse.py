"""Differs from the solution: a generator is sent whole lines, and keeps the event in local variables."""

from __future__ import annotations

import json
from collections.abc import Generator
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


Events = Generator[ServerSentEvent | None, bytes, None]


def events() -> Events:
    """Sent a line, it gives the event that this line ends, if it ends one."""
    last_id, finished = "", None
    while True:
        name, retry = "", None
        data: list[bytes] = []
        while line := (yield finished):
            finished = None
            field, _, value = line.partition(b":")
            value = value[1:] if value[:1] == b" " else value
            if field == b"data":
                data.append(value)
            elif field == b"event":
                name = text_of(value)
            elif field == b"id":
                last_id = last_id if 0 in value else text_of(value)
            elif field == b"retry" and value.isdigit():
                retry = int(value)
        finished = ServerSentEvent(name or "message", text_of(b"\n".join(data)), last_id, retry) if data else None


def text_of(value: bytes) -> str:
    return str(value, "utf-8", "replace")


class SSEParser:
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._most = float("inf") if max_event_bytes is None else max_event_bytes
        self._events = events()
        next(self._events)
        self._so_far = 0
        self._open: list[bytes] = []
        self._last = 0
        self._lines = 0

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        found = []
        for piece in chunk.splitlines(keepends=True):
            if piece == b"\n" and self._last == 13 and not self._open:
                self._last = 10
                continue
            self._last = piece[-1]
            line = piece.rstrip(b"\r\n")
            self._so_far += len(line)
            if self._so_far > self._most:
                raise EventTooLarge
            self._open.append(line)
            if line != piece:
                found += self._line()
        return found

    def close(self) -> list[ServerSentEvent]:
        self._events.close()
        return []

    def _line(self) -> list[ServerSentEvent]:
        line = b"".join(self._open)
        self._open = []
        self._lines += 1
        if self._lines == 1 and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        if not line:
            self._so_far = 0
        event = self._events.send(line)
        return [event] if event else []


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
