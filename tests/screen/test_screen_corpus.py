"""The emulator shows what @xterm/headless 6.0.0 showed for the same bytes, cell by cell."""

from __future__ import annotations

import pytest
from screen_corpus import Recorded, counts, difference, load
from screen_streams import stream

DIFFERENCES = {
    "scroll up (CSI S)": "xterm keeps the rows in its scrollback, the recorded terminal drops them: "
    "such streams are compared on the screen alone",
    "half a wide character": "the recorded terminal leaves a second half that has lost its first; "
    "here it is a blank, and its style is not compared. Printed up to, it takes the pen's style there",
    # The generator keeps clear of the rest. A stream on which the recorded terminal threw (it loses the row into
    # which a line wraps, one stream in 300) shows nothing to compare and is left out.
    "restore after scrolling": "xterm restores a row of the screen, the recorded terminal a row of the text",
    "save behind a full row": "xterm saves that the next character wraps, the recorded terminal does not",
    "restored character sets": "xterm restores all four and the shift, the recorded terminal the current one",
    "restored underline": "the recorded terminal keeps the kind of underline that it had before",
    "scroll down (CSI T)": "xterm gives the new rows the pen's background, the recorded terminal does not",
    "relative moves with the origin in the region": "the recorded terminal adds the top of the region again",
    "alignment test": "xterm shows plain letters and resets the margins",
    "alternate screen by ?47 and ?1047": "xterm clears it when ?1047 is switched off and when ?1049 is switched on, "
    "the recorded terminal whenever it is left, and not by a second ?1049 on it",
    "new-line mode and a hard reset": "xterm switches it off, the recorded terminal leaves it on",
    "hyperlinks (OSC 8)": "xterm shows them as other text, the recorded terminal underlines them",
    "characters newer than Unicode 11": "the widths here are those of the installed wcwidth, also of flags "
    "(wide since Unicode 16), spacing marks (U+0903) and format characters (U+0600)",
    "back tab behind a full row": "the recorded terminal ignores it",
    "margins and tab stops": "xterm has one set, the recorded terminal one for each of the two screens",
    "a wide character without autowrap": "the recorded terminal leaves halves of it in the last column, "
    "also of one that stood there before",
    "a combining character without autowrap": "the recorded terminal prints it in a cell of its own",
    "a combining character behind a sequence": "the recorded terminal prints it in a cell of its own",
    "a wide character at the end of a one-row alternate screen": "the recorded terminal styles the wrong row",
    "line drawing": "the recorded terminal leaves the underscore, which is a blank",
    "C1 controls": "the recorded terminal knows only a few, not U+008D for one",
    "38:2:r:g:b": "the recorded terminal takes the first number for a colour space in any case",
}

DIFFERENT = {3061: "half a wide character"}
"""The streams that show one of these all the same, by their seeds."""

RARE = 250
"""So many streams at least have each kind of thing in them."""


@pytest.fixture(scope="module")
def recorded() -> list[Recorded]:
    return load()


def test_every_recorded_stream_shows_the_same(recorded: list[Recorded]) -> None:
    assert len(recorded) > 3900
    different = {one.seed: found for one in recorded if (found := difference(one))}
    unexplained = [found for seed, found in different.items() if seed not in DIFFERENT]
    assert not unexplained, f"{len(unexplained)} of {len(recorded)} differ; the first: {unexplained[0]}"
    assert different.keys() == DIFFERENT.keys()
    assert set(DIFFERENT.values()) <= DIFFERENCES.keys()


def test_no_kind_is_rare(recorded: list[Recorded]) -> None:
    assert {kind: count for kind, count in counts(recorded).items() if count < RARE} == {}


def test_the_streams_are_those_of_the_generator(recorded: list[Recorded]) -> None:
    made = [(one.seed, stream(one.seed)) for one in recorded]
    assert [seed for (seed, now), one in zip(made, recorded, strict=True) if now.data != one.stream] == []
