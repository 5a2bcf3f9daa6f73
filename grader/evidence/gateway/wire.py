"""The chat-completions stream as bytes: what a gateway sends. Each function gives one server-sent event."""

from __future__ import annotations

import json
from typing import Any

DONE = b"data: [DONE]\n\n"


def event(payload: object) -> bytes:
    """An event whose data is this value as JSON, on one line."""
    return f"data: {json.dumps(payload, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def chunk(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def text(piece: str) -> bytes:
    return event(chunk({"content": piece}))


def reasoning(piece: str) -> bytes:
    return event(chunk({"reasoning_content": piece}))


def tool_call(name: str, arguments: str) -> bytes:
    """A whole call in one fragment."""
    function = {"name": name, "arguments": arguments}
    return event(chunk({"tool_calls": [{"index": 0, "id": f"call-{name}", "function": function}]}))


def finish(reason: str = "stop") -> bytes:
    return event(chunk({}, reason))


def usage(input_tokens: int, output_tokens: int) -> bytes:
    return event({"choices": [], "usage": {"prompt_tokens": input_tokens, "completion_tokens": output_tokens}})


def error(message: str) -> bytes:
    return event({"error": {"message": message}})
