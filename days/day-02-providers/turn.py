"""The words that the program's files share: channels, turns, the one error, and what is passed in from outside.

Nothing here does anything. Each of the six exercises imports this file and none of the others, so each can be tried
by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

# The public formats that an answer can come in: OpenAI's chat completions and Responses, Anthropic's messages, and
# Google's Gemini with `alt=sse`.
Provider = Literal["openai", "responses", "anthropic", "gemini"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)

# What a person reads of an answer: the answer itself, and what the model thinks aloud.
Channel = Literal["answer", "reasoning"]

# Is told of every piece that a channel gets: the channel, the new piece (the delta), and the channel's text so far,
# which ends with it.
Listener = Callable[[Channel, str, str], None]

CUT_OFF = "The answer was cut off before it was finished; you can ask again."

# The words with which the providers name an error that may be gone when the same question is asked again.
PASSING_TROUBLE = {
    "server_error", "rate_limit_exceeded",  # OpenAI
    "overloaded_error", "api_error", "rate_limit_error", "timeout_error",  # Anthropic
    "RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED",  # Google
}  # fmt: skip

# Words that are written with a full stop at their end, in small letters. A full stop behind a single letter, as in
# "e.g." or "J. Smith", needs no entry here.
ABBREVIATIONS = {"approx", "cf", "dr", "etc", "fig", "mr", "mrs", "ms", "prof", "st", "vs"}


class ProviderError(Exception):
    """There is no whole answer. `message` is one plain sentence; `retryable` says if asking again may help.

    It is the only error that goes beyond `providers.py`, whichever provider has failed and in whatever words.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable


def may_pass(code: object) -> bool:
    """Whether an error of this name or number may be gone the next time. A number is an HTTP status."""
    if isinstance(code, int):
        return code in (408, 429) or code >= 500
    return code in PASSING_TROUBLE if isinstance(code, str) else False


@dataclass(frozen=True)
class Reasoning:
    """The reasoning block: open while it grows, else folded."""

    text: str
    open: bool


@dataclass(frozen=True)
class Turn:
    """One question and what is to be seen of its answer: a draft that grows, then an answer or an error."""

    prompt: str
    reasoning: Reasoning | None = None
    answer: str = ""
    done: bool = False  # the answer is whole
    error: str | None = None  # one plain sentence, which stands where the draft was
    retryable: bool = False  # asking again may help


@dataclass(frozen=True)
class Message:
    """One entry of what the provider is told of the conversation."""

    role: Literal["user", "assistant"]
    content: str


class Decoder(Protocol):
    """Bytes to text, piece by piece: `utf8.Utf8Decoder` is one."""

    def feed(self, chunk: bytes) -> str: ...

    def close(self) -> str: ...


class Timer(Protocol):
    """A call that has been ordered for later."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """The time in milliseconds. It only ever grows."""

    def now(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back when it is `when`, unless the timer is cancelled before."""
        ...
