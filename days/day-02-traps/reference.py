"""What this lab's parser must make of a stream, once its events are found: `grade trace` holds a program to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.checks import Event, EventStream

PROMPT_AT_CR = True

LF, CR = b"\n\r"


@dataclass(frozen=True)
class ServerSentEvent:
    event: str
    data: str
    id: str
    retry: int | None


@dataclass(frozen=True)
class Payload:
    json: str


@dataclass(frozen=True)
class PayloadError:
    position: int
    data: str


class EventTooLarge(Exception):
    pass


class LimitedEventStream(EventStream):
    """Raises for an event of more than `limit` bytes, line ends not counted, and at every call behind it. Events that
    the same chunk has completed are given out first."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._size = 0
        self._before = LF

    def feed(self, chunk: bytes) -> list[Event]:
        events: list[Event] = []
        for byte in chunk:
            events += super().feed(bytes([byte]))
            if byte not in (LF, CR):
                self._size += 1
            elif self._before in (LF, CR) and (self._before, byte) != (CR, LF):
                self._size = 0
            self._before = byte
            if self._size > self._limit:
                break
        if self._size > self._limit and not events:
            raise EventTooLarge
        return events


def event_stream(json: bool = False, limit: int | None = None) -> EventStream:
    return EventStream() if limit is None else LimitedEventStream(limit)


def read_events(
    events: Iterable[Event], json: bool = False, limit: int | None = None
) -> Iterator[ServerSentEvent | Payload | PayloadError]:
    """The events, or with `json` their payloads, each before the next event is asked for."""
    if json:
        yield from payloads(events)
    else:
        for event in events:
            yield ServerSentEvent(event.type, event.data, event.id, event.retry)


def payloads(events: Iterable[Event]) -> Iterator[Payload | PayloadError]:
    for position, event in enumerate(events):
        if event.data == "[DONE]":
            return
        try:
            yield Payload(json.dumps(json.loads(event.data), ensure_ascii=False))
        except ValueError:
            yield PayloadError(position, event.data)
