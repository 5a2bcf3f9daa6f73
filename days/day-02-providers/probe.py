"""Asks one of the student's files by itself, with plain data, what it makes of a scenario.

One JSON object a line comes in, one goes out, with the same `id`. `file` says who is asked; no other file of the
student's is imported for it. Bytes are texts of which each character stands for one byte. `answer` is a list that
grows as things happen, and `error` what ended it, or null.

    utf8.py          "chunks": [BYTES, ...]
                  -> TEXT of each chunk, then that of `close`
    transport.py     "transport": "chunks" | "growing", "steps": [["receive", BYTES] | ["end"], ...]
                  -> of each step the texts that were handed on: [TEXT, ...]
    providers.py     "provider": NAME, "events": [[NAME, DATA], ...], "end": true | false
                  -> [CHANNEL, DELTA, SO_FAR] for each call of the listener; "taken": how many events were taken;
                     "ended": whether `end` came back
    policy.py        "mode": "sentences" | "whole", "deltas": [TEXT, ...]
                  -> TEXT let out at each delta, then that of `end`
    paint.py         "steps": [[MS, "changed" | "finished", TEXT] | [MS, "cleared"] | [MS, "wait"], ...]
                  -> [MS, TEXT] for each paint; the newest text is TEXT from its step on, and empty from "cleared" on
    conversation.py  "steps": [["ask", TEXT] | ["add", CHANNEL, TEXT] | ["restart"] | ["finish"]
                              | ["fail", MESSAGE, RETRYABLE], ...]
                  -> after each step {"turns": [...], "history": [[ROLE, TEXT], ...]}

With `"stream"` instead of `"events"`, `providers.py` is given the events of these bytes. `"cuts"` asks for that stream
once for each list of positions, and `outcomes` and `results` take the place of the answer: each different outcome
once, and the number of the outcome of each way of cutting. `"through": "growing" | "chunks"` sends the bytes through
the student's `utf8.py` and `transport.py` on their way; without it they take a way that is known to be right.

`PROBE` may hold the number of a descriptor that takes the place of standard output.
"""

from __future__ import annotations

import codecs
import heapq
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from sse import EventParser, ServerEvent
from turn import Channel, Decoder, ProviderError

Request = dict[str, Any]
Answer = list[Any]

SHOWN = 200  # characters of a value that is none of JSON's


def plain(value: object) -> object:
    """A value as JSON has it; anything else as it looks."""
    return value if type(value) in (str, int, float, bool, type(None)) else looks(value)


def looks(value: object) -> str:
    try:
        return repr(value)[:SHOWN]
    except Exception:
        return f"<{type(value).__name__}>"


