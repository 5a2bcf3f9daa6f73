"""How the bytes are cut into reads changes nothing, and the frame log is what it says it is."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from screen_streams import stream

from grader.evidence.screen import Screen
from grader.evidence.screen.rows import Row
from grader.evidence.screen.style import Style

# What the generated streams have not: strings of all kinds, broken UTF-8, sequences nobody knows.
_ODDITIES = (
    b"\x1b]52;c;?\x07|\x1b]8;;http://x\x1b\\|\x1b]0;\xe6\xb5\x81\xc2\x9c|\x1b]9;x\x1bM|\x1b]0;open|\x1bP$qm\x1b\\"
    b"|\x1bPq\x07#0\x1b\\|\x1b_G\x1b\\|\x1b^x\x18|\x1bXx\x1a|\x1b[?5W|\x1b[1:2A|\xff|\xe6|\xb5\x81|\xf0\x9f\x99"
    b"|\xc2\x9b1m|\xc2\x90x\xc2\x9c|\x1b(0q\x1b(B|\x1b(X|\x1b[\xe6\xb5\x81|\x1b[1;\x1b[2|\x1b|\x1b[|\x1b[38;5|\x1b[6n"
    b"|e\xcc\x81|\xcc\x81|\xef\xb8\x8f|\xe2\x80\x8b| \xcc\x81|\x1b[3b|\x1b[?7l|\x1b[?1049h"
).split(b"|")
_ODDITIES.append(b"\x1b[" + b"1;" * 200 + b"m")
_FRAMES = (
    b"\r|\r|\r\n|\x1b[A|\x1b[A|\b|\x1b[K|\x1b[J|a|ab|ab cd| |    |\x1b[1m|\x1b[3m|\x1b[m|\x1b[m|\xe6\xb5\x81"
    b"|\xe6\xb5\x81\xe5\xbc\x8f|\x1b[P|\x1b[@|\x1b[4h|\x1b[4l|\x1b7|\x1b8|\x1b[2;1H|\x1b[H|\x1b[L|\x1b[M|\x1b[?2026h"
).split(b"|")

_bytes = st.one_of(
    st.integers(0, 10**6).map(lambda seed: stream(seed).data),
    st.lists(st.sampled_from(_FRAMES), max_size=40).map(b"".join),
    st.lists(st.one_of(st.sampled_from(_ODDITIES), st.sampled_from(_FRAMES), st.binary(max_size=4)), max_size=25).map(
        b"".join
    ),
)
_sizes = st.tuples(st.integers(2, 12), st.integers(1, 5))


@settings(deadline=None)
@given(_bytes, _sizes, st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_every_cutting_shows_the_same(data: bytes, size: tuple[int, int], lengths: list[int]) -> None:
    whole, bytewise, cut = Screen(*size), Screen(*size), Screen(*size)
    whole.feed(data)
    for position in range(len(data)):
        bytewise.feed(data[position : position + 1])
    position = turn = 0
    while position < len(data):
        length = lengths[turn % len(lengths)]
        cut.feed(data[position : position + length])
        cut.frames(), cut.frame_log(), cut.text()  # looking changes nothing
        position, turn = position + length, turn + 1
    assert _everything(bytewise) == _everything(whole)
    assert _everything(cut) == _everything(whole)


def _everything(screen: Screen) -> list[Any]:
    looks = [
        screen.lines(),
        screen.text(),
        screen.cursor,
        screen.style,
        screen.modes,
        screen.title,
        screen.mark(),
    ]
    notes = [screen.unmodelled, screen.queries, screen.osc, screen.warnings, screen.cursor_visible]
    cells = [(row.chars, row.styles) for _, row in screen._grid.buffer.numbered()]
    return [*looks, *notes, cells, screen.frames(), screen.frame_log()]


@settings(deadline=None)
@given(_bytes, _sizes)
def test_the_frame_log_agrees_with_a_film_of_the_screen(data: bytes, size: tuple[int, int]) -> None:
    screen = Screen(*size)
    text, film = data.decode(errors="replace"), []
    for character in text:
        before = _styled_cells(screen)
        frames = screen._grid.frames.ended
        screen.feed(character.encode())
        film += [before] * (screen._grid.frames.ended - frames)
    final = {
        (row, column): (row.chars[column], row.styles[column])
        for buffer in {screen._grid.main, screen._grid.buffer}
        for _, row in buffer.numbered()
        for column in range(len(row.chars))
    }
    mis_styled = [
        number
        for number, picture in enumerate(film, 1)
        if any(
            place in final and final[place][0] == char and final[place][1] != style
            for place, (char, style) in picture.items()
        )
    ]
    log = screen.frame_log()
    assert log.count == len(film) + (screen.frames() - screen._grid.frames.ended)
    assert log.mis_styled == len(mis_styled)
    assert (log.first.frame if log.first else None) == (mis_styled[0] if mis_styled else None)


def _styled_cells(screen: Screen) -> dict[tuple[Row, int], tuple[str, Style]]:
    return {
        (row, column): (char, style)
        for buffer in {screen._grid.main, screen._grid.buffer}
        for _, row in buffer.numbered()
        for column, (char, style) in enumerate(zip(row.chars, row.styles, strict=True))
        if char.strip() and not style.plain
    }
