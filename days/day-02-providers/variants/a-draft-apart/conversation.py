"""What a person sees of a conversation, and what the provider is told of it the next time."""

from __future__ import annotations

# --- exercise 6: drafts, answers and errors ---
from turn import Channel, Message, ProviderError, Reasoning, Turn


class Conversation:
    """The pieces of the draft lie in lists of their own; the last turn is made from them anew with every change."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._kept: list[Message] = []
        self._prompt: str | None = None  # of the draft, if there is one
        self._answer: list[str] = []
        self._thoughts: list[str] = []
        self._thinking = False

    def ask(self, prompt: str) -> None:
        self._prompt = prompt
        self.turns.append(Turn(prompt))
        self.restart()

    def add(self, channel: Channel, text: str) -> None:
        (self._answer if channel == "answer" else self._thoughts).append(text)
        self._thinking = channel == "reasoning"
        self._show()

    def restart(self) -> None:
        self._answer, self._thoughts, self._thinking = [], [], False
        self._show()

    def finish(self) -> None:
        if self._prompt is None:
            return
        self._thinking = False
        self._show(done=True)
        if answer := self.turns[-1].answer:
            self._kept += [Message("user", self._prompt), Message("assistant", answer)]
        self._prompt = None

    def fail(self, error: ProviderError) -> None:
        if self._prompt is not None:
            self.turns[-1] = Turn(self._prompt, error=error.message, retryable=error.retryable)
            self._prompt = None

    def history(self) -> list[Message]:
        return list(self._kept)

    def _show(self, *, done: bool = False) -> None:
        if self._prompt is None:
            return
        block = Reasoning("".join(self._thoughts), self._thinking) if self._thoughts else None
        self.turns[-1] = Turn(self._prompt, block, "".join(self._answer), done)


# --- end of exercise 6 ---
