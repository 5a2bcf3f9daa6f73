"""Event-stream parsers of many hands, asked in one way: chunks in, events out.

The libraries are asked at the lowest door they have for bytes, without a connection. Two of them know text only: a
decoder stands before them, as it does in the clients that they are made for.
"""

from __future__ import annotations

import codecs
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import solution

Events = Iterator[Any]


@dataclass(frozen=True)
class Vector:
    """A stream, and the type and data of each of its events."""

    stream: bytes
    events: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class EventParser(ABC):
    """`seen` says the type and data of one of its events."""

    name: str
    seen: Callable[[Any], tuple[str, str]] = field(
        default=lambda event: (event.event or "message", event.data), kw_only=True
    )

    @abstractmethod
    def events(self, chunks: Iterable[bytes]) -> Events:
        """The events of one stream."""

    @abstractmethod
    def count(self, chunks: Iterable[bytes]) -> int:
        """Look at every event of the stream, as its user would: this is what is measured."""

    def agrees(self, vector: Vector) -> bool:
        """Whether it gives the events of this stream: whole, cut in two anywhere, and byte by byte."""
        places = range(1, len(vector.stream))
        try:
            return all(
                list(map(self.seen, self.events(cut(vector.stream, way)))) == vector.events
                for way in [[], *([place] for place in places), places]
            )
        except Exception:  # whatever a library raises, it is not what the standard says
            return False


@dataclass(frozen=True)
class Fed(EventParser):
    """Has a method that takes a chunk and gives the events that it completes. `make` gives that of a new parser."""

    make: Callable[[], Callable[[bytes], Iterable[Any]]]

    def events(self, chunks: Iterable[bytes]) -> Events:
        feed = self.make()
        return (event for chunk in chunks for event in feed(chunk))

    def count(self, chunks: Iterable[bytes]) -> int:
        feed = self.make()
        count = 0
        for chunk in chunks:
            for _ in feed(chunk):
                count += 1
        return count


@dataclass(frozen=True)
class Iterated(EventParser):
    """Goes through an iterable of chunks, so it cannot be handed one."""

    parse: Callable[[Iterable[bytes]], Events]

    def events(self, chunks: Iterable[bytes]) -> Events:
        return self.parse(chunks)

    def count(self, chunks: Iterable[bytes]) -> int:
        count = 0
        for _ in self.parse(chunks):
            count += 1
        return count


def cut(stream: bytes, places: Iterable[int]) -> list[bytes]:
    return [stream[start:end] for start, end in itertools.pairwise([0, *places, len(stream)])]


def event_parsers() -> list[EventParser]:
    """Ours, with and without a limit, the libraries', and a naive one."""
    ours = solution.event_parser()
    return [
        Fed("SSEParser", lambda: ours().feed),
        Fed("SSEParser, limit 64 MiB", lambda: ours(max_event_bytes=1 << 26).feed),
        Iterated("launchdarkly-eventsource", launchdarkly()),
        Iterated("httpx-sse", httpx_sse()),
        Iterated("httpx2", httpx2()),
        Iterated("anthropic", decoder("anthropic._streaming")),
        Iterated("openai", decoder("openai._streaming")),
        Iterated("sseclient-py", sseclient()),
        Fed("assel", assel()),
        Fed("naive split", lambda: Naive().feed, seen=lambda data: ("message", data)),
    ]


class Naive:
    """The buffer of the first draft: a blank line is two line feeds, and an event is one `data: ` line."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, chunk: bytes) -> list[str]:
        self._buffer += chunk
        *blocks, self._buffer = self._buffer.split(b"\n\n")
        found = (block.partition(b"data: ") for block in blocks)
        return [payload.replace(b"\ndata: ", b"\n").decode() for _, name, payload in found if name]


def launchdarkly() -> Callable[[Iterable[bytes]], Events]:
    reader = import_module("ld_eventsource.reader")
    event = import_module("ld_eventsource.actions").Event

    def parse(chunks: Iterable[bytes]) -> Events:
        lines = reader._BufferedLineReader.lines_from(chunks)
        for one in reader._SSEReader(lines).events_and_comments():
            if type(one) is event:  # and no comment
                yield one

    return parse


def httpx_sse() -> Callable[[Iterable[bytes]], Events]:
    decoders = import_module("httpx_sse._decoders")

    def parse(chunks: Iterable[bytes]) -> Events:
        line_decoder, decode_line = decoders.SSELineDecoder(), decoders.SSEDecoder().decode
        for text in texts_of(chunks):
            for line in line_decoder.decode(text):
                if (event := decode_line(line)) is not None:
                    yield event
        for line in line_decoder.flush():
            if (event := decode_line(line)) is not None:
                yield event

    return parse


def httpx2() -> Callable[[Iterable[bytes]], Events]:
    make = import_module("httpx2._sse")._SSEParser

    def parse(chunks: Iterable[bytes]) -> Events:
        parser = make()
        for text in texts_of(chunks):
            yield from parser.decode(text)
        yield from parser.flush()

    return parse


def texts_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """What a client's decoder makes of the chunks: no empty text, and no half character."""
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    for chunk in chunks:
        if text := decode(chunk):
            yield text
    if text := decode(b"", final=True):
        yield text


def decoder(module: str) -> Callable[[Iterable[bytes]], Events]:
    make = import_module(module).SSEDecoder
    return lambda chunks: make().iter_bytes(iter(chunks))


def sseclient() -> Callable[[Iterable[bytes]], Events]:
    make = import_module("sseclient").SSEClient
    return lambda chunks: make(chunks).events()


def assel() -> Callable[[], Callable[[bytes], Iterable[Any]]]:
    make = import_module("assel").Parser
    return lambda: make().receive_bytes
