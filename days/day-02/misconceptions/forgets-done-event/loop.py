"""The events end when the turn does, so the end needs no event of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, GatewayError, Message, TextDelta
from events import ErrorEvent, Event, TextEvent
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    answer = ""
    failure: GatewayError | None = None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if signal.aborted:
                break
            if isinstance(delta, TextDelta):
                answer += delta.text
                yield TextEvent(delta.text)
    except GatewayError as error:
        failure = error

    if answer:
        messages.append(Message("assistant", answer))
    if failure and not signal.aborted:
        yield ErrorEvent(failure.message, failure.retryable)
