"""How long the solution's parser takes: on small events beside the least that any parser must do, and on large ones.

README.md beside this file says what is measured, and how to run it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import solution
import texts
from measure import Call, WrongWork, measure_in_turns, tell
from script import Options, run
from tables import table

ROUNDS = 7

CHUNK = 1 << 16
"""Bytes that the network brings at once."""

SMALL_EVENTS = 200_000
AIM = 0.8
SIZES = (1, 2, 5, 10, 20)
"""Megabytes of text in one event."""
LINES = (1_000, 10_000, 100_000)
"""`data:` lines of one event."""

FINISHED = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

Deltas = list[Any]


@dataclass(frozen=True)
class Growth:
    """One large event, and its payload given to `parse_chunk` alone. `amount` is its bytes of text, or its lines."""

    ours: Call[Deltas]
    floor: Call[Deltas]
    amount: int


def measure(options: Options) -> list[str]:
    rng = random.Random(options.seed)
    with contextlib.closing(asyncio.new_event_loop()) as loop:
        small = small_events(rng, loop)
        sizes = [large_event(rng, loop, megabytes) for megabytes in SIZES]
        lines = [long_event(rng, loop, count) for count in LINES]
        measure_in_turns(small, options.rounds, tell)
        for one in sizes + lines:
            measure_in_turns([one.ours, one.floor], options.rounds, tell)
    return [small_table(*small), growth_table("byte", sizes), growth_table("line", lines)]


def small_events(rng: random.Random, loop: asyncio.AbstractEventLoop) -> list[Call[Deltas]]:
    """Ours and the floor, on the same bytes: an event of about 200 bytes for each delta."""
    wanted = texts.deltas(texts.prose(rng, SMALL_EVENTS * texts.DELTA))
    body = ("".join(f"data: {chunk_with(text)}\n\n" for text in wanted) + FINISHED).encode()
    return [
        Call("read_deltas", lambda: read(loop, body), hold("read_deltas", wanted)),
        Call("floor", lambda: read_naively(body), hold("floor", wanted)),
    ]


def large_event(rng: random.Random, loop: asyncio.AbstractEventLoop, megabytes: int) -> Growth:
    text = texts.prose(rng, 100_000) * (megabytes * 10)
    return growth(f"{megabytes} MB", megabytes * 1_000_000, loop, [chunk_with(text)], [text])


def long_event(rng: random.Random, loop: asyncio.AbstractEventLoop, lines: int) -> Growth:
    """A choice on each line but the first and the last, so that each line is seen again as a delta."""
    wanted = texts.deltas(texts.prose(rng, (lines - 2) * texts.DELTA))
    choices = [json.dumps({"index": 0, "delta": {"content": text}}) + "," for text in wanted]
    choices[-1] = choices[-1].removesuffix(",")
    return growth(f"{lines:,} lines", lines, loop, ['{"choices":[', *choices, "]}"], wanted)


def growth(
    name: str, amount: int, loop: asyncio.AbstractEventLoop, lines: Sequence[str], wanted: Sequence[str]
) -> Growth:
    body = ("".join(f"data: {line}\n" for line in lines) + "\n" + FINISHED).encode()
    payload = "\n".join(lines)
    parse_chunk = solution.chunk_parser()
    # The floor's finish is only for the verification, which is the same for both.
    finish = parse_chunk(FINISHED.removeprefix("data: ").partition("\n")[0])
    return Growth(
        Call(name, lambda: read(loop, body), hold(name, wanted)),
        Call(f"parse_chunk, {name}", lambda: parse_chunk(payload) + finish, hold(f"parse_chunk, {name}", wanted)),
        amount,
    )


def chunk_with(text: str) -> str:
    """A chunk in the form of OpenAI's chat completions."""
    return json.dumps(
        {
            "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
            "object": "chat.completion.chunk",
            "created": 1741569952,
            "model": "gpt-4.1-2025-04-14",
            "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}],
        }
    )


def read(loop: asyncio.AbstractEventLoop, body: bytes) -> Deltas:
    return loop.run_until_complete(collect(body))


async def collect(body: bytes) -> Deltas:
    read_deltas = solution.parser()
    async with contextlib.aclosing(chunks(body)) as incoming:  # a parser need not read to the end
        return [delta async for delta in read_deltas(incoming)]


async def chunks(body: bytes) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(body), CHUNK):
        yield body[start : start + CHUNK]


def read_naively(body: bytes) -> Deltas:
    """The floor: the whole body at once, one `data:` line in each event, and nothing that ever goes wrong."""
    parse_chunk = solution.chunk_parser()
    deltas: Deltas = []
    for event in body.split(b"\n\n"):
        payload = event[len(b"data: ") :].decode()
        if payload == "[DONE]":
            break
        deltas += parse_chunk(payload)
    return deltas


def hold(name: str, wanted: Sequence[str]) -> Callable[[Deltas], None]:
    """A check that the deltas carry these texts, one each, and that the finish is behind them."""

    def verify(deltas: Deltas) -> None:
        *pieces, finish = deltas
        if [piece.text for piece in pieces] != list(wanted) or finish.reason != "stop":
            raise WrongWork(f"{name}: not the {len(wanted)} deltas of the stream, but {len(pieces)} and {finish!r:.60}")

    return verify


def small_table(ours: Call[Deltas], floor: Call[Deltas]) -> str:
    rows = []
    for one in (ours, floor):
        median, least, _, _ = one.figures()
        rows.append([one.name, *(f"{wall / SMALL_EVENTS * 1e6:.2f}" for wall in (median, least))])
    ratios = [theirs / mine for theirs, mine in zip(floor.figures()[:2], ours.figures()[:2], strict=True)]
    rows.append([f"floor / ours (aim {AIM})", *(f"{ratio:.2f}" for ratio in ratios)])
    return table([f"{SMALL_EVENTS:,} small events", "us per event, median", "min"], rows)


def growth_table(unit: str, growths: Sequence[Growth]) -> str:
    """What one byte or line costs in each event, and beside it in the first."""
    rows = [[one.ours.name, f"{one.ours.least * 1e3:.1f}"] for one in growths]
    for subjects in ([one.ours for one in growths], [one.floor for one in growths]):
        costs = [subject.least / one.amount * 1e9 for subject, one in zip(subjects, growths, strict=True)]
        for row, cost in zip(rows, costs, strict=True):
            row += [f"{cost:.1f}", f"{cost / costs[0]:.2f}"]
    head = ["read_deltas, one event of", "ms, min", f"ns per {unit}", "to the first"]
    return table([*head, "parse_chunk alone", "to the first"], rows)


if __name__ == "__main__":
    sys.exit(run(__doc__, ROUNDS, measure))
