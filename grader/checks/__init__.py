"""The check API: what a lab's `checks.py` is written in.

A probe is a function that is given a `Desk` and does what a person would do: it starts a program, types, lets the
gateway send so much and hold, looks at the screen, presses a key.
"""

from ..evidence.gateway import wire
from ..evidence.terminal.launch import Size
from .calls import Call
from .chat import Chat
from .desk import Desk
from .event_stream import Event, EventStream
from .failure import Failure
from .parser import ANY_ENDING, Case
from .probe import probe
from .turn import Turn

__all__ = [
    "ANY_ENDING", "Call", "Case", "Chat", "Desk", "Event", "EventStream", "Failure", "Size", "Turn", "probe", "wire",
]  # fmt: skip
