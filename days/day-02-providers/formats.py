"""What the four providers send, written from their public formats: the grader's side, which plays them.

Every function gives server-sent events: (name, payload) pairs, or bytes as they go over the wire.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

PROVIDERS = ("openai", "responses", "anthropic", "gemini")

# The name of an event, and its data.
Event = tuple[str, str]


def piece(provider: str, channel: str, text: str) -> Event:
    """One delta of the answer or of the reasoning."""
    thought = channel == "reasoning"
    match provider:
        case "openai":
            return _unnamed({"choices": [_choice({"reasoning_content" if thought else "content": text})]})
        case "responses":
            name = "response.reasoning_summary_text.delta" if thought else "response.output_text.delta"
            return _named({"type": name, "item_id": "item", "output_index": 0, "delta": text})
        case "anthropic":
            key = "thinking" if thought else "text"
            return _named({"type": "content_block_delta", "index": 0, "delta": {"type": f"{key}_delta", key: text}})
        case _:
            part = {"text": text, **({"thought": True} if thought else {})}
            return _unnamed({"candidates": [{"content": {"parts": [part], "role": "model"}, "index": 0}]})


def others(provider: str) -> list[Event]:
    """What else a stream carries, and a screen does not: roles, pings, signatures, usage, other candidates."""
    match provider:
        case "openai":
            return [
                _unnamed({"choices": [_choice({"role": "assistant", "content": ""})]}),
                _unnamed({"choices": [{**_choice({"content": "another candidate"}), "index": 1}]}),
                _unnamed({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 5}}),
                _unnamed({"choices": [_choice({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]})]}),
            ]
        case "responses":
            return [
                _named({"type": "response.created", "response": {"id": "r", "status": "in_progress", "error": None}}),
                _named({"type": "response.output_text.done", "text": "the whole of it once more"}),
                _named({"type": "response.function_call_arguments.delta", "delta": "{}"}),
            ]
        case "anthropic":
            return [
                _named({"type": "ping"}),
                _named({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                _named(
                    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}}
                ),
                _named(
                    {
                        "type": "content_block_delta",
                        "index": 0,
                        "delta": {"type": "input_json_delta", "partial_json": "{"},
                    }
                ),
                _named({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}}),
            ]
        case _:
            return [
                _unnamed({"usageMetadata": {"totalTokenCount": 8}}),
                _unnamed({"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {}}}]}}]}),
            ]


def closings(provider: str) -> list[Event]:
    """The events of which each closes an answer."""
    match provider:
        case "openai":
            reasons = ("stop", "length", "tool_calls")
            return [*(_unnamed({"choices": [_choice({}, reason)]}) for reason in reasons), ("message", "[DONE]")]
        case "responses":
            return [
                _named({"type": f"response.{status}", "response": {"id": "r", "status": status}})
                for status in ("completed", "incomplete")
            ]
        case "anthropic":
            return [_named({"type": "message_stop"})]
        case _:
            return [
                _unnamed({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": reason, "index": 0}]})
                for reason in ("STOP", "MAX_TOKENS")
            ]


def error(provider: str, message: str, *, passing: bool) -> Event:
    """An error in the stream: one that may be gone the next time, or one that will not."""
    match provider:
        case "openai":
            return _unnamed({"error": {"message": message, "code": "server_error" if passing else "invalid_prompt"}})
        case "responses":
            code = "rate_limit_exceeded" if passing else "invalid_prompt"
            return _named({"type": "response.failed", "response": {"error": {"code": code, "message": message}}})
        case "anthropic":
            kind = "overloaded_error" if passing else "invalid_request_error"
            return _named({"type": "error", "error": {"type": kind, "message": message}})
        case _:
            return _unnamed({"error": {"code": 503 if passing else 400, "message": message, "status": "SOME"}})


def on_the_wire(events: Sequence[Event]) -> bytes:
    """The events as bytes; only two of the providers name theirs."""
    return "".join(
        f"{'' if name == 'message' else f'event: {name}{chr(10)}'}data: {data}\n\n" for name, data in events
    ).encode()


def _choice(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _unnamed(payload: dict[str, Any]) -> Event:
    return "message", json.dumps(payload, ensure_ascii=False)


def _named(payload: dict[str, Any]) -> Event:
    return payload["type"], json.dumps(payload, ensure_ascii=False)
