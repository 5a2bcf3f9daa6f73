"""Frames and mis-styled frames, for every way that a renderer may paint a line again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.evidence.screen import PLAIN, Screen, Style

ENGLISH = """It keeps a **small** buffer, and cuts at blank lines:
```python3
data += chunk
while SEP in buf:
  event, buf = buf.split(SEP, 1)
```
An `event` leaves at once, the rest waits."""
CHINESE = """解析器只做**一件**小事：字节先攒着，遇到空行就切一刀：
```python3
data += chunk
while SEP in buf:
  event, buf = buf.split(SEP, 1)
```
没切完的留在 `buf` 里，等下一块到了再切，网络在哪里断开都不要紧，切出来的事件总是一样多，顺序也一样，一个字不多，一个字不少。"""  # noqa: E501
BOLD = "\x1b[1m"
RESET = "\x1b[0m"


def deltas(text: str) -> list[str]:
    return [text[start : start + 4] for start in range(0, len(text), 4)]


def rows_of(line: str, columns: int) -> int:
    """Rows that a line takes, wrapped as a terminal does it."""
    rows, column = 1, 0
    for character in line:
        width = 2 if character > "\u2e80" else 1
        if column + width > columns:
            rows, column = rows + 1, 0
        column += width
    return rows


Paint = Callable[[str, str, int], str]
"""From the old state of a line, its new text and the width, the bytes that show it."""


def repaint(back: str, *, up: str = "\x1b[{}A", before: str = "", after: str = "") -> Paint:
    def paint(old: str, new: str, columns: int) -> str:
        rows = rows_of(old, columns) - 1
        return before + (up.format(rows) if rows else "") + back + new + after

    return paint


def next_line_and_back(old: str, new: str, columns: int) -> str:
    return f"\n\x1b[{rows_of(old, columns)}F{new}"


def backspaces(old: str, new: str, columns: int) -> str:
    rows = rows_of(old, columns) - 1
    return (f"\x1b[{rows}A" if rows else "") + "\b" * columns + new


def blanks_first(old: str, new: str, columns: int) -> str:
    rows = rows_of(old, columns) - 1
    home = (f"\x1b[{rows}A" if rows else "") + "\r"
    blank = " " * sum(2 if c > "\u2e80" else 1 for c in old)
    return home + (blank + home if old else "") + new


def no_return_in_the_first_column(old: str, new: str, columns: int) -> str:
    return repaint("\r")(old, new, columns) if old else new


def cursor_parked_at_the_start(old: str, new: str, columns: int) -> str:
    rows = rows_of(new, columns) - 1
    return new + (f"\x1b[{rows}A" if rows else "") + "\r"


REPAINTS: dict[str, Paint] = {
    "up, CR": repaint("\r"),
    "CR, EL": repaint("\r\x1b[K"),
    "CR, ED": repaint("\r\x1b[J"),
    "2K, CR": repaint("\x1b[2K\r"),
    "CR, 2K, CR": repaint("\r\x1b[2K\r"),
    "CHA": repaint("\x1b[G"),
    "CHA, EL": repaint("\x1b[1G\x1b[K"),
    "HPA": repaint("\x1b[`"),
    "CPL": next_line_and_back,
    "CPL, CR": repaint("\r", up="\x1b[{}F"),
    "CUB 999": repaint("\x1b[999D"),
    "backspaces": backspaces,
    "blanks, then text": blanks_first,
    "synchronized": repaint("\r", before="\x1b[?2026h", after="\x1b[?2026l"),
    "cursor hidden": repaint("\r", before="\x1b[?25l", after="\x1b[?25h"),
    "styles inside": repaint(f"\r{BOLD}", after=RESET),
    "erase behind": repaint("\r", after="\x1b[K"),
    "no CR in column 0": no_return_in_the_first_column,
    "cursor parked": cursor_parked_at_the_start,
}


def render_by_delta(text: str, columns: int, paint: Paint) -> str:
    """Paints the unfinished line at each delta and each line once more when it is complete."""
    output, old, parked = "", "", paint is cursor_parked_at_the_start
    for delta in deltas(text):
        *complete, tail = (old + delta).split("\n")
        for line in complete:
            output += paint(old, line, columns) + "\n" * (rows_of(line, columns) if parked else 1) + "\r"
            old = ""
        if tail:
            output += paint(old, tail, columns)
        old = tail
    return output + paint(old, old, columns) + "\n" * (rows_of(old, columns) if parked else 1) + "\r"


def shown(output: str, columns: int = 80, rows: int = 24) -> Screen:
    screen = Screen(columns, rows)
    screen.feed(output.encode())
    assert screen.unmodelled == []
    return screen


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("technique", REPAINTS)
def test_a_repaint_per_delta_is_a_frame_however_the_cursor_goes_back(technique: str, text: str, columns: int) -> None:
    screen = shown(render_by_delta(text, columns, REPAINTS[technique]), columns)
    assert screen.text() == text
    assert len(deltas(text)) == 44
    assert screen.frames() == screen.frame_log().count == 44 + 7


@pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_appending_and_one_repaint_per_line_is_two_frames_a_line(text: str) -> None:
    output, line = "", ""
    for character in text + "\n":
        if character == "\n":
            output += repaint("\r")(line, BOLD + line + RESET, 40) + "\r\n"
            line = ""
        else:
            output += character
            line += character
    assert shown(output, 40).frames() == 14
    assert shown(output, 40).frame_log().mis_styled == 0


def test_going_back_without_printing_from_the_start_is_no_frame() -> None:
    output, line = "", ""
    for delta in deltas(ENGLISH):
        *complete, tail = delta.split("\n")
        for rest in complete:
            output, line = output + f"\r\x1b[{len(line)}C" * bool(line) + rest + "\r\n", ""
        output, line = output + f"\r\x1b[{len(line)}C" * bool(line) + tail, line + tail
    assert shown(output).text() == ENGLISH
    assert shown(output).frames() == 7


def test_segments_of_a_delta_with_a_newline_count_by_themselves() -> None:
    output, old, segments = "", "", 0
    for delta in deltas(ENGLISH):
        *complete, tail = delta.split("\n")
        for segment in complete:
            if segment:
                output, old, segments = output + f"\r{old}{segment}", old + segment, segments + 1
            output, old = output + f"\r{old}\r\n", ""
        old += tail
        output += f"\r{old}" if tail else ""
    assert shown(output + f"\r{old}\r\n").frames() == 51 + segments


def test_a_line_taller_than_the_screen_has_no_frames_once_its_first_row_is_gone() -> None:
    output, line = "", ""
    for _ in range(40):
        rows = min(rows_of(line, 10) - 1, 3)
        line += "abcd"
        output += (f"\x1b[{rows}A" if rows else "") + "\r" + line
    screen = shown(output, 10, 4)
    assert screen.frames() < 40
    assert screen.text() != line  # and everybody can see that it went wrong


@pytest.mark.parametrize(
    ("output", "frames"),
    [
        ("", 0),
        ("one", 1),
        ("one\x1b[1mtwo\x1b[?2026h three\x1b[K", 1),
        ("one\rone", 2),
        ("\r\r\rone", 1),
        ("one\r\n\r\ntwo", 2),
        ("   ", 1),
        ("one\r   ", 1),
        ("one\r    \rtwo", 2),
        ("one\r   two", 2),
        ("one\b\b\btwo", 2),
        ("one\x1b[2Dtwo", 1),
        ("one\x1b[1;1Htwo", 2),
        ("one\x1b7\x1b8two", 1),
        ("0123456789abc\rd", 1),
        ("0123456789abc\x1b[A\rd", 2),
        ("0123456789\r\nabc", 2),
        ("0123456789abc\x1b[1;1H\x1b[K\x1b[2;1Hd", 2),
        ("one\x1b[?1049htwo\x1b[?1049l", 1),
        ("one\x1b[3b", 1),
        ("\u0301one", 1),
        ("one\r \u0301", 2),
    ],
)
def test_what_is_a_frame(output: str, frames: int) -> None:
    assert shown(output, 10).frames() == frames


def test_a_line_whose_beginning_is_gone_is_still_that_line() -> None:
    assert shown("0123456789abc\x1b[3J\rd", 10, 1).frames() == 1


def test_a_mark_on_a_blank_makes_it_no_erase_also_when_it_comes_later() -> None:
    screen = Screen(10, 3)
    for part, frames in ((b"one\r", 1), (b" ", 1), (b"\xcc\x81", 2)):
        screen.feed(part)
        assert screen.frames() == frames


def test_asking_for_frames_does_not_end_the_run() -> None:
    screen = Screen(10, 3)
    for part, frames in ((b"one", 1), (b"two", 1), (b"\r", 1), (b"    ", 1), (b"x", 2), (b"\r", 2)):
        screen.feed(part)
        assert screen.frames() == frames


@pytest.mark.parametrize(
    ("output", "mis_styled"),
    [
        ("plain\rplain", 0),
        (f"word\r{BOLD}word{RESET}", 0),  # plain to styled is free
        (f"{BOLD}word\r{RESET}word", 1),
        (f"{BOLD}word\r{BOLD}word\r{RESET}word", 2),
        (f"{BOLD}word\r{BOLD}word\r{RESET}word\r{BOLD}word", 0),  # it stands at last as it stood at first
        (f"{BOLD}word\r\x1b[3mword", 1),
        (f"{BOLD}word\r\x1b[K", 0),  # what is not there at last has no final style
        (f"{BOLD}word\r{RESET}text", 0),
        (f"{BOLD}word{RESET}\r\nnext\r\n\x1b[2Aword", 2),
        (f"{BOLD}word{RESET}" + "\r\n" * 5 + "word", 0),
        (f"{BOLD}a{RESET}b\rab\rab", 1),
        (f"{BOLD}abc\r{BOLD}ab\r{RESET}abc", 2),  # each frame once, however many characters
        (f"{BOLD}流式\r{RESET}流式", 1),
        (f"{BOLD}0123456789abc\x1b[A\r{RESET}0123456789abc", 1),
        (f"one\r\ntwo\r\n{BOLD}thr\r\n\x1b[A{RESET}thr", 1),  # the row scrolls and is the same row
        (f"{BOLD}w{RESET}\rw", 1),
        (f"{BOLD}  {RESET}\r  ", 0),  # blanks are no visible characters
        (f"{BOLD}word\x1b[1G\x1b[0K{RESET}word", 1),
    ],
)
def test_what_is_mis_styled(output: str, mis_styled: int) -> None:
    assert shown(output, 10, 3).frame_log().mis_styled == mis_styled


def test_the_first_mis_styled_frame_is_explained() -> None:
    log = shown(f"fine\r\nsome {BOLD}**wor{RESET}\rsome **word ").frame_log()
    assert (log.count, log.mis_styled) == (3, 1)
    assert log.first is not None
    assert (log.first.frame, log.first.row, log.first.column, log.first.character) == (2, 1, 5, "*")
    assert (log.first.line, log.first.style_then, log.first.style_finally) == (
        "some **word",
        Style(bold=True),
        PLAIN,
    )
    assert "after frame 2" in str(log.first)


def test_rows_that_leave_the_scrollback_are_judged_as_they_are() -> None:
    lines = [f"{BOLD}word\r{RESET}word\r\n"] + ["line\r\n"] * 12_000
    log = shown("".join(lines)).frame_log()
    assert log.mis_styled == 1
    assert log.first is not None
    assert log.first.line == "word"
