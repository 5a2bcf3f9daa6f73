from deltas import ChatRequest, FinishDelta, GatewayError, Message, TextDelta
from events import DoneEvent, ErrorEvent, TextEvent


async def run_turn(provider, messages, signal):
    answer, reason, error = "", "stop", None
    try:
        async for delta in provider.stream(ChatRequest(messages, signal=signal)):
            match delta:
                case TextDelta(text=text):
                    answer += text
                case FinishDelta(reason="length" | "tool_calls" as reason):
                    pass
    except GatewayError as problem:
        error = problem
    if answer:
        yield TextEvent(answer)
        messages.append(Message("assistant", answer))
    if signal.aborted:
        yield DoneEvent("aborted")
    elif error is not None:
        yield ErrorEvent(str(error), error.retryable)
        yield DoneEvent("error")
    else:
        yield DoneEvent(reason)
