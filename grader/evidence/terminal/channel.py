"""Descriptors that a program writes to: read until they end, as bytes or as JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from pexpect import EOF
from pexpect.fdpexpect import fdspawn

from ..reactor import Reactor

# A line that is longer is no report of ours.
LINE_LIMIT = 8 << 20


class Channel:
    """The reading end of a pipe or a pseudo-terminal. Hands on what it reads; `open` until the writers are gone."""

    def __init__(
        self,
        reactor: Reactor,
        descriptor: int,
        take: Callable[[bytes], None],
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._reactor = reactor
        self._take = take
        self._ended = ended
        # pexpect knows the ways in which systems say that a terminal's other side is gone.
        self._stream = fdspawn(descriptor)
        self.open = True
        reactor.on_readable(descriptor, self._read)

    def _read(self) -> None:
        try:
            data = self._stream.read_nonblocking(65_536, timeout=0)
        except EOF:
            self.close()
        else:
            self._take(data)

    def close(self) -> None:
        if self.open:
            self.open = False
            self._reactor.forget(self._stream.child_fd)
            os.close(self._stream.child_fd)
            self._ended()


class JsonLines:
    """Cuts bytes into JSON objects, one a line. What is none is dropped: anyone may write here."""

    def __init__(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take = take
        self._rest = b""

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LINE_LIMIT:
            self._rest = b""
        for line in lines:
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict):
                self._take(value)
