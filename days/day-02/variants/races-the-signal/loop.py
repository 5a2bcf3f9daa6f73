"""Differs from the solution: each delta races the signal, and whichever comes first decides."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway

REASONS: dict[str, DoneReason] = {"length": "length", "tool_calls": "tool_calls"}


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    stream = provider.stream(ChatRequest(messages, signal=signal))
    aborted = asyncio.create_task(signal.wait())
    text = ""
    reason: DoneReason = "stop"
    error: GatewayError | None = None
    try:
        while True:
            coming = asyncio.ensure_future(anext(stream))
            await asyncio.wait({coming, aborted}, return_when=asyncio.FIRST_COMPLETED)
            if signal.aborted:
                coming.cancel()
                with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration, GatewayError):
                    await coming
                break
            delta = await coming
            if isinstance(delta, TextDelta):
                text += delta.text
                yield TextEvent(delta.text)
            elif isinstance(delta, FinishDelta):
                reason = REASONS.get(delta.reason, "stop")
    except StopAsyncIteration:
        pass
    except GatewayError as problem:
        error = problem
    finally:
        aborted.cancel()
        await stream.aclose()

    if text:
        messages.append(Message("assistant", text))
    if signal.aborted:
        yield DoneEvent("aborted")
    elif error:
        yield ErrorEvent(error.message, error.retryable)
        yield DoneEvent("error")
    else:
        yield DoneEvent(reason)
