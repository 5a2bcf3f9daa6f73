"""Only an answer that has come to its own end is worth keeping."""

from __future__ import annotations

from collections.abc import AsyncIterator

from deltas import CancelSignal, ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, DoneReason, ErrorEvent, Event, TextEvent
from gateway import Gateway


async def run_turn(provider: Gateway, messages: list[Message], signal: CancelSignal) -> AsyncIterator[Event]:
    """Ask the provider to answer `messages`, and yield what happens. However it ends, the last event is the one
    `DoneEvent`, and the text that was shown has become an assistant message."""
    received: list[str] = []
    reason: DoneReason = "stop"
    failure: GatewayError | None = None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if signal.aborted:
                break  # the stream is not read to its end; `end_turn` of the provider closes it
            if isinstance(delta, TextDelta):
                received.append(delta.text)
                yield TextEvent(delta.text)
            elif isinstance(delta, FinishDelta):
                reason = done_reason(delta.reason)
    except GatewayError as error:
        failure = error

    if received and reason == "stop":
        messages.append(Message("assistant", "".join(received)))
    # The signal first: after an abort the bytes end early, which a good parser reports as a cut stream.
    if signal.aborted:
        yield DoneEvent("aborted")
    elif failure:
        yield ErrorEvent(failure.message, failure.retryable)
        yield DoneEvent("error")
    else:
        yield DoneEvent(reason)


def done_reason(finish_reason: str) -> DoneReason:
    """Providers have many words for the end of an answer; the loop's listeners need to tell these three apart."""
    if finish_reason == "length":
        return "length"
    if finish_reason == "tool_calls":
        return "tool_calls"
    return "stop"
