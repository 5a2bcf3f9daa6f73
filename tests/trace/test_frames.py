"""A terminal's recording frame by frame."""

from __future__ import annotations

import math
import re

import pytest
from tracing import Tracing, compare, printed

from grader.catalogue import LANGUAGES, Catalogue, Language
from grader.evidence.screen import Screen
from grader.evidence.terminal.launch import Size
from grader.trace.frames import FRAMES, Recording, frames
from grader.trace.frames_view import show_frames

STYLES_TOO_EARLY = (
    '            up = f"',
    '            if final is None and line.text.startswith("#"):\n                final = styled(line.text, BOLD)\n'
    '            up = f"',
)


def recording(*pieces: str, **turn: float) -> Recording:
    return Recording(Size(20, 6), [(float(at), piece.encode()) for at, piece in enumerate(pieces)], **turn)


EARLY = (
    "> hi\n\r",
    "\rab",
    "\r\x1b[1mab**",
    "\r\x1b[0mab** c\r\n",
    "\r你好 and a line that wraps\r\n",
    "\r\x1b[36mend",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_frames_with_their_styles_and_marks(language: Language) -> None:
    found = frames(recording(*EARLY))
    text = printed(lambda console: show_frames(console, Catalogue(language).say, found), 40)
    compare(f"frames.{language}.txt", text)


def test_as_many_frames_are_mis_styled_as_the_screen_says() -> None:
    screen = Screen(20, 6)
    screen.feed("".join(EARLY).encode())
    found = frames(recording(*EARLY))
    assert [frame.number for frame in found.shown] == list(range(1, screen.frames() + 1))
    assert sum(frame.mis_styled for frame in found.shown) == found.mis_styled == screen.frame_log().mis_styled == 1


def test_only_the_frames_of_the_turn() -> None:
    found = frames(recording(*EARLY, begin=1, end=4))
    assert [frame.number for frame in found.shown] == [2, 3, 4] and (found.first, found.last) == (2, 4)
    assert frames(recording()).shown == frames(recording(begin=9, end=math.inf)).shown == ()


def test_a_flood_is_looked_at_in_no_time() -> None:
    found = frames(recording("\rx\n" * 100_000))
    assert (len(found.shown), found.last) == (FRAMES, 100_000)


def test_of_many_frames_those_around_the_first_mis_styled_one(tracing: Tracing) -> None:
    many = [f"\rline {number}\r\n" for number in range(FRAMES)]
    found = frames(recording(*many, "\r\x1b[1mbad", "\r\x1b[0mbad\r\n", *many))
    text = printed(lambda console: show_frames(console, Catalogue("en").say, found))
    assert text.splitlines()[0] == "Left out: frames 1 to 55."
    assert "Left out: frames 116 to 122." in text and "  61✗ bad\n      ^^^\n" in text
    assert text.splitlines()[-1] == "Frames of this turn: 122. Mis-styled frames of the whole run: 1."


def test_a_window_that_changes_its_size() -> None:
    pieces: list[tuple[float, bytes | Size]] = [(0, b"\r0123456789"), (1, Size(12, 6)), (2, b"\r\n\rabc\r\n")]
    assert [frame.lines[-1].line.text for frame in frames(Recording(Size(20, 6), pieces)).shown] == [
        "0123456789",
        "abc",
    ]


def test_a_renderer_that_styles_too_early(tracing: Tracing) -> None:
    """A line that begins like a heading is bold until it turns out to be none."""
    tracing.hand_in(render=STYLES_TOO_EARLY)
    shown = tracing.probe("fenced-answer/every-construct")
    marked = r"\n +\d+✗ (# \w{3})\n      \^ \^{3}\n      bold\n      “\1” is bold here and ends coloured 6\.\n"
    assert re.search(marked, shown)
    assert "Left out: frames" in shown
    assert not [line for line in shown.splitlines() if len(line) > 80]


def test_terminals_of_every_setting_are_traced(tracing: Tracing) -> None:
    tracing.hand_in()
    for probe in ("tty-vs-pipe/small-terminal", "truncation/refusals", "fenced-answer/offline-blocks"):
        assert "Mis-styled frames of the whole run: 0." in tracing.probe(probe)
