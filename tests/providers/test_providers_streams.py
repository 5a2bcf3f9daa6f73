"""The recorded streams, the translators, and what each provider calls an error and an end."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from providers_lab import ANSWERS, CUT_OFF, LANGUAGES, PROVIDERS, REASONING, Probe, channels, latin, recording


@pytest.mark.parametrize("through", ["chunks", "growing"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_cut_at_any_byte_changes_nothing(probe: Probe, provider: str, language: str, through: str) -> None:
    stream = recording(provider, language)
    cuts = [[], list(range(1, len(stream))), *([at] for at in range(1, len(stream)))]
    found = probe.ask("providers.py", provider=provider, stream=latin(stream), through=through, cuts=cuts)
    assert set(found["results"]) == {0}
    [outcome] = found["outcomes"]
    assert outcome["error"] is None and outcome["ended"]
    assert channels(outcome["answer"]) == {"answer": ANSWERS[language], "reasoning": REASONING[language]}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_without_its_closing_event_is_cut(probe: Probe, provider: str) -> None:
    stream = recording(provider, "en")
    closing = {
        "openai": b'"finish_reason":"stop"',
        "responses": b"event: response.completed",
        "anthropic": b"event: message_stop",
        "gemini": b'"finishReason":"STOP"',
    }[provider]
    closed_from = stream.index(b"\n", stream.rindex(b"data:", 0, stream.index(b"}", stream.index(closing)) + 1))
    for length in range(0, len(stream), 7):
        found = probe.ask("providers.py", provider=provider, stream=latin(stream[:length]))
        if length <= closed_from:
            assert (found["error"]["message"], found["error"]["retryable"]) == (CUT_OFF, True)
            assert found["error"]["class"] == ["ProviderError", "Exception", "BaseException"]
        assert ANSWERS["en"].startswith(channels(found["answer"])["answer"])
    assert probe.ask("providers.py", provider=provider, stream=latin(stream))["error"] is None


def chat(delta: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, **more}]}


def block(delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": delta}


def parts(*texts: Any, **more: Any) -> dict[str, Any]:
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": list(texts)}, **more}]}


# One payload each: what is said on the channels, and whether the answer is closed.
SAID: list[tuple[str, Any, list[str], bool]] = [
    ("openai", chat({"content": "a", "reasoning_content": "r"}), ["r", "a"], False),
    ("openai", chat({"reasoning": "r"}), ["r"], False),
    ("openai", chat({"content": ""}), [], False),
    ("openai", chat({"content": "last"}, finish_reason="length"), ["last"], True),
    ("openai", {"choices": [{"index": 1, "delta": {"content": "second"}, "finish_reason": "stop"}]}, [], False),
    ("openai", chat({"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}), [], False),
    ("openai", {"choices": [], "usage": {"prompt_tokens": 1}}, [], False),
    ("openai", "[DONE]", [], True),
    ("responses", {"type": "response.output_text.delta", "delta": "a"}, ["a"], False),
    ("responses", {"type": "response.reasoning_text.delta", "delta": "r"}, ["r"], False),
    ("responses", {"type": "response.output_text.done", "text": "a"}, [], False),
    ("responses", {"type": "response.function_call_arguments.delta", "delta": "{"}, [], False),
    ("responses", {"type": "response.incomplete", "response": {}}, [], True),
    ("responses", "[DONE]", [], False),
    ("anthropic", block({"type": "text_delta", "text": "a"}), ["a"], False),
    ("anthropic", block({"type": "thinking_delta", "thinking": "r"}), ["r"], False),
    ("anthropic", block({"type": "signature_delta", "signature": "s"}), [], False),
    ("anthropic", block({"type": "input_json_delta", "partial_json": "{"}), [], False),
    ("anthropic", {"type": "ping"}, [], False),
    ("anthropic", {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, [], False),
    ("anthropic", {"type": "message_stop"}, [], True),
    ("gemini", parts({"text": "r", "thought": True}, {"text": "a"}), ["r", "a"], False),
    ("gemini", parts({"text": "a"}, finishReason="MAX_TOKENS"), ["a"], True),
    ("gemini", parts({"functionCall": {"name": "f"}}), [], False),
    ("gemini", {"candidates": [{"finishReason": "SAFETY", "index": 0}]}, [], True),
    ("gemini", {"usageMetadata": {}}, [], False),
]


@pytest.mark.parametrize(("provider", "payload", "said", "closed"), SAID)
def test_what_one_event_says(probe: Probe, provider: str, payload: Any, said: list[str], closed: bool) -> None:
    data = payload if isinstance(payload, str) else json.dumps(payload)
    found = probe.ask("providers.py", provider=provider, events=[["message", data]])
    assert [call[1] for call in found["answer"]] == said
    assert (found["taken"], found["ended"]) == (1, closed)


# One payload each, and whether asking again may help.
ERRORS: list[tuple[str, Any, bool]] = [
    ("openai", {"error": {"message": "busy", "type": "server_error", "code": None}}, True),
    ("openai", {"error": {"message": "slow\n down", "type": "requests", "code": "rate_limit_exceeded"}}, True),
    ("openai", {"error": {"message": "no money", "type": "insufficient_quota", "code": "insufficient_quota"}}, False),
    ("openai", {"error": {"message": "bad", "code": 400}}, False),
    ("openai", {"error": {"message": "bad", "code": 502}}, True),
    ("openai", {"error": "only a sentence"}, False),
    ("responses", {"type": "error", "code": "rate_limit_exceeded", "message": "slow"}, True),
    ("responses", {"type": "error", "error": {"type": "invalid_request_error", "message": "bad"}}, False),
    ("responses", {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "x"}}}, True),
    ("responses", {"type": "response.failed", "response": {"error": {"code": "invalid_prompt"}}}, False),
    ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, True),
    ("anthropic", {"type": "error", "error": {"type": "invalid_request_error", "message": "bad"}}, False),
    ("gemini", {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}, True),
    ("gemini", {"error": {"code": 400, "message": "bad", "status": "INVALID_ARGUMENT"}}, False),
    ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}, False),
    # What does not follow the format.
    *((provider, payload, True) for provider in PROVIDERS for payload in ("{", "7", "[]", "null")),
    ("openai", {"choices": [{"delta": {"content": 7}}]}, True),
    ("responses", {"type": "response.output_text.delta"}, True),
    ("anthropic", {"type": "content_block_delta"}, True),
    ("gemini", {"candidates": 7}, True),
]


@pytest.mark.parametrize(("provider", "payload", "retryable"), ERRORS)
def test_every_error_is_the_one_error(probe: Probe, provider: str, payload: Any, retryable: bool) -> None:
    data = payload if isinstance(payload, str) else json.dumps(payload)
    error = probe.ask("providers.py", provider=provider, events=[["message", data]])["error"]
    assert error["class"] == ["ProviderError", "Exception", "BaseException"]
    assert error["retryable"] is retryable
    assert re.fullmatch(r"[A-Z][^\n{}]*[.]", error["message"])


def test_an_error_comes_behind_what_came_before(probe: Probe) -> None:
    for provider in PROVIDERS:
        stream = recording(provider, "en") + recording(provider, "error")
        found = probe.ask("providers.py", provider=provider, stream=latin(stream))
        assert channels(found["answer"])["answer"] == ANSWERS["en"]
        assert found["error"]["retryable"] is True
        assert "stopped with an error" in found["error"]["message"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_handed_out_translator_takes_a_cut_answer_for_a_whole_one(starter_probe: Probe, provider: str) -> None:
    stream = latin(recording(provider, "en"))
    found = starter_probe.ask("providers.py", provider=provider, stream=stream)
    assert found["error"] is None
    assert channels(found["answer"]) == {"answer": ANSWERS["en"], "reasoning": REASONING["en"]}
    assert starter_probe.ask("providers.py", provider=provider, stream=stream[: len(stream) // 2])["ended"]
