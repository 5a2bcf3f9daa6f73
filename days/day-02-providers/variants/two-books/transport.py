"""Two ways in which a network hands over a stream; behind this file there is only one.

Most libraries give each piece once. Some, such as a browser's `XMLHttpRequest`, give no pieces: they notify, and what
can be looked at is everything received so far.
"""

from __future__ import annotations

# --- exercise 2: two transports ---
from collections.abc import Callable

from turn import Decoder


class ChunkTransport:
    """Is given every piece once, in order. `hand_on` gets the new text of each."""

    def __init__(self, decoder: Decoder, hand_on: Callable[[str], None]) -> None:
        self._decoder = decoder
        self._hand_on = hand_on
        self._ended = False

    def receive(self, chunk: bytes) -> None:
        if self._ended:
            return
        text = self._decoder.feed(chunk)
        if text:
            self._hand_on(text)

    def end(self) -> None:
        if self._ended:
            return
        self._ended = True
        text = self._decoder.close()
        if text:
            self._hand_on(text)


class GrowingTransport:
    """Is given everything received so far, whenever that may have grown."""

    def __init__(self, decoder: Decoder, hand_on: Callable[[str], None]) -> None:
        self._decoder = decoder
        self._hand_on = hand_on
        self._seen = 0
        self._ended = False

    def receive(self, so_far: bytes) -> None:
        if self._ended or len(so_far) <= self._seen:
            return
        text = self._decoder.feed(so_far[self._seen :])
        self._seen = len(so_far)
        if text:
            self._hand_on(text)

    def end(self) -> None:
        if self._ended:
            return
        self._ended = True
        text = self._decoder.close()
        if text:
            self._hand_on(text)


# --- end of exercise 2 ---
