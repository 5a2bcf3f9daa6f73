"""From a provider's events to two channels: what is said differently by each, in the same words for all.

Everything else that a stream carries (roles, signatures, usage, tool calls, pings) is not for the screen.
"""

from __future__ import annotations

# --- exercise 3: one translator for each provider ---
import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

from sse import ServerEvent
from turn import CUT_OFF, Channel, Listener, Provider, ProviderError, may_pass

Payload = dict[str, Any]

# A piece for a channel, or the news that the answer is closed; what is empty or None is no news.
Piece = tuple[Channel | Literal["closed"], str | None]


class Translator:
    """Tells the listener each new piece of one answer, and knows whether the answer was closed."""

    def __init__(self, provider: Provider, listen: Listener) -> None:
        self._read = READERS[provider]
        self._ends_with_done = provider == "openai"
        self._listen = listen
        self._so_far: dict[Channel, str] = {"answer": "", "reasoning": ""}
        self._closed = False

    def take(self, event: ServerEvent) -> None:
        """Raises `ProviderError` for an error that the provider reports, and for what does not follow its format."""
        if event.data == "[DONE]":
            self._closed = self._closed or self._ends_with_done
            return
        for channel, text in self._pieces(event.data):
            if not text:
                continue
            if channel == "closed":
                self._closed = True
                continue
            self._so_far[channel] += text
            self._listen(channel, text, self._so_far[channel])

    def end(self) -> None:
        """The bytes are over. Raises `ProviderError` if the answer is not: without its closing event it was cut."""
        if not self._closed:
            raise ProviderError(CUT_OFF, retryable=True)

    def _pieces(self, data: str) -> list[Piece]:
        try:
            pieces = list(self._read(json.loads(data)))
            if all(isinstance(text, str | None) for _, text in pieces):
                return pieces
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
            pass
        raise ProviderError("The provider sent something that does not follow its format.", retryable=True)


def chat_completions(payload: Payload) -> Iterator[Piece]:
    if error := payload.get("error"):
        raise reported(error)
    for choice in payload.get("choices") or ():
        if choice.get("index"):
            continue  # a second candidate; one is shown
        delta = choice.get("delta") or {}
        yield "reasoning", delta.get("reasoning_content") or delta.get("reasoning")
        yield "answer", delta.get("content")
        yield "closed", choice.get("finish_reason")


def responses(payload: Payload) -> Iterator[Piece]:
    match payload.get("type"):
        case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
            yield "reasoning", payload["delta"]
        case "response.output_text.delta":
            yield "answer", payload["delta"]
        case "response.output_text.done":
            yield "answer", payload["text"]
        case "response.completed" | "response.incomplete" as name:  # incomplete: whole up to a limit
            yield "closed", name
        case "response.failed":
            raise reported(payload["response"]["error"])
        case "error":
            raise reported(payload.get("error") or payload)


def anthropic_messages(payload: Payload) -> Iterator[Piece]:
    match payload.get("type"):
        case "content_block_delta":
            match payload["delta"]:
                case {"type": "thinking_delta", "thinking": text}:
                    yield "reasoning", text
                case {"type": "text_delta", "text": text}:
                    yield "answer", text
        case "message_stop" as name:
            yield "closed", name
        case "error":
            raise reported(payload["error"])


def gemini(payload: Payload) -> Iterator[Piece]:
    if error := payload.get("error"):
        raise reported(error)
    if reason := (payload.get("promptFeedback") or {}).get("blockReason"):
        raise ProviderError(f"The provider does not answer this prompt ({reason}).", retryable=False)
    for candidate in payload.get("candidates") or ():
        if candidate.get("index"):
            continue
        for part in (candidate.get("content") or {}).get("parts") or ():
            yield "reasoning" if part.get("thought") else "answer", part.get("text")
        yield "closed", candidate.get("finishReason")


def reported(error: object) -> ProviderError:
    """The one error for what any of them puts there: an object, or only a sentence."""
    details = error if isinstance(error, dict) else {"message": error}
    said = " ".join(str(details.get("message") or "no reason given").split())[:200].rstrip(".")
    code = details.get("code") or details.get("type")
    return ProviderError(f"The provider stopped with an error: {said}.", retryable=may_pass(code))


READERS: dict[Provider, Callable[[Payload], Iterator[Piece]]] = {
    "openai": chat_completions,
    "responses": responses,
    "anthropic": anthropic_messages,
    "gemini": gemini,
}


# --- end of exercise 3 ---
