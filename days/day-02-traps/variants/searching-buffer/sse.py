"""Differs from the solution: one `bytearray`, and searches for line ends that go on where the last ones ended."""

from __future__ import annotations

import json
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


class SSEParser:
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._limit = max_event_bytes
        self._buffer = bytearray()
        self._searched = 0  # there is no line end in front of this place
        self._skip_lf = False
        self._fresh = True
        self._event_size = 0
        self._last_id = ""
        self._clear()

    def _clear(self) -> None:
        self._type = ""
        self._data: list[str] | None = None
        self._retry: int | None = None

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        if self._skip_lf and chunk[:1] == b"\n":
            chunk = chunk[1:]
            self._skip_lf = False
        if not chunk:
            return []
        self._skip_lf = False
        self._buffer += chunk
        out: list[ServerSentEvent] = []
        start = 0
        lf = cr = -1  # the next of each behind `start`, once it is known
        place = self._searched
        size = len(self._buffer)
        while True:
            if lf < place:
                lf = self._buffer.find(b"\n", place)
                lf = size if lf < 0 else lf
            if cr < place:
                cr = self._buffer.find(b"\r", place)
                cr = size if cr < 0 else cr
            end = min(lf, cr)
            if end == size:
                break
            self._line(bytes(self._buffer[start:end]), out)
            start = place = end + 1
            if end == cr:
                self._skip_lf = start == size
                if lf == start:
                    start = place = start + 1
        del self._buffer[:start]
        self._searched = len(self._buffer)
        self._hold_to_limit(self._event_size + len(self._buffer))
        return out

    def close(self) -> list[ServerSentEvent]:
        self._buffer.clear()
        return []

    def _hold_to_limit(self, size: int) -> None:
        if self._limit is not None and size > self._limit:
            raise EventTooLarge(f"{size} bytes are more than {self._limit}.")

    def _line(self, line: bytes, out: list[ServerSentEvent]) -> None:
        self._event_size += len(line)
        self._hold_to_limit(self._event_size)
        text = line.decode("utf-8", errors="replace")
        if self._fresh:
            self._fresh = False
            text = text.removeprefix("\ufeff")
        if text == "":
            if self._data is not None:
                out.append(ServerSentEvent(self._type or "message", "\n".join(self._data), self._last_id, self._retry))
            self._clear()
            self._event_size = 0
        elif not text.startswith(":"):
            name, colon, value = text.partition(":")
            if colon and value.startswith(" "):
                value = value[1:]
            self._field(name, value)

    def _field(self, name: str, value: str) -> None:
        match name:
            case "data":
                self._data = self._data or []
                self._data.append(value)
            case "event":
                self._type = value
            case "id":
                if "\0" not in value:
                    self._last_id = value
            case "retry":
                if value and all(digit in "0123456789" for digit in value):
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
