from deltas import ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, ErrorEvent, TextEvent


async def run_turn(provider, messages, signal):
    shown, how, trouble = [], "stop", ""
    stream = provider.stream(ChatRequest(messages, signal=signal))
    try:
        async for delta in stream:
            if signal.aborted:
                break
            if isinstance(delta, TextDelta):
                yield TextEvent(delta.text)
                shown.append(delta.text)
            elif isinstance(delta, FinishDelta) and delta.reason in ("length", "tool_calls"):
                how = delta.reason
    except GatewayError as error:
        trouble = error.message
    if shown:
        messages.append(Message("assistant", "".join(shown)))
    if signal.aborted:
        yield DoneEvent("aborted")
        return
    if trouble:
        yield ErrorEvent(trouble, retryable=True)
        how = "error"
    yield DoneEvent(how)
