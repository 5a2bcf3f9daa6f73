"""The smallest stream that still fails: pieces and cuts are taken away as long as it does (delta debugging)."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..checks.cut import CutStream

# How often it is tried whether something smaller still fails. A stream of two events takes some hundreds.
BUDGET = 3000

# Up to so many neighbouring words are taken away together, at every place: a member of a JSON object is as long.
WINDOW = 8

_EVENT = re.compile(rb".*?(?:\r\n\r\n|\n\n|\r\r|\Z)", re.DOTALL)
# Whole in each of these: CRLF, since half of it would be a line end that no gateway sends, and a field's name with its
# colon and the blank behind it, so that one trap does not become another.
_WORD = re.compile(r"data: ?|\w+|\r\n|.", re.DOTALL)
_CHARACTER = re.compile(r"data: ?|\r\n|.", re.DOTALL)


def events(stream: bytes) -> list[bytes]:
    """The stream behind each blank line, in pieces that join to the same."""
    return [piece for piece in _EVENT.findall(stream) if piece]


def lines(stream: bytes) -> list[bytes]:
    return stream.splitlines(keepends=True)


def words(stream: bytes) -> list[bytes]:
    return _found(_WORD, stream)


def characters(stream: bytes) -> list[bytes]:
    return _found(_CHARACTER, stream)


def _found(pattern: re.Pattern[str], stream: bytes) -> list[bytes]:
    text = stream.decode("utf-8", "surrogateescape")
    return [piece.encode("utf-8", "surrogateescape") for piece in pattern.findall(text)]


def shrink(cut: CutStream, fails: Callable[[CutStream], bool], budget: int = BUDGET) -> CutStream:
    """What is left of a failing stream when no event, line, word, character or cut can be taken away any more.

    Always the same for the same `fails`, which is not asked twice about one stream. When the budget is used up, what
    is smallest so far.
    """
    return _Shrinker(fails, budget).smallest(cut)


class _Shrinker:
    def __init__(self, fails: Callable[[CutStream], bool], budget: int) -> None:
        self._fails = fails
        self._budget = budget
        self._known: dict[CutStream, bool] = {}

    def smallest(self, cut: CutStream) -> CutStream:
        before = None
        while before != cut:
            before = cut
            cut = self._without_cuts(cut)
            for split in (events, lines, words, characters):
                cut = self._without_pieces(cut, split(cut.stream), WINDOW if split is words else 1)
        return cut

    def _still_fails(self, cut: CutStream) -> bool:
        if cut not in self._known:
            if self._budget == 0:
                return False
            self._budget -= 1
            self._known[cut] = self._fails(cut)
        return self._known[cut]

    def _without_pieces(self, cut: CutStream, pieces: list[bytes], window: int) -> CutStream:
        """Take away halves, quarters and so on; from `window` pieces down to one, at every place."""
        for size in _sizes(len(pieces), window):
            index = place = 0  # in pieces and in bytes
            while index < len(pieces):
                length = len(b"".join(pieces[index : index + size]))
                smaller = cut.without(place, place + length)
                if self._still_fails(smaller):
                    cut = smaller
                    del pieces[index : index + size]
                else:
                    advance = pieces[index : index + (1 if size <= window else size)]
                    index += len(advance)
                    place += len(b"".join(advance))
        return cut

    def _without_cuts(self, cut: CutStream) -> CutStream:
        places = list(cut.cuts)
        for size in _sizes(len(places), 1):
            index = 0
            while index < len(places):
                fewer = places[:index] + places[index + size :]
                if self._still_fails(cut.cut_anew(fewer)):
                    places = fewer
                else:
                    index += size
        return cut.cut_anew(places)


def _sizes(count: int, window: int) -> list[int]:
    """From all down to one: halved while above the window, then each."""
    sizes = []
    while count > window:
        sizes.append(count)
        count = (count + 1) // 2
    return [*sizes, *range(min(count, window), 0, -1)]
