"""What the loop layer says: the events of one turn.

The screen and the session log listen to these three and to nothing else, so a new provider never reaches them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DoneReason = Literal["stop", "length", "tool_calls", "aborted", "error"]


@dataclass(frozen=True)
class TextEvent:
    """A piece of the answer to show now."""

    text: str


@dataclass(frozen=True)
class ErrorEvent:
    """The turn failed. `message` is one plain sentence for a person; `retryable` says if asking again may help."""

    message: str
    retryable: bool


@dataclass(frozen=True)
class DoneEvent:
    """The turn is over: always the last event, exactly once."""

    reason: DoneReason


Event = TextEvent | ErrorEvent | DoneEvent
