"""The offline script engine: a gateway without a network.

It answers with a script from `offline_scripts/`, as the bytes that a real gateway would send, and hands them to the
same client. So the parser, the loop and the renderer work exactly as they do online.

A script is a TOML file. `prompts` lists what it answers to; each `[[replies]]` is one answer (`reasoning`, `text`,
`tool_calls`, `finish`): the first is played for the prompt, the next after the model has been called again in the same
turn, as happens when tools have run. The script without `prompts` answers everything else. A script with `fault` is
played instead of all others when `INJECT` names it.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx

SCRIPTS = Path(__file__).with_name("offline_scripts")

# Deltas of four characters fall on no word, line or marker: a program that leans on their size shows it at once.
DELTA_SIZE = 4


class ScriptError(Exception):
    """There is no script to play. The message is one plain sentence."""


class ScriptedTransport(httpx.AsyncBaseTransport):
    """Stands where httpx keeps its connections, and answers each request with a script.

    `delay` is the pause after each delta in seconds; `inject` names a fault, or is empty.
    """

    def __init__(self, *, delay: float = 0.0, inject: str = "") -> None:
        self._delay = delay
        self._scripts = load_scripts()
        self._fault = fault_named(inject, self._scripts) if inject else None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        messages = json.loads(await request.aread())["messages"]
        script = self._fault or script_for(messages, self._scripts)
        status = script.get("status", 200)
        if status != 200:
            return httpx.Response(status, json={"error": {"message": script["message"]}})
        return httpx.Response(
            200,
            headers={"Content-Type": "text/event-stream"},
            stream=_Body(reply_events(reply_for(messages, script), len(messages)), script, self._delay),
        )


class _Body(httpx.AsyncByteStream):
    """The body of one reply, event by event, with the script's fault if it has one."""

    def __init__(self, events: Iterator[bytes], script: dict[str, Any], delay: float) -> None:
        self._events = events
        self._script = script
        self._delay = delay

    async def __aiter__(self) -> AsyncIterator[bytes]:
        fault_at = self._script.get("after", -1)
        for number, event in enumerate(self._events):
            if number == fault_at:
                match self._script["fault"]:
                    case "truncated":
                        return
                    case "garbage":
                        yield b"data: {this is not JSON\n\n"
                    case "stalled":
                        await asyncio.Event().wait()  # for ever: only closing the connection ends it
            yield event
            await asyncio.sleep(self._delay)


def load_scripts() -> list[dict[str, Any]]:
    """Every script of the folder, in the order of their file names, one that answers any prompt among them."""
    scripts = []
    for path in sorted(SCRIPTS.glob("*.toml")):
        try:
            scripts.append(tomllib.loads(path.read_text("utf-8")))
        except ValueError as problem:
            raise ScriptError(f"The offline script {path.name} cannot be read: {problem}.") from None
    if not any(_answers_all(script) for script in scripts):
        raise ScriptError(f"The folder {SCRIPTS.name} holds no offline script that answers any prompt.")
    return scripts


def fault_named(name: str, scripts: list[dict[str, Any]]) -> dict[str, Any]:
    """The script that plays this fault."""
    faults = {script["fault"]: script for script in scripts if "fault" in script}
    if name not in faults:
        raise ScriptError(f"INJECT={name} is not a fault that can be played; there are: {', '.join(sorted(faults))}.")
    return faults[name]


def script_for(messages: list[dict[str, Any]], scripts: list[dict[str, Any]]) -> dict[str, Any]:
    """The script that answers the person's last message."""
    asked = [message["content"] for message in messages if message["role"] == "user"]
    prompt = asked[-1].strip().casefold() if asked else ""
    for script in scripts:
        if prompt in (known.casefold() for known in script.get("prompts", ())):
            return script
    return next(script for script in scripts if _answers_all(script))


def _answers_all(script: dict[str, Any]) -> bool:
    return "prompts" not in script and "fault" not in script


def reply_for(messages: list[dict[str, Any]], script: dict[str, Any]) -> dict[str, Any]:
    """The reply to play now: one further on for each time the model has spoken since the person did."""
    roles = [message["role"] for message in messages]
    since = roles[::-1].index("user") if "user" in roles else len(roles)
    calls = roles[len(roles) - since :].count("assistant")
    replies: list[dict[str, Any]] = script["replies"]
    return replies[min(calls, len(replies) - 1)]


def reply_events(reply: dict[str, Any], input_tokens: int) -> Iterator[bytes]:
    """The events of one reply, each as the bytes of a server-sent event. Messages and deltas count as tokens."""
    yield _event({"role": "assistant", "content": ""})
    for piece in split(reply.get("reasoning", "")):
        yield _event({"reasoning_content": piece})
    for piece in split(reply.get("text", "")):
        yield _event({"content": piece})
    calls = reply.get("tool_calls", [])
    for index, call in enumerate(calls):
        head = {"index": index, "id": call["id"], "type": "function"}
        yield _event({"tool_calls": [{**head, "function": {"name": call["name"], "arguments": ""}}]})
        for piece in split(call["arguments"]):
            yield _event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield _event({}, finish=reply.get("finish", "tool_calls" if calls else "stop"))
    usage = {"prompt_tokens": input_tokens, "completion_tokens": len(list(split(reply.get("text", ""))))}
    yield _data({"object": "chat.completion.chunk", "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def split(text: str) -> Iterator[str]:
    """Cut a text into pieces of four characters; the last may be shorter."""
    return (text[start : start + DELTA_SIZE] for start in range(0, len(text), DELTA_SIZE))


def _event(delta: dict[str, Any], *, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _data({"object": "chat.completion.chunk", "choices": [choice]})


def _data(chunk: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()
