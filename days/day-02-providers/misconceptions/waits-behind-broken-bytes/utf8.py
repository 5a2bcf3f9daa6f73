"""Bytes to text, as they come.

The network cuts where it likes, also inside a character, and a character takes up to four bytes.
"""

from __future__ import annotations


# --- exercise 1: half characters ---
class Utf8Decoder:
    """Decodes one stream of bytes."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, chunk: bytes) -> str:
        """The text of this chunk, once all of it can be decoded."""
        self._held += chunk
        for length in range(len(self._held), max(len(self._held) - 4, -1), -1):
            try:
                text = self._held[:length].decode("utf-8")
            except UnicodeDecodeError:
                continue
            self._held = self._held[length:]
            return text
        return ""

    def close(self) -> str:
        """What is left."""
        rest, self._held = self._held, b""
        return rest.decode("utf-8", errors="replace")


# --- end of exercise 1 ---
