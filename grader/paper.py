"""What everything for a person is printed on."""

from __future__ import annotations

import os
from typing import TextIO

from rich.console import Console


def paper(out: TextIO | None = None) -> Console:
    """A console on standard output or another file: with styles if that is a terminal that wants them.

    `NO_COLOR` takes away bold and dim, too: the student's program, which is held to it, sends no escape sequence then.
    """
    plain = bool(os.environ.get("NO_COLOR"))
    return Console(file=out, highlight=False, color_system=None if plain else "auto")
