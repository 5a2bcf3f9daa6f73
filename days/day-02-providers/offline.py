"""Recorded streams: the four providers without a network.

`offline_scripts/PROVIDER.LANGUAGE.sse` is one answer as that provider sends it, byte for byte. It is played event by
event. A prompt with a Chinese character gets the Chinese one.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx

from turn import Provider

SCRIPTS = Path(__file__).with_name("offline_scripts")

EVENT = re.compile(rb".*?(?:\r\n\r\n|\n\n)", re.DOTALL)
HAN = re.compile(r"[\u4e00-\u9fff]")

# The faults that `INJECT` can name, each in the middle of an answer:
#   truncated   the bytes end, the first time only
#   broken      the connection breaks, the first time only
#   error       the provider reports an error, every time
FAULTS = ("truncated", "broken", "error")


class RecordedTransport(httpx.AsyncBaseTransport):
    """Stands where httpx keeps its connections. `delay` is the pause after each event in seconds."""

    def __init__(self, provider: Provider, *, delay: float = 0.0, fault: str = "") -> None:
        self._provider = provider
        self._delay = delay
        self._fault = fault

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        # The last message is enough: the ones before it are in the language of an earlier question.
        asked = json.dumps(json.loads(await request.aread()), ensure_ascii=False).rpartition('"user"')[2]
        events = recording(self._provider, "zh" if HAN.search(asked) else "en")
        fault = self._fault
        if fault != "error":
            self._fault = ""
        body = _Body(events, self._delay, fault, SCRIPTS / f"{self._provider}.error.sse")
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=body)


class _Body(httpx.AsyncByteStream):
    def __init__(self, events: list[bytes], delay: float, fault: str, error: Path) -> None:
        self._events = events
        self._delay = delay
        self._fault = fault
        self._error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        middle = len(self._events) * 4 // 5 if self._fault else -1
        for number, event in enumerate(self._events):
            if number == middle:
                match self._fault:
                    case "truncated":
                        return
                    case "broken":
                        raise httpx.ReadError("the connection broke")
                    case "error":
                        yield self._error.read_bytes()
            yield event
            await asyncio.sleep(self._delay)


def recording(provider: Provider, language: str) -> list[bytes]:
    """One recorded answer, cut behind each blank line."""
    return EVENT.findall((SCRIPTS / f"{provider}.{language}.sse").read_bytes())
