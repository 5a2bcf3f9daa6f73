"""The emulator shows what @xterm/headless 6.0.0 showed for the same bytes, cell by cell."""

from __future__ import annotations

from screen_corpus import Cell, Recorded, load

from grader.evidence.screen import Screen, Style

DIFFERENCES = {
    "scroll up (CSI S)": "xterm keeps the rows in its scrollback, the recorded terminal drops them: "
    "such streams are compared on the screen alone",
    "half a wide character": "the recorded terminal leaves a second half that has lost its first; "
    "here it is a blank, and its style is not compared",
    # The generator keeps clear of the rest.
    "restore after scrolling": "xterm restores a row of the screen, the recorded terminal a row of the text",
    "save behind a full row": "xterm saves that the next character wraps, the recorded terminal does not",
    "restored character sets": "xterm restores all four and the shift, the recorded terminal the current one",
    "restored underline": "the recorded terminal keeps the kind of underline that it had before",
    "scroll down (CSI T)": "xterm gives the new rows the pen's background, the recorded terminal does not",
    "relative moves with the origin in the region": "the recorded terminal adds the top of the region again",
    "alignment test": "xterm shows plain letters and resets the margins",
    "back tab behind a full row": "the recorded terminal ignores it",
    "margins and tab stops": "xterm has one set, the recorded terminal one for each of the two screens",
    "a wide character without autowrap": "the recorded terminal leaves halves of it in the last column",
    "a combining character without autowrap": "the recorded terminal prints it in a cell of its own",
    "a combining character behind a sequence": "the recorded terminal prints it in a cell of its own",
    "a wide character at the end of a one-row alternate screen": "the recorded terminal styles the wrong row",
    "line drawing": "the recorded terminal leaves the underscore, which is a blank",
    "C1 controls": "the recorded terminal knows only a few, not U+008D for one",
    "38:2:r:g:b": "the recorded terminal takes the first number for a colour space in any case",
}


def test_every_recorded_stream_shows_the_same() -> None:
    recorded = load()
    assert len(recorded) > 1000
    different = [found for stream in recorded if (found := _difference(stream))]
    assert not different, f"{len(different)} of {len(recorded)} differ; the first: {different[0]}"


def _difference(recorded: Recorded) -> str | None:
    screen = Screen(recorded.columns, recorded.rows)
    screen.feed(recorded.stream)
    shown, expected = _cells(screen), recorded.cells
    if b"S" in recorded.stream:
        shown, expected = shown[-recorded.rows :], expected[-recorded.rows :]
    row, column = recorded.cursor
    if screen.cursor != (row, min(column, recorded.columns - 1)):
        return f"seed {recorded.seed}: the cursor is at {screen.cursor}, not {recorded.cursor}"
    if len(shown) != len(expected):
        return f"seed {recorded.seed}: {len(shown)} rows, not {len(expected)}"
    for y, (shown_row, expected_row) in enumerate(zip(shown, expected, strict=True)):
        for x, (got, wanted) in enumerate(zip(shown_row, expected_row, strict=True)):
            if got[0] != wanted[0] or wanted[1] not in (got[1], "any"):
                return f"seed {recorded.seed}, row {y}, column {x}: {got}, not {wanted}"
    return None


def _cells(screen: Screen) -> list[list[Cell]]:
    buffer = screen._grid.buffer
    return [
        [(char, _words(style)) for char, style in zip(row.chars, row.styles, strict=True)]
        for _, row in buffer.numbered()
    ]


def _words(style: Style) -> str:
    colours = {"fg": style.fg, "bg": style.bg}
    words = [word if word not in colours else f"{word}={colours[word]}" for word in style.words]
    return " ".join(words).replace("(", "").replace(")", "").replace(", ", ",")
