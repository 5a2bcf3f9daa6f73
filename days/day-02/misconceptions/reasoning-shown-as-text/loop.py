"""Whatever has text is text."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, ReasoningDelta, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    answer = ""
    reason: DoneReason = "stop"
    failure: GatewayError | None = None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if signal.aborted:
                break
            if isinstance(delta, TextDelta | ReasoningDelta):
                answer += delta.text
                yield TextEvent(delta.text)
            elif isinstance(delta, FinishDelta):
                reason = done_reason(delta.reason)
    except GatewayError as error:
        failure = error

    if answer:
        messages.append(Message("assistant", answer))
    if signal.aborted:
        yield DoneEvent("aborted")
    elif failure:
        yield ErrorEvent(failure.message, failure.retryable)
        yield DoneEvent("error")
    else:
        yield DoneEvent(reason)


def done_reason(finish_reason: str) -> DoneReason:
    return "length" if finish_reason == "length" else "tool_calls" if finish_reason == "tool_calls" else "stop"
