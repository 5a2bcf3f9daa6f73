"""Errors are the caller's business; the text is remembered in any case."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, Message, TextDelta
from events import DoneEvent, DoneReason, Event, TextEvent
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    answer = ""
    reason: DoneReason = "stop"
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if signal.aborted:
                reason = "aborted"
                break
            if isinstance(delta, TextDelta):
                answer += delta.text
                yield TextEvent(delta.text)
            elif isinstance(delta, FinishDelta):
                reason = done_reason(delta.reason)
    finally:
        if answer:
            messages.append(Message("assistant", answer))
    yield DoneEvent(reason)


def done_reason(finish_reason: str) -> DoneReason:
    return "length" if finish_reason == "length" else "tool_calls" if finish_reason == "tool_calls" else "stop"
