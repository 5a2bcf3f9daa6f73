"""From network bytes to deltas; the count of tokens comes last."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from deltas import Delta, FinishDelta, StreamTruncatedError, UsageDelta, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    """Yield the deltas of an event stream, each as soon as its event is complete.

    Raises `StreamTruncatedError` if the bytes end before the answer does, and `GatewayError` for a payload that is an
    error or no JSON; what came before is yielded first.
    """
    events = EventBuffer()
    finished = False
    async for chunk in chunks:
        for payload in events.feed(chunk):
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta | UsageDelta)
                yield delta
    # An event that still waits for its blank line is dropped: the stream was cut inside it.
    if not finished:
        raise StreamTruncatedError


class EventBuffer:
    """Keeps bytes until their line is whole, and lines until a blank one says that their event is.

    No byte is looked at again because more have come, however the stream is cut and however large an event grows.
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []  # pieces of the current line
        self._data: list[bytes] = []  # values of the current event's `data:` lines

    def feed(self, chunk: bytes) -> Iterator[str]:
        first, *others = chunk.split(b"\n")
        self._line.append(first)
        for start_of_next in others:
            line = b"".join(self._line).removesuffix(b"\r")
            self._line = [start_of_next]
            if line:
                self._take(line)
            elif self._data:
                # Decoded only now that it is whole: no character can be cut in two here.
                yield b"\n".join(self._data).decode("utf-8", errors="replace")
                self._data = []

    def _take(self, line: bytes) -> None:
        """Keep a `data:` line's value, without the one space that may follow the colon. All else is passed over:
        other fields, and comments, whose field name is empty."""
        field, _, value = line.partition(b":")
        if field == b"data":
            self._data.append(value.removeprefix(b" "))
