"""What this lab's parser must make of a stream, once its events are found: `grade trace` holds a program to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk
from grader.checks import Event


def read_events(events: Iterable[Event]) -> Iterator[Delta]:
    """The deltas of these events, each before the next event is asked for. Raises as a parser must."""
    finished = False
    for event in events:
        if event.data == "[DONE]":
            return
        for delta in parse_chunk(event.data):
            finished = finished or isinstance(delta, FinishDelta)
            yield delta
    if not finished:
        raise StreamTruncatedError
