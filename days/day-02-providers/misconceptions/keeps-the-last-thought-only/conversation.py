"""What a person sees of a conversation, and what the provider is told of it the next time."""

from __future__ import annotations

# --- exercise 6: drafts, answers and errors ---
from dataclasses import replace
from typing import Any

from turn import Channel, Message, ProviderError, Reasoning, Turn


class Conversation:
    """`turns` is what is to be seen, the newest last. A turn is a draft until it is done or has failed.

    A draft can still be taken back, so nothing of it is kept for the provider.
    """

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._drafting = False

    def ask(self, prompt: str) -> None:
        """Begin a turn."""
        self.turns.append(Turn(prompt))
        self._drafting = True

    def add(self, channel: Channel, text: str) -> None:
        """Let the draft grow. The answer ends the reasoning when it begins, even if none of it may be shown yet."""
        turn = self.turns[-1]
        if channel == "answer":
            self._change(answer=turn.answer + text, reasoning=folded(turn.reasoning))
        else:
            self._change(reasoning=Reasoning(text, open=True))

    def restart(self) -> None:
        """The answer begins anew, so the draft is cleared: two beginnings must never be joined."""
        self._change(answer="", reasoning=None)

    def finish(self) -> None:
        """The draft is the answer."""
        self._change(done=True, reasoning=folded(self.turns[-1].reasoning))
        self._drafting = False

    def fail(self, error: ProviderError) -> None:
        """The error takes the place of the draft."""
        self._change(answer="", reasoning=None, error=error.message, retryable=error.retryable)
        self._drafting = False

    def history(self) -> list[Message]:
        """The questions that were answered, with their answers. A failed turn is left out as a whole, so that the two
        roles take turns, which not every provider does without."""
        messages: list[Message] = []
        for turn in self.turns:
            if turn.done and turn.answer:
                messages += [Message("user", turn.prompt), Message("assistant", turn.answer)]
        return messages

    def _change(self, **changes: Any) -> None:
        """What comes when there is no draft any more comes too late."""
        if self._drafting:
            self.turns[-1] = replace(self.turns[-1], **changes)


def folded(reasoning: Reasoning | None) -> Reasoning | None:
    return replace(reasoning, open=False) if reasoning else None


# --- end of exercise 6 ---
