"""Two ways in which a network hands over a stream; behind this file there is only one.

Most libraries give each piece once. Some, such as a browser's `XMLHttpRequest`, give no pieces: they notify, and what
can be looked at is everything received so far.
"""

from __future__ import annotations

# --- exercise 2: two transports ---
from collections.abc import Callable

from turn import Decoder


class ChunkTransport:
    """Is given every piece once, in order. `hand_on` gets the new text of each, never an empty one."""

    def __init__(self, decoder: Decoder, hand_on: Callable[[str], None]) -> None:
        self._decoder = decoder
        self._hand_on = hand_on
        self._ended = False

    def receive(self, chunk: bytes) -> None:
        if not self._ended:
            self._pass_on(self._decoder.feed(chunk))

    def end(self) -> None:
        """No more will come. A half character is handed on as what it is now; whatever is received later is not."""
        if not self._ended:
            self._ended = True
            self._pass_on(self._decoder.close())

    def _pass_on(self, text: str) -> None:
        if text:
            self._hand_on(text)


class GrowingTransport:
    """Is given everything received so far, whenever that may have grown.

    A notification can come twice, and one that was sent earlier can come later: it knows less, and is no news.
    """

    def __init__(self, decoder: Decoder, hand_on: Callable[[str], None]) -> None:
        self._chunks = ChunkTransport(decoder, hand_on)
        self._received = 0  # bytes; it never shrinks

    def receive(self, so_far: bytes) -> None:
        news = so_far[self._received :]
        self._received = len(so_far)
        self._chunks.receive(news)

    def end(self) -> None:
        self._chunks.end()


# --- end of exercise 2 ---
