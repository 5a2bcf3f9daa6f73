"""From terminal bytes to what a person saw: text, styles, frames. A state machine that does no I/O."""

from grader.evidence.screen.frames import FrameLog, MisStyled
from grader.evidence.screen.reading import Line, Mark
from grader.evidence.screen.screen import Screen
from grader.evidence.screen.style import PLAIN, Colour, Style

__all__ = ["PLAIN", "Colour", "FrameLog", "Line", "Mark", "MisStyled", "Screen", "Style"]
