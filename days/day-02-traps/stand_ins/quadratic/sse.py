"""A parser whose cost grows with the square of an event's size and of its number of lines: what a cost is held to.

It keeps everything in one buffer, and goes through all of it again with each chunk.
"""

from __future__ import annotations

from typing import NamedTuple


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
        self._buffer = b""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        self._buffer += chunk
        events = []
        while b"\n\n" in self._buffer:
            block, _, self._buffer = self._buffer.partition(b"\n\n")
            events.append(ServerSentEvent(data=self._data_of(block)))
        return events

    def close(self) -> list[ServerSentEvent]:
        return []

    def _data_of(self, block: bytes) -> str:
        data = b""
        while block:
            line, _, block = block.partition(b"\n")
            data += line.removeprefix(b"data: ") + b"\n"
        return data[:-1].decode()


class JSONEventStream(SSEParser):
    pass
