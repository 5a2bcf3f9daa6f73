"""From the bytes of an event stream to its events, right for every byte and wherever the network cuts.

The rules are those of the standard (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.5 and 9.2.6).
Nothing here reads from a network: chunks are handed in, and what they complete is handed out.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

BOM = b"\xef\xbb\xbf"
LF, CR, COLON = b"\n\r:"


class ServerSentEvent(NamedTuple):
    """One event. `id` is the last one that the stream has named, in this event or before it; `retry` is the wait in
    milliseconds before a client connects again, if this very event asks for one. A block of lines without data is no
    event: its `event` and its `retry` are forgotten, its `id` is not."""

    event: str = "message"
    data: str = ""
    id: str = ""
    retry: int | None = None


class EventTooLarge(Exception):
    """An event has more bytes than is allowed. `limit` is what is allowed."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The stream sent an event of more than {limit} bytes.")
        self.limit = limit


class PayloadError(NamedTuple):
    """What `JSONEventStream` gives for an event whose data is not JSON. `position` counts the events, from 0."""

    position: int
    data: str


class SSEParser:
    """Parses one stream. Feed it chunks of bytes, of any size, and tell it when there are no more.

    With `max_event_bytes` an event may have so many bytes in its lines, comments included and line ends not. For a
    larger one `EventTooLarge` is raised, by the `feed` that brings one byte too many; if the same chunk has also
    completed events, they are given out first, and the next call raises. After that every call does: what follows the
    large event would be a guess.
    """

    # --- exercise 1: lines, whatever ends them ---
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._rest: list[bytes] = []  # pieces of the line that has not ended yet
        self._rest_size = 0
        self._after_cr = False
        self._at_start = True
        self._data: list[bytes] = []  # of the event that has not ended yet, like the next three
        self._event = ""
        self._retry: int | None = None
        self._size = 0
        self._id = ""
        self._limit = max_event_bytes

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this chunk completes, each as soon as its blank line is there.

        A carriage return ends its line at once: whether a line feed follows is not worth waiting for. If it does, even
        in the next chunk, it is passed over. Each byte is looked at once, however large the event grows.
        """
        if LF not in chunk and CR not in chunk:  # numbers: to look for b"\n" takes ten times as long
            self._rest.append(chunk)
            if self._limit is None:
                return []
            self._rest_size += len(chunk)
            return self._read([]) if self._size + self._rest_size > self._limit else []
        lines = chunk.splitlines()  # of bytes, it knows \n, \r\n and \r, and no other line ends
        if self._after_cr and chunk[0] == LF and not any(self._rest):
            del lines[0]
        elif self._rest:
            self._rest.append(lines[0])
            lines[0] = b"".join(self._rest)
        last = chunk[-1]
        self._after_cr = last == CR
        rest = b"" if self._after_cr or last == LF else lines.pop()
        self._rest, self._rest_size = [rest], len(rest)
        return self._read(lines)

    # --- end of exercise 1 ---

    def close(self) -> list[ServerSentEvent]:
        """There are no more chunks. An event without its blank line is discarded, so this gives none."""
        return self.feed(b"")

    def _read(self, lines: list[bytes]) -> list[ServerSentEvent]:
        """The events that these lines complete. Text is decoded when it is whole, so no character is ever cut in two,
        and what is not UTF-8 becomes U+FFFD."""
        if self._limit is not None:
            lines = self._within_limit(lines, self._limit)
        if self._at_start and lines:
            lines[0], self._at_start = lines[0].removeprefix(BOM), False
        events: list[ServerSentEvent] = []
        data = self._data
        for line in lines:
            if line.startswith(b"data: "):  # nearly always: the short way
                data.append(line[6:])
            elif not line:
                if data:
                    text = b"\n".join(data).decode("utf-8", "replace")
                    # Like ServerSentEvent(...), in half the time.
                    events.append(
                        tuple.__new__(ServerSentEvent, (self._event or "message", text, self._id, self._retry))
                    )
                    data.clear()
                self._event, self._retry = "", None
            elif line[0] != COLON:
                self._take(line)
        if self._limit is not None and self._size > self._limit and not events:
            raise EventTooLarge(self._limit)
        return events

    def _take(self, line: bytes) -> None:
        """Keep what a field says. All others are passed over, and comments, which are fields without a name."""
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"event":
                self._event = value.decode("utf-8", "replace")
            case b"data":
                self._data.append(value)
            case b"id" if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
            case b"retry" if value.isdigit() and len(value) < 20:  # longer than any clock
                self._retry = int(value)

    # --- exercise 2: a limit for one event ---
    def _within_limit(self, lines: list[bytes], limit: int) -> list[bytes]:
        """Those of these lines, all of them nearly always, that stand before the one which makes its event too large.

        `_size` is what the whole lines of the event amount to. Once it is above the limit, it stays there.
        """
        if self._size > limit:
            self._rest = self._rest[:0]  # who goes on in spite of the error does not fill the memory
            return []
        for number, line in enumerate(lines):
            self._size = self._size + len(line) if line else 0
            if self._size > limit:
                return lines[:number]
        if self._size + self._rest_size > limit:
            self._size += self._rest_size
        return lines

    # --- end of exercise 2 ---


class JSONEventStream:
    """Gives the payloads of one stream: what the data of each event says as JSON, as `json.loads` reads it.

    An event whose data is not JSON gives a `PayloadError` in its place, and the stream goes on. `[DONE]` ends the
    stream: it is no payload, and bytes behind it give nothing. `EventTooLarge` is raised as by `SSEParser`.
    """

    # --- exercise 3: payloads, bad ones too ---
    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._parser = SSEParser(max_event_bytes=max_event_bytes)
        self._position = 0
        self._done = False

    def feed(self, chunk: bytes) -> list[Any]:
        """The payloads, and the errors in their places, that this chunk completes."""
        return [] if self._done else self._payloads(self._parser.feed(chunk))

    def close(self) -> list[Any]:
        """There are no more chunks. What is unfinished is discarded, so this gives nothing."""
        return [] if self._done else self._payloads(self._parser.close())

    def _payloads(self, events: list[ServerSentEvent]) -> list[Any]:
        payloads: list[Any] = []
        for event in events:
            if event.data == "[DONE]":
                self._done = True
                break
            try:
                payloads.append(json.loads(event.data))
            except (ValueError, RecursionError):  # the second for brackets in brackets in brackets
                payloads.append(PayloadError(self._position, event.data))
            self._position += 1
        return payloads

    # --- end of exercise 3 ---
