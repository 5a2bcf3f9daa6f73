"""From a provider's events to two channels: what is said differently by each, in the same words for all.

Everything else that a stream carries (roles, signatures, usage, tool calls, pings) is not for the screen.
"""

from __future__ import annotations

# --- exercise 3: one translator for each provider ---
import json
from typing import Any

from sse import ServerEvent
from turn import Channel, Listener, Provider


class Translator:
    """Tells the listener each new piece of one answer."""

    def __init__(self, provider: Provider, listen: Listener) -> None:
        self._provider = provider
        self._listen = listen
        self._so_far: dict[Channel, str] = {"answer": "", "reasoning": ""}

    def take(self, event: ServerEvent) -> None:
        if event.data == "[DONE]":
            return
        payload = json.loads(event.data)
        if self._provider == "openai":
            self._openai(payload)
        elif self._provider == "responses":
            self._responses(payload)
        elif self._provider == "anthropic":
            self._anthropic(payload)
        else:
            self._gemini(payload)

    def end(self) -> None:
        pass

    def _openai(self, payload: Any) -> None:
        if payload.get("choices"):
            delta = payload["choices"][0]["delta"]
            self._tell("reasoning", delta.get("reasoning_content"))
            self._tell("answer", delta.get("content"))

    def _responses(self, payload: Any) -> None:
        if payload["type"] == "response.reasoning_summary_text.delta":
            self._tell("reasoning", payload["delta"])
        elif payload["type"] == "response.output_text.delta":
            self._tell("answer", payload["delta"])

    def _anthropic(self, payload: Any) -> None:
        if payload["type"] == "content_block_delta":
            self._tell("reasoning", payload["delta"].get("thinking"))
            self._tell("answer", payload["delta"].get("text"))

    def _gemini(self, payload: Any) -> None:
        if payload.get("candidates"):
            for part in payload["candidates"][0]["content"]["parts"]:
                self._tell("reasoning" if part.get("thought") else "answer", part.get("text"))

    def _tell(self, channel: Channel, text: str | None) -> None:
        if text:
            self._so_far[channel] += text
            self._listen(channel, text, self._so_far[channel])


# --- end of exercise 3 ---
