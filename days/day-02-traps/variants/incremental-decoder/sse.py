"""Differs from the solution: bytes become text at once, by a decoder that keeps half a character for the next chunk."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, NamedTuple

LINE_END = re.compile("\r\n?|\n")


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
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._line: list[str] = []
        self._size = 0
        self._cr_is_open = False
        self._first = True
        self._fields: list[tuple[str, str]] = []
        self._id = ""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        text = self._decode(chunk)
        if text and self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        if text and self._cr_is_open:
            text, self._cr_is_open = text.removeprefix("\n"), False
        if text:
            self._cr_is_open = text.endswith("\r")
        events = []
        place = 0
        for end in LINE_END.finditer(text):
            self._add(text[place : end.start()])
            place = end.end()
            line = "".join(self._line)
            self._line = []
            if line:
                name, _, value = line.partition(":")
                self._fields.append((name, value.removeprefix(" ")))
            else:
                events += self._event()
        self._add(text[place:])
        return events

    def close(self) -> list[ServerSentEvent]:
        return []

    def _add(self, piece: str) -> None:
        self._line.append(piece)
        self._size += len(piece) if piece.isascii() else len(piece.encode())
        if self._limit is not None and self._size > self._limit:
            raise EventTooLarge("The event is too large.")

    def _event(self) -> list[ServerSentEvent]:
        fields, self._fields, self._size = self._fields, [], 0
        ids = [value for name, value in fields if name == "id" and "\0" not in value]
        self._id = [self._id, *ids][-1]
        data = [value for name, value in fields if name == "data"]
        if not data:
            return []
        names = [value for name, value in fields if name == "event"]
        waits = [int(value) for name, value in fields if name == "retry" and re.fullmatch("[0-9]+", value)]
        return [ServerSentEvent(["", *names][-1] or "message", "\n".join(data), self._id, [None, *waits][-1])]


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
