from deltas import ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, ErrorEvent, TextEvent


async def run_turn(provider, messages, signal):
    parts = []
    reason = "stop"
    error = None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if isinstance(delta, TextDelta):
                parts.append(delta.text)
                yield TextEvent(delta.text)
            if isinstance(delta, FinishDelta) and delta.reason in ("length", "tool_calls"):
                reason = delta.reason
    except GatewayError as problem:
        error = problem
    if signal.aborted:
        yield DoneEvent("aborted")
        return
    if parts:
        messages.append(Message("assistant", "".join(parts)))
    if error:
        yield ErrorEvent(error.message, error.retryable)
        yield DoneEvent("error")
        return
    yield DoneEvent(reason)
