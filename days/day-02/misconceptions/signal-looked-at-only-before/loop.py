"""The signal is looked at before the gateway is asked; from then on the stream decides."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    if signal.aborted:
        yield DoneEvent("aborted")
        return
    answer = ""
    reason: DoneReason = "stop"
    failure: GatewayError | None = None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            match delta:
                case TextDelta(text):
                    answer += text
                    yield TextEvent(text)
                case FinishDelta(why):
                    reason = done_reason(why)
    except GatewayError as error:
        failure = error

    if answer:
        messages.append(Message("assistant", answer))
    if failure:
        yield ErrorEvent(failure.message, failure.retryable)
        yield DoneEvent("error")
    else:
        yield DoneEvent(reason)


def done_reason(finish_reason: str) -> DoneReason:
    return "length" if finish_reason == "length" else "tool_calls" if finish_reason == "tool_calls" else "stop"
