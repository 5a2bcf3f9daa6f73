"""Text to server-sent events. The lab `day-02-traps` is about every rule in here."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile("\r\n|\n|\r")


@dataclass(frozen=True)
class ServerEvent:
    """One event: the name that the stream gives it, and its data, lines joined."""

    event: str
    data: str


class EventParser:
    """Keeps text until its line is whole, and lines until a blank one says that their event is.

    An event that is unfinished when the stream ends is never given out.
    """

    def __init__(self) -> None:
        self._began = False
        self._after_cr = False  # a line feed that comes now belongs to the line end before
        self._line: list[str] = []  # pieces of the current line
        self._event = ""
        self._data: list[str] = []

    def feed(self, text: str) -> list[ServerEvent]:
        """The events that this text completes."""
        if not text:
            return []
        if not self._began:
            self._began = True
            text = text.removeprefix("\ufeff")
        if self._after_cr:
            text = text.removeprefix("\n")
        self._after_cr = text.endswith("\r")
        first, *others = _LINE_END.split(text)
        self._line.append(first)
        events = []
        for start_of_next in others:
            line = "".join(self._line)
            self._line = [start_of_next]
            if line:
                self._take(line)
                continue
            if self._data:
                events.append(ServerEvent(self._event or "message", "\n".join(self._data)))
            self._event, self._data = "", []
        return events

    def _take(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
