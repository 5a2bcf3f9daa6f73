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
        self._buffer = b""
        self._at_start = True
        self._data: list[bytes] = []  # of the event that has not ended yet, like the next three
        self._event = ""
        self._retry: int | None = None
        self._size = 0
        self._id = ""
        self._limit = max_event_bytes

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this chunk completes.

        It keeps what has come in one buffer, and takes out what ends with a blank line. That is right where lines end
        with a line feed. Where they end otherwise it depends on where the network cuts, and a large event is gone
        through again with each chunk.
        """
        self._buffer += chunk.replace(b"\r\n", b"\n")
        *blocks, self._buffer = self._buffer.split(b"\n\n")
        events: list[ServerSentEvent] = []
        for block in blocks:
            events += self._read([*block.split(b"\n"), b""])
        return events

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
        """Those of these lines that stand before the one which makes its event too large: now all, however large."""
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

    def feed(self, chunk: bytes) -> list[Any]:
        """The payloads that this chunk completes. One that is not JSON raises, and the rest of the chunk is lost."""
        return [json.loads(event.data) for event in self._parser.feed(chunk) if event.data != "[DONE]"]

    # --- end of exercise 3 ---
