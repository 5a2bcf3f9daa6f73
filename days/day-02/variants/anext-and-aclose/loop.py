"""Differs from the solution: the stream is kept in a variable, driven with `anext` and closed by the loop."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway

REASONS: dict[str, DoneReason] = {"length": "length", "tool_calls": "tool_calls"}


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    stream = provider.stream(ChatRequest(messages, signal=signal))
    text = ""
    ending: list[Event] = [DoneEvent("stop")]
    try:
        while not signal.aborted:
            try:
                delta = await anext(stream)
            except StopAsyncIteration:
                break
            if signal.aborted:
                break
            if isinstance(delta, TextDelta):
                text += delta.text
                yield TextEvent(delta.text)
            elif isinstance(delta, FinishDelta):
                ending = [DoneEvent(REASONS.get(delta.reason, "stop"))]
    except GatewayError as error:
        ending = [ErrorEvent(error.message, error.retryable), DoneEvent("error")]
    finally:
        await stream.aclose()

    if text:
        messages.append(Message("assistant", text))
    for event in [DoneEvent("aborted")] if signal.aborted else ending:
        yield event
