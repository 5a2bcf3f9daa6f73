"""What the gateway layer says: deltas, and the request that asks for them.

A *delta* is one small piece of an answer, already free of the wire format. `parse_chunk` is the only place in the
program that knows what a chat-completions chunk looks like.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TextDelta:
    """A piece of the answer, of any length: a delta is no word, no line and no character."""

    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    """A piece of what the model thinks aloud before it answers."""

    text: str


@dataclass(frozen=True)
class ToolCallDelta:
    """A fragment of one tool call. `id` and `name` come once; `arguments` are valid JSON only when joined."""

    index: int
    id: str | None
    name: str | None
    arguments: str


@dataclass(frozen=True)
class UsageDelta:
    """What the whole exchange cost, in tokens."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class FinishDelta:
    """The model has ended, and why: `stop`, `length`, `tool_calls`, or what else a provider says."""

    reason: str


Delta = TextDelta | ReasoningDelta | ToolCallDelta | UsageDelta | FinishDelta


@dataclass(frozen=True)
class ToolCall:
    """A whole tool call, joined from its fragments."""

    id: str
    name: str
    arguments: str


@dataclass
class Message:
    """One entry of the conversation. `role` is `system`, `user`, `assistant` or `tool`."""

    role: str
    content: str
    tool_calls: Sequence[ToolCall] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True)
class ChatRequest:
    """What the loop asks of a provider. `tools` are JSON objects as the chat-completions format describes them."""

    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]] = ()
    signal: CancelSignal | None = None


class CancelSignal:
    """Says once, and for good, that the person wants this turn to stop."""

    def __init__(self) -> None:
        self._aborted = False
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    @property
    def aborted(self) -> bool:
        return self._aborted

    def abort(self) -> None:
        """Stop the turn. Safe in a signal handler: the flag is set at once, waiters are woken through their loop."""
        self._aborted = True
        for loop, event in tuple(self._waiting):
            loop.call_soon_threadsafe(event.set)

    async def wait(self) -> None:
        """Return as soon as the turn is aborted."""
        waiter = (asyncio.get_running_loop(), asyncio.Event())
        self._waiting.append(waiter)
        try:
            # Looked at only now: an abort before this line finds the waiter in the list, or is seen here.
            if not self._aborted:
                await waiter[1].wait()
        finally:
            self._waiting.remove(waiter)


class GatewayError(Exception):
    """The gateway did not give an answer. `message` is one plain sentence; `status` is the HTTP status, if any."""

    def __init__(self, message: str, *, retryable: bool, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
        self.status = status


class StreamTruncatedError(GatewayError):
    """The bytes ended, the answer did not."""

    def __init__(
        self,
        message: str = "The answer was cut off before it was finished; you can ask again.",
        *,
        retryable: bool = True,
        status: int | None = None,
    ) -> None:
        super().__init__(message, retryable=retryable, status=status)


def parse_chunk(payload: str) -> list[Delta]:
    """Translate the payload of one event, a chat-completions chunk, into the deltas it holds (often one, maybe none).

    Raises `GatewayError` for an error that the gateway reports inside the stream, and for a payload that is no chunk.
    """
    try:
        chunk = json.loads(payload)
    except (ValueError, RecursionError):
        chunk = None
    if not isinstance(chunk, dict):
        raise GatewayError("The gateway sent something that is not a chunk of an answer.", retryable=True)
    if chunk.get("error"):
        raise _reported(chunk["error"])
    try:
        return _deltas(chunk)
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise GatewayError("The gateway sent a chunk that does not follow its format.", retryable=True) from None


def _deltas(chunk: dict[str, Any]) -> list[Delta]:
    deltas: list[Delta] = []
    for choice in chunk.get("choices") or ():
        if choice.get("index"):
            continue  # a second candidate answer; this program shows one
        piece = choice.get("delta") or {}
        if reasoning := piece.get("reasoning_content") or piece.get("reasoning"):
            deltas.append(ReasoningDelta(_string(reasoning)))
        if text := piece.get("content"):
            deltas.append(TextDelta(_string(text)))
        for call in piece.get("tool_calls") or ():
            function = call.get("function") or {}
            call_id, name = _string_or_none(call.get("id")), _string_or_none(function.get("name"))
            arguments = _string(function.get("arguments") or "")
            deltas.append(ToolCallDelta(int(call.get("index") or 0), call_id, name, arguments))
        if reason := choice.get("finish_reason"):
            deltas.append(FinishDelta(_string(reason)))
    if usage := chunk.get("usage"):
        deltas.append(UsageDelta(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)))
    return deltas


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _string_or_none(value: object) -> str | None:
    return None if value is None else _string(value)


def _reported(error: object) -> GatewayError:
    """The exception for `{"error": ...}`; gateways put a sentence there, or an object with `message` and `code`."""
    details = error if isinstance(error, dict) else {"message": error}
    code = details.get("code")
    status = code if isinstance(code, int) else None
    said = " ".join(str(details.get("message") or "no reason given").split())[:200].rstrip(".")
    return GatewayError(
        f"The gateway stopped with an error: {said}.",
        retryable=status is None or is_retryable(status),
        status=status,
    )


def is_retryable(status: int) -> bool:
    """Whether the same request may succeed later: too many requests, a time-out, or trouble on the server's side."""
    return status in (408, 429) or status >= 500
