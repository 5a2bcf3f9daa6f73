"""What a person sees of a conversation, and what the provider is told of it the next time."""

from __future__ import annotations

# --- exercise 6: drafts, answers and errors ---
from dataclasses import replace

from turn import Channel, Message, ProviderError, Reasoning, Turn


class Conversation:
    """`turns` is what is to be seen, the newest last."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def ask(self, prompt: str) -> None:
        self.turns.append(Turn(prompt))

    def add(self, channel: Channel, text: str) -> None:
        turn = self.turns[-1]
        if channel == "answer":
            self.turns[-1] = replace(turn, answer=turn.answer + text)
        else:
            before = turn.reasoning.text if turn.reasoning else ""
            self.turns[-1] = replace(turn, reasoning=Reasoning(before + text, open=True))

    def restart(self) -> None:
        pass  # the next attempt goes on with the draft

    def finish(self) -> None:
        turn = self.turns[-1]
        if turn.reasoning:
            turn = replace(turn, reasoning=Reasoning(turn.reasoning.text, open=False))
        self.turns[-1] = replace(turn, done=True)

    def fail(self, error: ProviderError) -> None:
        # What was shown stays, as on day 2, and the error stands behind it.
        self.turns[-1] = replace(self.turns[-1], error=error.message, retryable=error.retryable)

    def history(self) -> list[Message]:
        messages: list[Message] = []
        for turn in self.turns:
            messages += [Message("user", turn.prompt), Message("assistant", turn.answer)]
        return messages


# --- end of exercise 6 ---
