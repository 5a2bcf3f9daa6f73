from deltas import ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, ErrorEvent, TextEvent


async def run_turn(provider, messages, signal):
    text, reason = "", "stop"

    def remember():
        if text:
            messages.append(Message(role="assistant", content=text))

    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            if isinstance(delta, TextDelta):
                text += delta.text
                yield TextEvent(delta.text)
            elif isinstance(delta, FinishDelta):
                reason = delta.reason if delta.reason in ("length", "tool_calls") else "stop"
    except GatewayError as problem:
        remember()
        yield ErrorEvent(problem.message, problem.retryable)
        yield DoneEvent("error")
        return
    remember()
    yield DoneEvent("aborted" if signal.aborted else reason)
