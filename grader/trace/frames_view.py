"""Frames as a person saw them: the line, its styles in words, and marks under what changed its style later."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from rich.color import Color
from rich.console import Console
from rich.style import Style as Look
from rich.text import Text

from ..evidence.screen import Style
from ..evidence.screen.width import WIDTHS
from ..harmless import harmless
from .columns import show_paragraph
from .frames import Frame, Frames, Shown

Say = Callable[..., str]

# The columns of a frame's number and the gap behind it.
_MARGIN = 6


def show_frames(console: Console, say: Say, frames: Frames) -> None:
    start, end = (frames.shown[0].number, frames.shown[-1].number) if frames.shown else (frames.first, frames.last)
    if start > frames.first:
        show_paragraph(console, Text(say("trace.left-out", first=frames.first, last=start - 1), "dim"))
    for frame in frames.shown:
        _show_frame(console, say, frame)
    if end < frames.last:
        show_paragraph(console, Text(say("trace.left-out", first=end + 1, last=frames.last), "dim"))
    count = frames.last - frames.first + 1
    show_paragraph(console, Text(say("trace.frames", count=count, wrong=frames.mis_styled)))


def _show_frame(console: Console, say: Say, frame: Frame) -> None:
    margin = Text(
        f"{frame.number:>{_MARGIN - 2}}{'✗' if frame.mis_styled else ' '} ", "red" if frame.mis_styled else "dim"
    )
    for shown in frame.lines:
        for row in _rows(shown, max(10, console.width - _MARGIN)):
            console.print(margin + row, soft_wrap=True)
            margin = Text(" " * _MARGIN)
        for sentence in (_in_words(say, shown), *_faults(say, shown)):
            show_paragraph(console, sentence, margin)


def _rows(shown: Shown, width: int) -> list[Text]:
    """The line in rows of a width, each with its marks under it if it has any."""
    rows: list[Text] = []
    text, marks, columns = Text(), "", 0
    for place, (char, style) in enumerate(zip(shown.line.text, shown.line.styles, strict=True)):
        sign = harmless(char)
        wide = sum(WIDTHS[one] for one in sign)
        if columns + wide > width:
            rows += _marked(text, marks)
            text, marks, columns = Text(), "", 0
        text.append(sign, _look(style))
        marks += ("^" if place in shown.mis_styled else " ") * wide
        columns += wide
    return rows + _marked(text, marks)


def _marked(text: Text, marks: str) -> list[Text]:
    text.rstrip()
    return [text, Text(marks.rstrip(), "red")] if marks.strip() else [text]


def _in_words(say: Say, shown: Shown) -> Text:
    """Each stretch of one style, by the places of its first and last character."""
    words, place = [], 1
    for style, run in itertools.groupby(shown.line.styles):
        length = len(list(run))
        words.append(f"{place}-{place + length - 1} {style_in_words(say, style)}")
        place += length
    alone = len(words) == 1
    return Text(style_in_words(say, shown.line.styles[0]) if alone else " · ".join(words), "dim")


def _faults(say: Say, shown: Shown) -> list[Text]:
    """One sentence for each stretch of mis-styled characters that is alike, blanks in it or not."""
    line = shown.line
    runs: list[tuple[int, int, Style, Style]] = []  # begin, end, style then and finally
    for place, finally_ in sorted(shown.mis_styled.items()):
        start, end, *styles = runs[-1] if runs else (0, 0)
        if styles == [line.styles[place], finally_] and not line.text[end:place].strip():
            runs.pop()
        else:
            start = place
        runs.append((start, place + 1, line.styles[place], finally_))
    sentences = []
    for start, end, then, finally_ in runs:
        text = harmless(line.text[start:end], 60)
        words = {"then": style_in_words(say, then), "finally_": style_in_words(say, finally_)}
        sentences.append(Text(say("trace.mis-styled", text=text, **words), "red"))
    return sentences


def style_in_words(say: Say, style: Style) -> str:
    """Its words; colours with their numbers, since two may differ in nothing else."""
    numbers = {"fg": style.fg, "bg": style.bg}
    words = (
        " ".join([say(f"style.{word}"), *([str(numbers[word])] if word in numbers else [])]) for word in style.words
    )
    return " ".join(words) or say("style.plain")


def _look(style: Style) -> Look:
    """The same style on this terminal. What is hidden is shown: it was there."""
    return Look(
        bold=style.bold, dim=style.dim, italic=style.italic, underline=style.underline, blink=style.blink,
        reverse=style.reverse, strike=style.strike, overline=style.overline,
        color=_colour(style.fg), bgcolor=_colour(style.bg),
    )  # fmt: skip


def _colour(colour: int | tuple[int, int, int] | None) -> Color | None:
    if colour is None:
        return None
    return Color.from_ansi(colour) if isinstance(colour, int) else Color.from_rgb(*colour)
