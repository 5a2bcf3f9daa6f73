"""Shows each piece of an answer in the styles that its markers ask for."""

import re
from typing import TextIO

from events import DoneEvent, ErrorEvent, Event

RESET = "\x1b[0m"
RULES = [
    (re.compile(r"^#{1,6} .+$", re.MULTILINE), "\x1b[1;34m"),
    (re.compile(r"^```[^`]*?^```$", re.MULTILINE | re.DOTALL), "\x1b[36m"),
    (re.compile(r"(?<!`)`[^`\n]+`(?!`)"), "\x1b[36m"),
    (re.compile(r"\*\*[^\s*][^*\n]*\*\*"), "\x1b[1m"),
]
SHOWN = {number: chr(0x2400 + number) for number in range(32) if number not in (9, 10)}
SHOWN |= dict.fromkeys(range(127, 160), "␡")


class Renderer:
    def __init__(self, out: TextIO, *, tty: bool) -> None:
        self.out = out
        self.tty = tty
        self.mid_line = False

    def handle(self, event: Event) -> None:
        if isinstance(event, DoneEvent):
            self.end_line()
        elif isinstance(event, ErrorEvent):
            self.end_line()
            self.out.write(f"{event.message}\n")
        else:
            self.show(event.text)
        self.out.flush()

    def show(self, text: str) -> None:
        self.mid_line = not text.endswith("\n")
        if self.out.isatty():
            text = text.translate(SHOWN)
        if self.tty:
            for pattern, style in RULES:
                text = pattern.sub(f"{style}\\g<0>{RESET}", text)
        self.out.write(text)

    def end_line(self) -> None:
        if self.mid_line:
            self.out.write("\n")
            self.mid_line = False
