"""What single sequences do, and the traps of terminals that renderers fall into."""

from __future__ import annotations

import pytest

from grader.evidence.screen import PLAIN, Mark, Screen, Style
from grader.evidence.screen.width import _NARROW_BLOCKS, _WIDE_BLOCKS, WIDTHS


def screen(output: str | bytes, columns: int = 20, rows: int = 6) -> Screen:
    made = Screen(columns, rows)
    made.feed(output.encode() if isinstance(output, str) else output)
    return made


class TestTraps:
    def test_clearing_a_row_does_not_clear_a_wrapped_line(self) -> None:
        text = "abcdefghijklmnopqrstuvwxy"
        assert screen(f"{text}\r\x1b[K{text}").text() == text[:20] + text

    def test_wide_characters_never_straddle_the_edge(self) -> None:
        text = "流" * 30 + "`x`"
        (line,) = screen(text, 21).lines()
        assert (line.text, line.rows) == (text, 4)

    def test_erasing_behind_a_full_row_erases_nothing_but_is_warned_of(self) -> None:
        full = screen("0123456789\x1b[K", 10)
        assert full.text() == "0123456789"
        assert full.warnings == ["CSI K behind a full row"]
        assert full.unmodelled == []

    def test_the_cursor_does_not_go_up_into_the_scrollback(self) -> None:
        tall = screen("0123456789" * 4 + "\x1b[9A\rX", 10, 2)
        assert tall.text() == "0123456789" * 2 + "X123456789" + "0123456789"
        assert tall.cursor == (0, 1)

    def test_erasing_the_screen_from_its_first_cell_keeps_nothing_of_it(self) -> None:
        assert screen("one\r\ntwo\x1b[H\x1b[Jthree").text() == "three"

    def test_a_saved_cursor_is_a_place_on_the_screen_not_in_the_text(self) -> None:
        assert screen("a\r\n\x1b7b\r\nc\r\nd\x1b8X", rows=3).text() == "a\nb\nX\nd"

    def test_a_tab_at_the_edge_does_not_wrap(self) -> None:
        assert screen("\t\t\t\tX").text() == " " * 19 + "X"
        assert screen("0\t8\t6").text() == "0       8       6"

    @pytest.mark.parametrize("text", ["a☺\ufe0fb", "👩\u200d🚀!", "e\u0301e", "🇩🇪x", "👍🏽x", "a\u200bb", "a\u0085b"])
    def test_invisible_characters_make_no_text_vanish(self, text: str) -> None:
        assert screen(text).text().replace("\n", "").replace(" ", "") == text.replace("\u0085", "")


class TestText:
    def test_reading_from_a_mark(self) -> None:
        made = screen("> ", 10, 3)
        mark = made.mark()
        made.feed(b"one two three\r\nfour\r\nfive\r\n\r\nsix  ")
        assert mark == Mark(0, 2)
        assert made.text(mark) == "one two three\nfour\nfive\n\nsix"
        assert made.text() == "> one two three\nfour\nfive\n\nsix"
        assert [line.text for line in made.lines(mark)] == ["one two three", "four", "five", "", "six  "]
        assert [line.rows for line in made.lines(mark)] == [2, 1, 1, 1, 1]
        assert [line.row for line in made.lines(mark)] == [0, 2, 3, 4, 5]

    def test_a_mark_on_a_full_or_wrapped_row(self) -> None:
        for start in ("0123456789", "0123456789ab"):
            made = screen(start, 10)
            mark = made.mark()
            made.feed(b"xyz")
            assert made.text(mark) == "xyz"

    def test_lines_reach_down_to_the_cursor(self) -> None:
        assert [line.text for line in screen("a\r\n\r\n").lines()] == ["a", "", ""]
        assert [line.text for line in screen("a\x1b[3;1Hb\x1b[H").lines()] == ["a", "", "b"]

    def test_styles_go_with_the_characters(self) -> None:
        (line,) = screen("a\x1b[1m流\x1b[0;31me\u0301\x1b[m.", 3).lines()
        assert line.text == "a流e\u0301."
        assert line.styles == (PLAIN, Style(bold=True), Style(fg=1), Style(fg=1), PLAIN)

    def test_a_line_feed_ends_a_line_also_when_the_row_is_full(self) -> None:
        assert screen("0123456789\r\nab", 10).text() == "0123456789\nab"

    def test_moving_down_over_a_wrapped_row_does_not_split_the_line(self) -> None:
        assert screen("0123456789ab\x1b[A\r\n\r\ncd", 10).text() == "0123456789ab\ncd"

    def test_erasing_the_end_of_a_row_ends_its_wrapping(self) -> None:
        assert screen("0123456789ab\x1b[A\x1b[5G\x1b[K", 10).text() == "0123\nab"

    def test_blanks_that_were_printed_are_text_and_room_for_a_wide_character_is_not(self) -> None:
        assert screen("\x1b[42m\x1b[2K" + " " * 10 + "x", 10).text() == " " * 10 + "x"
        assert screen("\x1b[42m\x1b[2K123456789流", 10).text() == "123456789流"

    def test_the_scrollback_has_a_limit(self) -> None:
        made = screen("x" * 30 + "".join(f"{n}\r\n" for n in range(11_000)), 10, 4)
        assert 9_000 <= len(made.lines()) <= 10_004
        assert made.text().endswith("10998\n10999")
        assert made.text(Mark(0, 0)) == made.text()
        assert made.lines()[0].row > 900

    def test_the_alternate_screen_hides_the_text(self) -> None:
        made = screen("one\x1b[?1049h\x1b[Htwo")
        assert (made.text(), made.modes) == ("two", {"alternate"})
        made.feed(b"\x1b[?1049l!")
        assert (made.text(), made.modes) == ("one!", set())


