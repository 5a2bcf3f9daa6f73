"""Bytes to text, as they come.

The network cuts where it likes, also inside a character, and a character takes up to four bytes.
"""

from __future__ import annotations


# --- exercise 1: half characters ---
class Utf8Decoder:
    """Decodes one stream of bytes. What cannot be decoded at its end waits for the next chunk."""

    def __init__(self) -> None:
        self._half = b""

    def feed(self, chunk: bytes) -> str:
        data = self._half + chunk
        for kept in range(3):
            try:
                text = data[: len(data) - kept].decode("utf-8")
            except UnicodeDecodeError:
                continue
            self._half = data[len(data) - kept :]
            return text
        self._half = b""
        return data.decode("utf-8", errors="replace")

    def close(self) -> str:
        return self._half.decode("utf-8", errors="replace")


# --- end of exercise 1 ---
