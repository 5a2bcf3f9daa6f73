"""Shows an answer; hash signs begin a heading."""

import os
import re
from collections.abc import Iterator
from typing import TextIO

from wcwidth import wcwidth

from events import DoneEvent, ErrorEvent, Event, TextEvent

STYLES = {"heading": "1;4", "bold": "1", "code": "32", "plain": "0"}
CODE_SPAN = r"(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
SPAN = re.compile(CODE_SPAN + r"|(?P<bold>\*\*(?![\s*]).*?(?<![\s*])\*\*)")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # shown as something to look at
OPENING = re.compile(r" {0,3}(?P<ticks>```+)[^`]*$")


class Paper:
    """A pipe, or a terminal that wants no escape sequences: what is written stays as it is."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.line = ""

    def put(self, text: str, *, ends: bool) -> None:
        self.out.write(text + "\n" * ends)
        self.line = "" if ends else self.line + text


class Screen(Paper):
    """A terminal: the last line is painted again as it grows, and in its styles when it is complete."""

    rows = 1
    closing: re.Pattern[str] | None = None

    def put(self, text: str, *, ends: bool) -> None:
        line, before = self.line + text, self.rows
        columns, height = os.get_terminal_size(self.out.fileno())
        self.rows = rows_of(line, columns)
        painted = "".join(f"\x1b[{STYLES[style]}m{part}\x1b[0m" for style, part in self.parts(line, ends) if part)
        if self.rows > height:
            painted = text  # the beginning has left the screen
        elif line:
            painted = "\r" + f"\x1b[{before - 1}A" * (before > 1) + painted
        self.out.write(painted + "\n" * ends)
        self.line, self.rows = ("", 1) if ends else (line, self.rows)

    def parts(self, line: str, ends: bool) -> Iterator[tuple[str, str]]:
        if not ends:
            yield "plain", line
        elif self.closing:
            inside = not self.closing.fullmatch(line)
            self.closing = self.closing if inside else None
            yield "code" if inside else "plain", line
        elif bar := OPENING.match(line):
            self.closing = re.compile(rf" {{0,3}}{bar['ticks']}`*\s*")
            yield "plain", line
        elif line.startswith("#"):
            yield "heading", line
        else:
            place = 0
            for span in SPAN.finditer(line):
                yield "plain", line[place : span.start()]
                yield "code" if span["code"] else "bold", span[0]
                place = span.end()
            yield "plain", line[place:]


def rows_of(line: str, columns: int) -> int:
    rows, used = 1, 0
    for width in map(wcwidth, line):
        used += width
        if used > columns:
            rows, used = rows + 1, width
    return rows


def spelled(text: str) -> str:
    return CONTROL.sub(lambda char: f"\\x{ord(char[0]):02x}", text.replace("\t", "    "))


class Renderer:
    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self.out = out
        self.page = Screen(out) if tty else Paper(out)
        self.spell = spelled if out.isatty() else str

    def handle(self, event: Event) -> None:
        match event:
            case TextEvent(text):
                *ended, rest = text.split("\n")
                for line in ended:
                    self.page.put(self.spell(line), ends=True)
                if rest:
                    self.page.put(self.spell(rest), ends=False)
            case ErrorEvent(message):
                self.close()
                self.page.out.write(self.spell(message) + "\n")
            case DoneEvent():
                self.close()
        self.out.flush()

    def close(self) -> None:
        if self.page.line:
            self.page.put("", ends=True)
