"""Reading what a program left behind: texts as a person sees them, conversations, tracebacks, sentences."""

from __future__ import annotations

import itertools
import re
import textwrap
from pathlib import Path
from typing import Any

from ..harmless import harmless

# What has no place in a sentence for a person: names of exceptions, source files, positions in them.
_TECHNICAL = re.compile(
    r"Traceback|\b\w+(Error|Exception|Event)\b|\b\w+\(\w+=|\bFile \"|\.py\b|\bline \d+|^\s*at |0x[0-9a-f]{6}"
    r"|[/\\]\w+[/\\]"
)


def as_seen(text: str) -> str:
    """A text as a terminal can show it: blanks at the ends of lines, and empty lines at the end, cannot be seen."""
    return "\n".join(line.rstrip(" ") for line in text.split("\n")).rstrip("\n")


def conversation(messages: list[Any] | None) -> list[tuple[str, str]]:
    """Roles and contents of messages, as seen. A system prompt is the program's own business."""
    found = [(str(m.get("role")), as_seen(str(m.get("content")))) for m in messages or () if isinstance(m, dict)]
    return [message for message in found if message[0] != "system"]


def as_lines(messages: list[tuple[str, str]]) -> str:
    return "\n".join(f"{role}: {content}" for role, content in messages)


def is_plain_sentence(text: str) -> bool:
    """Words for a person, without a class name, a path or a piece of a stack trace."""
    return any(char.isalpha() for char in text) and not _TECHNICAL.search(text)


def traceback_line(text: str, directory: Path) -> str | None:
    """The last line of a Python traceback in this text, with the file and line that it names.

    Files of the run's own directory are named as the student knows them.
    """
    where, last, own = "", None, False
    for line in text.replace(f"{directory}/", "").splitlines():
        stripped = line.strip()
        if stripped.startswith("Traceback "):
            own = False
        elif stripped.startswith('File "'):
            frame = stripped.removeprefix('File "').partition(", in ")[0]
            if not (own and frame.startswith(("/", "<"))):  # of the student's own files, if it went through any
                own = not frame.startswith(("/", "<"))
                where = frame.rpartition("/")[2].replace('"', "")
        elif where and re.match(r"[A-Za-z_][\w.]*(:|$)", line):
            last = f"{stripped} ({where})"
    return harmless(last, 300) if last else None


def code_of_syntax_error(text: str) -> str | None:
    """The line of source and the caret in the last report of Python's that it cannot read a file."""
    lines = text.splitlines()
    for number in reversed(range(2, len(lines))):
        if re.match(r"(Syntax|Indentation|Tab)Error: ", lines[number]):
            code = itertools.takewhile(lambda line: not line.strip().startswith('File "'), reversed(lines[:number]))
            return textwrap.dedent("\n".join(reversed(list(code)))) or None
    return None


def spelled_out(sent: str, shown: str) -> bool:
    """Whether a line "word DANGER word" shows both words, and between them more than the danger's visible characters:
    a control character that is shown takes the place of at least one."""
    before, after = sent.split(" ", 1)[0], sent.rsplit(" ", 1)[1]
    if not (shown.startswith(f"{before} ") and shown.endswith(f" {after}")):
        return False
    printable = [char for char in sent[len(before) : -len(after)] if char.isprintable() and char != " "]
    return len("".join(shown[len(before) : -len(after)].split())) > len(printable)
