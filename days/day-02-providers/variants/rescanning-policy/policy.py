"""What may be shown of an answer that is still coming: whole sentences, or nothing until the end.

The answer streams on underneath. This file holds text back; it never stops, drops or changes any.
"""

from __future__ import annotations

# --- exercise 4: whole sentences ---
import re
from typing import Literal

from turn import ABBREVIATIONS

Mode = Literal["sentences", "whole"]

# Where a sentence may end; the character behind it has to be here already.
END = re.compile(
    r"""(?P<line>\n)"""
    r"""|[。！？][。！？.!?…]*[”’」』）】》"')\]]*(?=[^。！？.!?…”’」』）】》"')\]])"""
    r"""|(?P<mark>[.!?…]+)[”’」』）】》"')\]*_`]*(?=\s)"""
)


class Policy:
    """Stands between one answer's deltas and the screen."""

    def __init__(self, mode: Mode = "sentences") -> None:
        self._mode = mode
        self._text = ""
        self._shown = 0

    def feed(self, delta: str) -> str:
        self._text += delta
        if self._mode == "whole":
            return ""
        # Looks at the whole answer again for each delta.
        end = 0
        for match in END.finditer(self._text):
            if match["mark"] != "." or self._ends_here(self._text[end : match.start()]):
                end = match.end()
        piece = self._text[self._shown : end]
        self._shown = end
        return piece

    def end(self) -> str:
        piece = self._text[self._shown :]
        self._shown = len(self._text)
        return piece

    def _ends_here(self, sentence: str) -> bool:
        if sentence.strip().isdecimal():
            return False  # the number of a list item
        word = re.split(r"[^\w.]", sentence)[-1].lower()
        if word in ABBREVIATIONS:
            return False
        last = word.split(".")[-1]
        return not (len(last) == 1 and last.isalpha())


# --- end of exercise 4 ---
