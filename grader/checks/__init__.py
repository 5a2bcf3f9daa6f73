"""The check API: what a lab's `checks.py` is written in.

A probe is a function that is given a `Desk` and does what a person would do: it starts a program, types, lets the
gateway send so much and hold, looks at the screen, presses a key.
"""

from ..evidence.gateway import wire
from ..evidence.terminal.launch import Size
from .chat import Chat
from .desk import Desk
from .failure import Failure
from .parser import ANY_ENDING, Case
from .probe import probe
from .turn import Turn

__all__ = ["ANY_ENDING", "Case", "Chat", "Desk", "Failure", "Size", "Turn", "probe", "wire"]
