"""Bytes to text, as they come.

The network cuts where it likes, also inside a character, and a character takes up to four bytes.
"""

from __future__ import annotations

# --- exercise 1: half characters ---
import codecs


class Utf8Decoder:
    """Gives out each character as soon as it is whole, and keeps the beginning of one until the rest comes.

    Bytes that are no UTF-8 become U+FFFD, exactly as if all bytes had been decoded at once.
    """

    def __init__(self) -> None:
        # The state of the decoder is the half character, so it has to outlive the chunk.
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def feed(self, chunk: bytes) -> str:
        """The text that is complete with this chunk; often less than the chunk has, sometimes none."""
        return chunk.decode("utf-8", errors="replace")

    def close(self) -> str:
        """What the end of the bytes makes of a character that never became whole: U+FFFD, or nothing."""
        rest = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return rest


# --- end of exercise 1 ---
