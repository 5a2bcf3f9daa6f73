"""A stream chunk by chunk: what was sent, what arrived, what the parser's buffer holds then, and what came out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..checks.cut import CutStream
from ..checks.event_stream import Event, EventStream
from .shrink import events

# Without a wish: chunks of so many bytes, or larger ones if that made more steps than anybody follows.
CHUNK, STEPS = 16, 40


@dataclass(frozen=True)
class Step:
    """One chunk, or the end of the stream. `sent` are the events, as the gateway wrote them, that begin with it."""

    number: int
    sent: bytes
    arrived: bytes | None
    held: bytes
    events: tuple[Event, ...] = ()


def steps_of(cut: CutStream, parser: EventStream) -> Iterator[Step]:
    """Each chunk given to the parser, and as the last step the end of the stream."""
    starts, place = {}, 0
    for event in events(cut.stream):
        starts[place] = event
        place += len(event)
    place = number = 0
    for number, chunk in enumerate(cut.chunks, start=1):
        sent = b"".join(starts.get(byte, b"") for byte in range(place, place + len(chunk)))
        came = tuple(parser.feed(chunk))
        yield Step(number, sent, chunk, parser.held, came)
        place += len(chunk)
    yield Step(number + 1, b"", None, parser.held)


def in_chunks(whole: CutStream, size: int | None = None) -> CutStream:
    """The stream in chunks of one size, in bytes."""
    length = len(whole.stream)
    size = size or max(CHUNK, -(-length // STEPS))
    return whole.cut_anew(range(size, length, size))


def telling_cuts(whole: CutStream) -> CutStream:
    """Cut where it hurts: behind the first letters, in the first CRLF and the first character of several bytes, and
    between the line ends of each blank line."""
    stream = whole.stream
    places = {2, stream.find(b"\r\n") + 1, next((place for place, byte in enumerate(stream) if byte > 0xBF), -1) + 1}
    place = 0
    for event in events(stream):
        place += len(event)
        places.add(place - 1)
    return whole.cut_anew(sorted(place for place in places if 0 < place < len(stream)))
