"""How fast the event-stream parser of day-02-traps is, and how right, beside those of the libraries, in one run.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import base64
import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import texts
from environments import ROOT
from event_parsers import EventParser, Vector, cut, event_parsers
from measure import Call, WrongWork, measure_in_turns, tell
from parser import chunk_with
from script import Options, run
from tables import table

ROUNDS = 7
LIBRARIES = ["launchdarkly-eventsource", "httpx-sse", "httpx2", "anthropic", "openai", "sseclient-py", "assel"]

EVENTS = 20_000
CHUNKS = (1 << 16, 16)
"""Bytes that the network brings at once: much from a proxy, or little."""

LARGE_CHUNK = 4096
MEGABYTES = (5, 10, 20)
"""Of text in one event, each twice the one before."""
LINES = (25_000, 50_000, 100_000)
"""`data:` lines of one event."""
LONG, TOO_LONG = 1.0, 5.0
"""Seconds of CPU time. What takes so long is run once only, and what takes too long is not given a larger event."""

VECTORS = ROOT / "tests" / "trace" / "sse-vectors.json"


@dataclass(frozen=True)
class Stream:
    """`events` are the data of its events."""

    name: str
    body: bytes
    events: Sequence[str]


def measure(options: Options) -> list[str]:
    parsers = event_parsers()
    tell("vectors")
    vectors = recorded_vectors()
    agreed = [sum(map(parser.agrees, vectors)) for parser in parsers]
    streams = small_events(random.Random(options.seed))
    shown = []
    for size in CHUNKS:
        columns = [in_turns(parsers, stream, size, options.rounds) for stream in streams]
        shown.append(speeds(f"chunks of {size:,} bytes", parsers, agreed, len(vectors), streams, columns))
    for larger in ([large_event(megabytes) for megabytes in MEGABYTES], [long_event(lines) for lines in LINES]):
        shown.append(growth(parsers, larger, options.rounds))
    return shown


def recorded_vectors() -> list[Vector]:
    return [
        Vector(
            base64.b64decode(one["bytes_b64"]),
            [(event.get("event") or "message", event["data"]) for event in one["expected"]],
        )
        for one in json.loads(VECTORS.read_text("utf-8"))["vectors"]
    ]


def small_events(rng: random.Random) -> list[Stream]:
    """An event for each delta of an answer: bare, in a provider's form, and among comments that keep a line open."""
    payloads = [chunk_with(text) for text in texts.deltas(texts.prose(rng, EVENTS * texts.DELTA))]
    forms = {
        "data only": "data: {}\n\n",
        "event and data": "event: content_block_delta\ndata: {}\n\n",
        "comments": ": keep-alive\n\n: 12 waiting\ndata: {}\n\n",
    }
    return [
        Stream(name, "".join(form.replace("{}", payload) for payload in payloads).encode(), payloads)
        for name, form in forms.items()
    ]


def large_event(megabytes: int) -> Stream:
    text = "lorem ipsum dolor" * 58_824 * megabytes
    return Stream(f"{megabytes} MB", f"data: {text}\n\n".encode(), [text])


def long_event(lines: int) -> Stream:
    line = chunk_with("four")
    return Stream(f"{lines:,} lines", f"data: {line}\n".encode() * lines + b"\n", ["\n".join([line] * lines)])


def calls_for(parsers: Sequence[EventParser], stream: Stream, size: int) -> list[Call[int]]:
    chunks = cut(stream.body, range(size, len(stream.body), size))
    return [
        Call(parser.name, partial(parser.count, chunks), hold(parser.name, len(stream.events))) for parser in parsers
    ]


def in_turns(parsers: Sequence[EventParser], stream: Stream, size: int, rounds: int) -> list[float]:
    """The least CPU time of each, in seconds. Before, each must have given the right events once."""
    chunks = cut(stream.body, range(size, len(stream.body), size))
    for parser in parsers:
        if [parser.seen(event)[1] for event in parser.events(chunks)] != stream.events:
            raise WrongWork(f"{parser.name}: not the data of the stream ({stream.name}, chunks of {size} bytes)")
    calls = calls_for(parsers, stream, size)
    measure_in_turns(calls, rounds, tell)
    return list(map(least, calls))


def least(call: Call[int]) -> float:
    """CPU time, in seconds: nothing here waits, and it says more than wall time where other work goes on."""
    return call.figures()[3]


def hold(name: str, wanted: int) -> Callable[[int], None]:
    def verify(count: int) -> None:
        if count != wanted:
            raise WrongWork(f"{name}: {count} events in the place of {wanted}")

    return verify


def speeds(
    title: str,
    parsers: Sequence[EventParser],
    agreed: Sequence[int],
    of: int,
    streams: Sequence[Stream],
    columns: Sequence[Sequence[float]],
) -> str:
    """Thousands of events a second, and how many of the vectors each agrees with."""
    rows = [
        [parser.name, str(right), *(f"{EVENTS / seconds / 1000:,.0f}" for seconds in times)]
        for parser, right, *times in zip(parsers, agreed, *columns, strict=True)
    ]
    head = [title, f"vectors of {of}", *(f"{stream.name}, k events/s" for stream in streams)]
    return table(head, rows)


def growth(parsers: Sequence[EventParser], streams: Sequence[Stream], rounds: int) -> str:
    """Seconds of CPU time for each stream, and the last in those of the one before: 2 is linear, 4 is a square."""
    times: dict[str, list[float]] = {parser.name: [] for parser in parsers}
    for stream in streams:
        able = [parser for parser in parsers if max(times[parser.name], default=0) < TOO_LONG]
        calls = calls_for(able, stream, LARGE_CHUNK)
        for call in calls:
            call.costs.append(call.run())
        tell(f"{stream.name}: " + "  ".join(f"{least(call):.3f}" for call in calls))
        measure_in_turns([call for call in calls if least(call) < LONG], rounds, tell)
        for call in calls:
            times[call.name].append(least(call))
    rows = []
    for name, taken in times.items():
        cells = [f"{seconds:.3f}" for seconds in taken] + ["-"] * (len(streams) - len(taken))
        rows.append([name, *cells, f"{taken[-1] / taken[-2]:.1f}" if len(taken) > 1 else "-"])
    return table(["one event of", *(f"{stream.name}, s" for stream in streams), "last doubling"], rows)


if __name__ == "__main__":
    sys.exit(run(__doc__, ROUNDS, measure, packages=LIBRARIES, named=LIBRARIES))
