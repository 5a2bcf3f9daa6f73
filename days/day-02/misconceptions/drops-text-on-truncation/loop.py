"""A turn that failed is reported and left at once."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    answer = ""
    reason: DoneReason = "stop"
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if signal.aborted:
                break
            match delta:
                case TextDelta(text):
                    answer += text
                    yield TextEvent(text)
                case FinishDelta(why):
                    reason = done_reason(why)
    except GatewayError as error:
        if not signal.aborted:
            yield ErrorEvent(error.message, error.retryable)
            yield DoneEvent("error")
            return

    if answer:
        messages.append(Message("assistant", answer))
    yield DoneEvent("aborted" if signal.aborted else reason)


def done_reason(finish_reason: str) -> DoneReason:
    return "length" if finish_reason == "length" else "tool_calls" if finish_reason == "tool_calls" else "stop"
