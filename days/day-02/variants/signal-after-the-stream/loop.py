"""Differs from the solution: the signal is looked at only when the stream has ended, as it does after an abort."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway

REASONS: dict[str, DoneReason] = {"length": "length", "tool_calls": "tool_calls"}


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    text = ""
    reason: DoneReason = "stop"
    error: GatewayError | None = None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            match delta:
                case TextDelta(piece):
                    text += piece
                    yield TextEvent(piece)
                case FinishDelta(why):
                    reason = REASONS.get(why, "stop")
    except GatewayError as problem:
        error = problem

    if text:
        messages.append(Message("assistant", text))
    if signal.aborted:
        yield DoneEvent("aborted")
    elif error:
        yield ErrorEvent(error.message, error.retryable)
        yield DoneEvent("error")
    else:
        yield DoneEvent(reason)
