"""One turn: from the gateway's deltas to the events that the rest of the program understands.

This is the border. No gateway object goes beyond it, so the screen and the session log never learn which provider
answers.
"""

from __future__ import annotations

# --- exercise 2: translation ---
from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, Message, TextDelta
from events import DoneEvent, Event
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    """Ask the provider to answer `messages`, and yield what happens."""
    text = ""
    async for delta in provider.stream(ChatRequest(messages, signal=signal)):
        if signal.aborted:
            break
        if isinstance(delta, TextDelta):
            text += delta.text
            yield delta
    if text:
        messages.append(Message("assistant", text))
    yield DoneEvent("aborted" if signal.aborted else "stop")


# --- end of exercise 2 ---