class KnownDecoder:
    """Decodes as it should be, so that a transport can be asked by itself."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def feed(self, chunk: bytes) -> str:
        return self._decoder.decode(chunk)

    def close(self) -> str:
        return self._decoder.decode(b"", final=True)


def ask_utf8(request: Request, answer: Answer) -> None:
    from utf8 import Utf8Decoder

    decoder = Utf8Decoder()
    for chunk in request["chunks"]:
        answer.append(plain(decoder.feed(as_bytes(chunk))))
    answer.append(plain(decoder.close()))


def ask_transport(request: Request, answer: Answer) -> None:
    handed_on: list[Any] = []
    transport = new_transport(request["transport"], KnownDecoder(), lambda text: handed_on.append(plain(text)))
    for verb, *values in request["steps"]:
        getattr(transport, verb)(*map(as_bytes, values))
        answer.append(handed_on[:])
        handed_on.clear()


def new_transport(name: str, decoder: Decoder, hand_on: Callable[[str], None]) -> Any:
    import transport

    return {"chunks": transport.ChunkTransport, "growing": transport.GrowingTransport}[name](decoder, hand_on)


def ask_providers(request: Request, answer: Answer) -> dict[str, Any]:
    from providers import Translator

    progress = {"taken": 0, "ended": False}
    request["progress"] = progress  # also when the translator raises

    def listen(channel: Channel, delta: str, so_far: str) -> None:
        answer.append([plain(channel), plain(delta), plain(so_far)])

    translator = Translator(request["provider"], listen)

    def take(event: ServerEvent) -> None:
        translator.take(event)
        progress["taken"] += 1

    if "stream" in request:
        carry(request, take)
    else:
        for name, data in request["events"]:
            take(ServerEvent(name, data))
    if request.get("end", True):
        translator.end()
        progress["ended"] = True
    return progress


def carry(request: Request, take: Callable[[ServerEvent], None]) -> None:
    """Cut the stream, and hand over the events that come out at the other end of the transport."""
    parser = EventParser()

    def parse(text: str) -> None:
        for event in parser.feed(text):
            take(event)

    chunks = pieces(as_bytes(request["stream"]), request["at"])
    name = request.get("through")
    if name is None:
        decoder = KnownDecoder()
        for chunk in chunks:
            parse(decoder.feed(chunk))
        return
    from utf8 import Utf8Decoder

    transport = new_transport(name, Utf8Decoder(), parse)
    for received in itertools.accumulate(chunks) if name == "growing" else chunks:
        transport.receive(received)
    transport.end()


def ask_policy(request: Request, answer: Answer) -> None:
    from policy import Policy

    policy = Policy(request["mode"])
    for delta in request["deltas"]:
        answer.append(plain(policy.feed(delta)))
    answer.append(plain(policy.end()))


class StoppedClock:
    """Time that passes when it is told to, and not otherwise."""

    def __init__(self) -> None:
        self._now = 0.0
        self._timers: list[tuple[float, int, StoppedTimer]] = []
        self._count = itertools.count()

    def now(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], None]) -> StoppedTimer:
        timer = StoppedTimer(callback)
        heapq.heappush(self._timers, (when, next(self._count), timer))
        return timer

    def pass_until(self, when: float) -> None:
        """Let it become `when`, and what was due before happen in its order. What is due just then comes later."""
        while self._timers and self._timers[0][0] < when:
            due, _, timer = heapq.heappop(self._timers)
            self._now = max(self._now, due)
            timer.fire()
        self._now = when


class StoppedTimer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self._callback = None

    def fire(self) -> None:
        callback, self._callback = self._callback, None
        if callback:
            callback()


def ask_paint(request: Request, answer: Answer) -> None:
    from paint import Painter

    clock = StoppedClock()
    newest = ""
    painter: Painter[str] = Painter(clock, lambda: newest, lambda text: answer.append([clock.now(), plain(text)]))
    for when, verb, *text in request["steps"]:
        clock.pass_until(when)
        if verb != "wait":
            newest = text[0] if text else ""
            getattr(painter, verb)()


def ask_conversation(request: Request, answer: Answer) -> None:
    from conversation import Conversation

    conversation = Conversation()
    for verb, *values in request["steps"]:
        if verb == "fail":
            values = [ProviderError(values[0], retryable=values[1])]
        getattr(conversation, verb)(*values)
        history = [[plain(message.role), plain(message.content)] for message in conversation.history()]
        answer.append({"turns": [seen(turn) for turn in conversation.turns], "history": history})


def seen(turn: Any) -> dict[str, Any]:
    """What a person sees of a turn."""
    reasoning = turn.reasoning
    return {
        "prompt": plain(turn.prompt),
        "reasoning": None if reasoning is None else {"text": plain(reasoning.text), "open": plain(reasoning.open)},
        "answer": plain(turn.answer),
        "done": plain(turn.done),
        "error": plain(turn.error),
        "retryable": plain(turn.retryable),
    }


ASK: dict[str, Callable[[Request, Answer], Any]] = {
    "utf8.py": ask_utf8,
    "transport.py": ask_transport,
    "providers.py": ask_providers,
    "policy.py": ask_policy,
    "paint.py": ask_paint,
    "conversation.py": ask_conversation,
}


def as_bytes(text: str) -> bytes:
    return text.encode("latin-1")


def pieces(stream: bytes, cuts: list[int]) -> list[bytes]:
    return [stream[start:end] for start, end in itertools.pairwise([0, *cuts, len(stream)]) if end > start]


def outcome(request: Request) -> dict[str, Any]:
    """The answer to one scenario, and the error that ended it."""
    answer: Answer = []
    error: dict[str, Any] | None = None
    try:
        ASK[request["file"]](request, answer)
    except Exception as problem:
        error = {
            "class": [kind.__name__ for kind in type(problem).__mro__[:-1]],
            "message": said(problem),
            "retryable": plain(getattr(problem, "retryable", None)),
        }
    return {"answer": answer, **request.get("progress", {}), "error": error}


def said(problem: Exception) -> str:
    try:
        return str(problem)[:SHOWN]
    except Exception:
        return "it cannot say what is wrong"


def reply(request: Request) -> dict[str, Any]:
    if "cuts" not in request:
        return {"id": request["id"], **outcome({"at": [], **request})}
    outcomes: list[dict[str, Any]] = []
    results: list[int] = []
    for cuts in request["cuts"]:
        found = outcome({**request, "at": cuts})
        if found not in outcomes:
            outcomes.append(found)
        results.append(outcomes.index(found))
    return {"id": request["id"], "outcomes": outcomes, "results": results}


def requests() -> Iterator[Request]:
    for line in sys.stdin:
        yield json.loads(line)


def main() -> None:
    out = open(int(os.environ.get("PROBE", "1")), "w", encoding="utf-8", closefd=False)
    for request in requests():
        out.write(json.dumps(reply(request)) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
