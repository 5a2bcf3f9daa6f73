"""Bytes to text, as they come.

The network cuts where it likes, also inside a character, and a character takes up to four bytes.
"""

from __future__ import annotations

# --- exercise 1: half characters ---


class Utf8Decoder:
    """Gives out each character as soon as it is whole, and keeps the beginning of one until the rest comes."""

    def __init__(self) -> None:
        self._half = b""

    def feed(self, chunk: bytes) -> str:
        data = self._half + chunk
        whole = len(data) - half_character(data)
        self._half = data[whole:]
        return data[:whole].decode("utf-8", errors="replace")

    def close(self) -> str:
        rest = self._half.decode("utf-8", errors="replace")
        self._half = b""
        return rest


def half_character(data: bytes) -> int:
    """How many bytes at the end are the beginning of a character that is longer."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte < 0x80:
            return 0
        if byte >= 0xC0:  # its high bits say how long the character is
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if length > back else 0
    return 0


# --- end of exercise 1 ---
