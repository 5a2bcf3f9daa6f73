"""What may be shown of an answer that is still coming: whole sentences, or nothing until the end.

The answer streams on underneath. This file holds text back; it never stops, drops or changes any.
"""

from __future__ import annotations

# --- exercise 4: whole sentences ---
import re
from typing import Literal

from turn import ABBREVIATIONS

Mode = Literal["sentences", "whole"]

CLOSERS = "”’」』）】》\"')]*_`"

# Chinese marks end a sentence wherever they stand. The others do so only in front of white space, so that 3.14,
# v1.2.3 and sse.py stay whole. Either kind takes along the quotes and brackets that close behind it, which is why
# the next character has to be here first. The end of a line is the end of a heading or a list item, too.
END = re.compile(
    r"""
    \n
    | [。！？][。！？.!?…]*[”’」』）】》"')\]]*(?=[^。！？.!?…”’」』）】》"')\]])
    | [.!?…]+[”’」』）】》"')\]*_`]*(?=\s)
    """,
    re.VERBOSE,
)
LAST_WORD_BEGINS = re.compile(r"[^\w.]")


class Policy:
    """Stands between one answer's deltas and the screen."""

    def __init__(self, mode: Mode = "sentences") -> None:
        self._mode = mode
        self._held = ""

    def feed(self, delta: str) -> str:
        """What may be shown now and was not before: up to the last sentence end so far."""
        self._held += delta
        return self._let_out(self._last_end()) if self._mode == "sentences" else ""

    def end(self) -> str:
        """The answer is over: all that is left, whole sentence or not."""
        return self._let_out(len(self._held)) if self._mode == "sentences" else ""

    def _last_end(self) -> int:
        ends = 0
        for match in END.finditer(self._held):
            if not is_no_end(self._held[ends : match.start()], match[0]):
                ends = match.end()
        return ends

    def _let_out(self, length: int) -> str:
        piece, self._held = self._held[:length], self._held[length:]
        return piece


def is_no_end(sentence: str, mark: str) -> bool:
    """Whether the full stop behind this belongs to an abbreviation, an initial, or the number of a list item."""
    if mark.rstrip(CLOSERS) != ".":
        return False
    word = LAST_WORD_BEGINS.split(sentence)[-1].lower()
    letters = word.rpartition(".")[2]  # of e.g, U.S and p.m only the last
    return word in ABBREVIATIONS or (len(letters) == 1 and letters.isalpha()) or sentence.strip().isdecimal()


# --- end of exercise 4 ---
