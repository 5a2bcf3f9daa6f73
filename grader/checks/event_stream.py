"""The event-stream format as a state machine without I/O: bytes in, events out, and what it holds can be looked at.

The rules are those of the standard (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.5 and 9.2.6).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["data", "event", "id", "retry", "comment", "unknown"]

_LINE_END = re.compile(rb"\r\n?|\n")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Event:
    """One dispatched event. `id` is the last event id, which stays until another one comes; `retry`, in milliseconds,
    is what the lines of this event asked for."""

    data: str
    type: str = "message"
    id: str = ""
    retry: int | None = None


class EventStream:
    """Feed it chunks, however they are cut.

    Bytes become characters only when their event is whole, so no character can be cut in two; what is no UTF-8
    becomes U+FFFD. A carriage return ends its line at once, also as the last byte of a chunk: to wait for the line
    feed that may follow would hold an event back until more comes. That line feed, if it comes, is passed over.
    """

    def __init__(self) -> None:
        self.seen: Counter[LineKind] = Counter()  # lines of each kind, blank ones apart
        self.retry: int | None = None  # in milliseconds: the last that was asked for
        self._line: list[bytes] = []  # pieces of the line that is not whole yet
        self._kept: list[bytes] = []  # the lines that make the event that is not whole yet
        self._data: list[bytes] = []
        self._type = ""
        self._id = ""
        self._retry: int | None = None  # of the event that is not whole yet
        self._at_start = True
        self._after_cr = False

    @property
    def held(self) -> bytes:
        """The lines of the event that still waits for its blank line, and the line that still waits for its end."""
        return b"".join([*(line + b"\n" for line in self._kept), *self._line])

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that this chunk completes."""
        if not chunk:
            return []
        rest = chunk.removeprefix(b"\n") if self._after_cr else chunk
        self._after_cr = chunk.endswith(b"\r")
        events = []
        first, *others = _LINE_END.split(rest)
        self._line.append(first)
        for start_of_next in others:
            line = b"".join(self._line)
            self._line = [start_of_next]
            if self._at_start:  # a byte order mark, which has arrived whole by now
                line, self._at_start = line.removeprefix(_BOM), False
            if line:
                self._take(line)
            elif event := self._dispatch():
                events.append(event)
        return events

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        kind: LineKind = "unknown"
        match name:
            case b"":
                kind = "comment"
            case b"data":
                kind = "data"
                self._data.append(value)
            case b"event":
                kind = "event"
                self._type = value.decode("utf-8", "replace")
            case b"id":
                kind = "id"
                if b"\0" not in value:
                    self._id = value.decode("utf-8", "replace")
            case b"retry":
                kind = "retry"
                if value.isdigit() and len(value) < 20:  # of bytes: ASCII digits only
                    self.retry = self._retry = int(value)
        self.seen[kind] += 1
        if kind in ("data", "event", "id", "retry"):
            self._kept.append(line)

    def _dispatch(self) -> Event | None:
        """A blank line: an event, if there was data."""
        event = None
        if self._data:
            data = b"\n".join(self._data).decode("utf-8", "replace")
            event = Event(data, self._type or "message", self._id, self._retry)
        self._kept, self._data, self._type, self._retry = [], [], "", None
        return event
