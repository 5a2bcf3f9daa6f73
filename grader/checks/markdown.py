"""What each character of an answer should look like in the end.

The rules are those that students are given: headings, code spans, bold spans and the lines of a fenced block stand out
in any style; prose and unclosed markers are plain; markers, fence lines, lists, quotes and tables are free.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..evidence.screen import Line, Style

Look = Literal["styled", "plain", "free", "block"]  # block: styled, and all of one block alike

_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r" {0,3}(`{3,})([^`]*)$")
_FREE_LINE = re.compile(r" *(?:[>|]|(?:[-*+]|\d+[.)]) )")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_BOLD = re.compile(r"(\*\*)(?=[^\s*])(.*?)(?<=[^\s*])\1")


@dataclass(frozen=True)
class StyledLine:
    """One line of an answer, with the look that each of its characters must have."""

    text: str
    looks: tuple[Look, ...]
    block: int | None = None  # the number of the fenced block that it stands in


def styled_lines(text: str) -> list[StyledLine]:
    """The lines of an answer. A block that is never closed is a block to the end."""
    lines: list[StyledLine] = []
    fence, block = 0, 0
    for line in text.split("\n"):
        bar = _FENCE.match(line)
        if fence and not (bar and len(bar[1]) >= fence and not bar[2].strip()):
            lines.append(StyledLine(line, _each(line, "block"), block))
            continue
        if bar:
            block += not fence
            fence = 0 if fence else len(bar[1])
            lines.append(StyledLine(line, _each(line, "free")))
        else:
            lines.append(StyledLine(line, _looks_of_prose(line)))
    return lines


def _looks_of_prose(line: str) -> tuple[Look, ...]:
    if heading := _HEADING.match(line):
        return (*_each(heading[0], "free"), *_each(line[heading.end() :], "styled"))
    if _FREE_LINE.match(line):
        return _each(line, "free")
    looks: list[Look] = list(_each(line, "plain"))
    position = 0
    while span := _earliest(line, position):
        looks[span.start() : span.end()] = _each(span[0], "free")
        looks[span.start(2) : span.end(2)] = _each(span[2], "styled")
        position = span.end()
    return tuple(looks)


def _earliest(line: str, position: int) -> re.Match[str] | None:
    found = [span for pattern in (_CODE, _BOLD) if (span := pattern.search(line, position))]
    return min(found, key=lambda span: span.start(), default=None)


def _each(text: str, look: Look) -> tuple[Look, ...]:
    """One look for every character that has ink; how a blank looks cannot be seen."""
    return tuple("free" if char.isspace() else look for char in text)


@dataclass(frozen=True)
class StyleFault:
    """The first character whose final style is not as it must be."""

    line: str
    column: int  # in characters, from 0
    wanted: Look
    shown: Style


def style_fault(expected: Sequence[StyledLine], shown: Sequence[Line]) -> StyleFault | None:
    """Compare the final styles of lines whose text is known to be right."""
    of_block: dict[int, object] = {}
    for wanted, line in zip(expected, shown, strict=False):
        for column, (look, style) in enumerate(zip(wanted.looks, line.styles, strict=False)):
            alike = look != "block" or style == of_block.setdefault(wanted.block or 0, style)
            if look != "free" and (style.plain != (look == "plain") or not alike):
                return StyleFault(wanted.text, column, look, style)
    return None


def code_blocks(expected: Sequence[StyledLine], shown: Sequence[Line]) -> int:
    """How many fenced blocks stand in a code style: not plain, and the same throughout."""
    styles: dict[int, set[object]] = {}
    for wanted, line in zip(expected, shown, strict=False):
        if wanted.block:
            inked = {style for style, look in zip(line.styles, wanted.looks, strict=False) if look == "block"}
            styles.setdefault(wanted.block, set()).update(style if not style.plain else None for style in inked)
    return sum(len(found) == 1 and None not in found for found in styles.values())