class TestResize:
    def test_lines_do_not_reflow(self) -> None:
        made = screen("0123456789ab", 10, 4)
        made.resize(12, 4)
        made.feed(b"c")
        assert made.text() == "0123456789abc"
        made.resize(5, 4)
        assert made.text() == "01234abc"
        assert made.cursor == (1, 3)

    def test_lost_rows_go_up_and_come_back(self) -> None:
        made = screen("a\r\nb\r\nc\r\nd", 10, 4)
        made.resize(10, 2)
        assert (made.text(), made.cursor) == ("a\nb\nc\nd", (1, 1))
        made.resize(10, 4)
        made.feed(b"\x1b[HX")
        assert made.text() == "X\nb\nc\nd"

    def test_half_a_wide_character_is_a_blank(self) -> None:
        made = screen("ab流", 4)
        made.resize(3, 6)
        assert made.text() == "ab"

    def test_a_screen_has_room_for_a_wide_character(self) -> None:
        with pytest.raises(ValueError, match="2 columns"):
            Screen(1, 5)


@pytest.mark.parametrize(
    ("sequence", "style"),
    [
        ("1", Style(bold=True)),
        ("1;2;3;4;5;7;8;9;53", Style(*[True] * 9)),
        ("1;2;3;4;5;7;8;9;53;22;23;24;25;27;28;29;55", PLAIN),
        ("1;0", PLAIN),
        ("1;", PLAIN),
        ("21", Style(underline=True)),
        ("4:3", Style(underline=True)),
        ("4;4:0", PLAIN),
        ("31;42", Style(fg=1, bg=2)),
        ("91;102;39", Style(bg=10)),
        ("38;5;200;1", Style(bold=True, fg=200)),
        ("38:5:200;1", Style(bold=True, fg=200)),
        ("38;2;1;2;3;1", Style(bold=True, fg=(1, 2, 3))),
        ("48:2:1:2:3", Style(bg=(1, 2, 3))),
        ("48:2::1:2:3", Style(bg=(1, 2, 3))),
        ("58;5;9;58:2::1:2:3;59;1", Style(bold=True)),
        ("10;26;51;73;1", Style(bold=True)),
    ],
)
def test_graphic_renditions(sequence: str, style: Style) -> None:
    made = screen(f"\x1b[{sequence}m")
    assert (made.style, made.unmodelled) == (style, [])


def test_the_second_sequence_does_not_leak_into_the_style() -> None:
    assert screen("\x1b[>4;1m\x1b[?4m").style == PLAIN


@pytest.mark.parametrize(
    ("output", "unmodelled"),
    [
        ("\x1b[?5W", ["CSI ? 5 W"]),
        ("\x1b[?5W\x1b[?5W\x1b[2;3W", ["CSI ? 5 W", "CSI 2;3 W"]),
        ("\x1b[77m", ["CSI 77 m"]),
        ("\x1b[38;5m", ["CSI 38;5 m"]),
        ("\x1b[?3;25h", ["CSI ? 3 h"]),
        ("\x1b[1:2A", ["CSI 1:2 A"]),
        ("\x1b[1?2h", ["CSI 1?2 h (malformed)"]),
        ("\x1b[ A", ["CSI SP A"]),
        ("\x1bkname\x1b\\", ["ESC k"]),
        ("\x1b(A", ["ESC ( A"]),
        ("\u0081", ["C1 81"]),
        ("\x1bPq#0\x1b\\", ["DCS q#0"]),
        ("\x1b]0;open", ["OSC 0;open (unfinished)"]),
        ("\x1b[12", ["CSI 12 (unfinished)"]),
        ("\x1b[12流", ["CSI 12 (malformed)"]),
        ("\x1b[" + "1;" * 300 + "m", ["CSI 1;1;1;1;1;1;1;1;1;1;1;1;... m (malformed)"]),
        ("\x1b[?2027h", ["CSI ? 2027 h"]),
    ],
)
def test_what_is_not_modelled_is_named(output: str, unmodelled: list[str]) -> None:
    assert screen(output).unmodelled == unmodelled


