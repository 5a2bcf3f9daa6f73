"""How the operating system cuts the bytes into reads changes nothing, and the frame log is what it says it is."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from screen_streams import stream

from grader.evidence.screen import Screen
from grader.evidence.screen.rows import Row
from grader.evidence.screen.style import Style

# What a random stream of the generator has not: strings of all kinds, broken UTF-8, sequences nobody knows.
_ODDITIES = [
    *(
        b"\x1b]52;c;?\x07",
        b"\x1b]8;;http://x\x1b\\",
        b"\x1b]0;\xe6\xb5\x81\xc2\x9c",
        b"\x1b]9;x\x1bM",
        b"\x1b]0;open",
    ),
    *(
        b"\x1bP$qm\x1b\\",
        b"\x1bPq\x07#0\x1b\\",
        b"\x1b_G\x1b\\",
        b"\x1b^x\x18",
        b"\x1bXx\x1a",
        b"\x1b[?5W",
        b"\x1b[1:2A",
    ),
    *(
        b"\xff",
        b"\xe6",
        b"\xb5\x81",
        b"\xf0\x9f\x99",
        b"\xc2\x9b1m",
        b"\xc2\x90x\xc2\x9c",
        b"\x1b(0q\x1b(B",
        b"\x1b(X",
    ),
    *(
        b"\x1b[\xe6\xb5\x81",
        b"\x1b[1;\x1b[2",
        b"\x1b",
        b"\x1b[",
        b"\x1b[38;5",
        b"\x1b[" + b"1;" * 200 + b"m",
        b"\x1b[6n",
    ),
    *(
        b"e\xcc\x81",
        b"\xcc\x81",
        b"\xef\xb8\x8f",
        b"\xe2\x80\x8b",
        b" \xcc\x81",
        b"\x1b[3b",
        b"\x1b[?7l",
        b"\x1b[?1049h",
    ),
]
_FRAMES = [
    *(
        b"\r",
        b"\r",
        b"\r\n",
        b"\x1b[A",
        b"\x1b[A",
        b"\b",
        b"\x1b[K",
        b"\x1b[J",
        b"a",
        b"ab",
        b"ab cd",
        b" ",
        b"    ",
    ),
    *(
        b"\x1b[1m",
        b"\x1b[3m",
        b"\x1b[m",
        b"\x1b[m",
        b"\xe6\xb5\x81",
        b"\xe6\xb5\x81\xe5\xbc\x8f",
        b"\x1b[P",
        b"\x1b[@",
    ),
    *(
        b"\x1b[4h",
        b"\x1b[4l",
        b"\x1b7",
        b"\x1b8",
        b"\x1b[2;1H",
        b"\x1b[H",
        b"\x1b[L",
        b"\x1b[M",
        b"\x1b[?2026h",
    ),
]

_bytes = st.one_of(
    st.integers(0, 10**6).map(lambda seed: stream(seed).data),
    st.lists(st.sampled_from(_FRAMES), max_size=40).map(b"".join),
    st.lists(
        st.one_of(st.sampled_from(_ODDITIES), st.sampled_from(_FRAMES), st.binary(max_size=4)), max_size=25
    ).map(b"".join),
)
_sizes = st.tuples(st.integers(2, 12), st.integers(1, 5))


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
