"""From terminal bytes to what a person saw: text, styles, frames. A state machine that does no I/O."""

from .frames import FrameLog, MisStyled
from .reading import Line, Mark
from .screen import Screen
from .style import PLAIN, Colour, Style

__all__ = ["PLAIN", "Colour", "FrameLog", "Line", "Mark", "MisStyled", "Screen", "Style"]