@pytest.mark.parametrize(
    "output",
    [
        "\x1b[?1h\x1b[?12l\x1b[?1006h\x1b[?2026h\x1b[?2026l\x1b[2 q\x1b[22;0t\x1b[>1u\x1b[<u\x1b[>4;2m",
        "\x1b_Gx\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\\x1b]133;A\x07\x1b]8;;u\x1b\\\x07\x00\x11",
        "\x1b[!p\x1bc\x1b=\x1b>\x1b%G\x1b(B\x1b)0",
    ],
)
def test_what_shows_nothing_is_known(output: str) -> None:
    assert (screen(output).unmodelled, screen(output).text()) == ([], "")


def test_notes() -> None:
    made = screen(
        "\x1b]52;c;aGk=\x07\x1b]8;;\x07\x1b]8;;\x07\x1b]11;?\x07\x1b[6n\x1b[c\x1b[6n\x1b[?2026$p\x05\x1b[18t\x1bP+q1\x1b\\"
    )
    assert made.osc == [52, 8, 11]
    assert made.queries == ["OSC 11", "DSR 6", "DA", "DECRQM ? 2026", "ENQ", "XTWINOPS 18", "DCS +q"]
    assert made.unmodelled == []


def test_titles_modes_and_the_cursor() -> None:
    made = screen("\x1b]0;one; two\x07\x1b[?25l\x1b[?2004;1000;1004;2026h\x1b=\x1b[4h\x1b[?7l")
    assert (made.title, made.cursor_visible) == ("one; two", False)
    modes = {
        "bracketed-paste",
        "mouse",
        "focus",
        "synchronized",
        "application-keypad",
        "insert",
        "no-autowrap",
    }
    assert made.modes == modes
    made.feed(b"\x1bc")
    assert (made.title, made.cursor_visible, made.modes) == ("", True, set())


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("\u009b1mA\u009b0m", "A"),
        ("a\u0084b\u0085c", "a\n b\nc"),
        ("a\r\n\u008db", "b"),
        ("\u009d0;title\u009ctext", "text"),
        (b"\x9b1mA", "\N{REPLACEMENT CHARACTER}1mA"),
        (b"\xe6\xb5A\xff", "\N{REPLACEMENT CHARACTER}A\N{REPLACEMENT CHARACTER}"),
        ("\x1b]0;a\x18b", "b"),
        ("\x1b]0;a\x1b[1mb", "b"),
        ("\x1bPx\x07y\x1b\\z", "z"),
        ("\x1b[12流", "流"),
        ("\x1b(0lqk_x\x1b(Bq", "┌─┐\xa0│q"),
        ("\x1b)0\x0eq\x0fq", "─q"),
        ("ab\x1b[3bc", "abbbbc"),
        ("ab\x1b[m\x1b[3bc", "abc"),
        ("流\x1b[D\x1b[DX", "X"),
        ("流\x1b[DX", " X"),
        ("流流\x1b[2GX", " X流"),
        ("abc\x1b[1G\x1b[4hX\x1b[4lY", "XYbc"),
        ("abcdef\x1b[2G\x1b[2P", "adef"),
        ("abcdef\x1b[2G\x1b[2@", "a  bcdef"),
        ("a\r\nb\r\nc\x1b[2;2r\x1b[1;2r\x1b[2Hx\ny", "a\nx\n y\nc"),
        ("\x1b[20ha\nb", "a\nb"),
        ("\x1b[20ha\vb\fc", "a\nb\nc"),
        # The new-line mode is about line feeds; an index goes straight down.
        ("\x1b[20ha\x1bDb", "a\n b"),
        ("\x1b[20ha\u0084b", "a\n b"),
        # It is none of the modes that a soft reset switches off, but a hard one does.
        ("\x1b[20h\x1b[!pa\nb", "a\nb"),
        ("\x1b[20h\x1bca\nb", "a\n b"),
        ("流\u0301\u0323x", "流\u0301\u0323x"),
        ("\u0301x", "x"),
    ],
)
def test_small_cases(output: str | bytes, text: str) -> None:
    assert screen(output).text() == text


def test_widths_that_are_known_without_wcwidth_are_those_of_wcwidth() -> None:
    from wcwidth import wcwidth

    for width, blocks in ((2, _WIDE_BLOCKS), (1, _NARROW_BLOCKS)):
        known = [chr(code) for first, last in blocks for code in range(first, last + 1)]
        assert [char for char in known if wcwidth(char) != width or WIDTHS[char] != width] == []
