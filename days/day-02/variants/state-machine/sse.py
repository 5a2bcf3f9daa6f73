"""Differs from the solution: a state machine that is in a field's name, in its value, or in what is passed over."""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator, Iterator

from deltas import Delta, FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    machine = Machine()
    finished = False
    async for chunk in chunks:
        for payload in machine.feed(chunk):
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                finished = finished or isinstance(delta, FinishDelta)
                yield delta
    if not finished:
        raise StreamTruncatedError


class State(enum.Enum):
    NAME = enum.auto()
    VALUE = enum.auto()
    PASSED_OVER = enum.auto()


class Machine:
    """Goes from one colon or line feed to the next; what lies between is kept in pieces."""

    def __init__(self) -> None:
        self._state = State.NAME
        self._name = b""
        self._value: list[bytes] = []
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[str]:
        place = 0
        while place < len(chunk):
            end = chunk.find(b"\n", place)
            piece = chunk[place:] if end < 0 else chunk[place:end]
            self._read(piece)
            if end < 0:
                return
            if (payload := self._end_line()) is not None:
                yield payload
            place = end + 1

    def _read(self, piece: bytes) -> None:
        """Take in a piece of a line, without its end."""
        if self._state is State.NAME:
            start, colon, rest = piece.partition(b":")
            self._name += start
            if colon:
                self._state = State.VALUE if self._name == b"data" else State.PASSED_OVER
                piece = rest
        if self._state is State.VALUE:
            self._value.append(piece)

    def _end_line(self) -> str | None:
        """Complete the line. Returns the payload of the event that it ends, if it ends one."""
        payload = None
        nothing_but = self._name.removesuffix(b"\r") if self._state is State.NAME else None
        if self._state is State.VALUE or nothing_but == b"data":
            self._data.append(b"".join(self._value).removesuffix(b"\r").removeprefix(b" "))
        elif nothing_but == b"" and self._data:
            payload = b"\n".join(self._data).decode("utf-8", errors="replace")
            self._data = []
        self._state, self._name, self._value = State.NAME, b"", []
        return payload
