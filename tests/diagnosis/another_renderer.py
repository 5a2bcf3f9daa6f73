"""A right renderer by another hand; the tests break one thing in it at a time."""

import os
import re

from wcwidth import wcwidth

from events import ErrorEvent, TextEvent


def visible(text):
    return "".join(char if char in "\n\t" else control(char) for char in text)


def control(char):
    code = ord(char)
    if code < 32:
        return "^" + chr(code + 64)
    return f"<{code:02x}>" if 127 <= code < 160 else char


class Renderer:
    def __init__(self, out, *, tty):
        self.out = out
        self.fancy = tty
        self.screen = out.isatty()
        self.line = ""
        self.shown = ""
        self.up = 0
        self.tall = False
        self.block = 0
        self.mid_line = False

    def handle(self, event):
        if isinstance(event, TextEvent):
            self.text(event.text)
        elif isinstance(event, ErrorEvent):
            self.finish()
            self.out.write((visible(event.message) if self.screen else event.message) + "\n")
        else:
            self.finish()
        self.out.flush()

    def text(self, text):
        if self.screen:
            text = visible(text)
        if not self.fancy:
            self.out.write(text)
            self.mid_line = not text.endswith("\n") if text else self.mid_line
            return
        for number, part in enumerate(text.split("\n")):
            if number:
                self.settle()
            self.line += part.replace("\t", "    ")
        if self.line:
            self.paint(self.line, self.line)

    def finish(self):
        if self.fancy and self.line:
            self.settle()
        elif self.mid_line:
            self.out.write("\n")
            self.mid_line = False

    def settle(self):
        if self.line:
            self.paint(self.line, self.look(self.line))
        self.out.write("\n")
        self.line = self.shown = ""
        self.up, self.tall = 0, False

    def paint(self, text, styled):
        columns, height = self.size()
        rows = wraps(text, columns)
        self.tall = self.tall or rows >= height
        if self.tall:
            self.out.write(text[len(self.shown) :])
        else:
            self.out.write("\r" + (f"\x1b[{self.up}A" if self.up else "") + styled)
        self.shown, self.up = text, rows

    def look(self, line):
        bar = re.match(r" {0,3}(`{3,})([^`]*)$", line)
        if self.block:
            if bar and len(bar[1]) >= self.block and not bar[2].strip():
                self.block = 0
                return line
            return f"\x1b[36m{line}\x1b[39m"
        if bar:
            self.block = len(bar[1])
            return line
        if re.match("#{1,6} ", line):
            return f"\x1b[1m{line}\x1b[22m"
        spans = r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\*\*(?=[^\s*]).*?(?<=[^\s*])\*\*"
        return re.sub(spans, lambda span: f"\x1b[4m{span[0]}\x1b[24m", line)

    def size(self):
        try:
            return os.get_terminal_size(self.out.fileno())
        except OSError:
            return 80, 24


def wraps(text, columns):
    row = column = 0
    for char in text:
        width = max(wcwidth(char), 0)
        if column + width > columns:
            row, column = row + 1, 0
        column += width
    return row
