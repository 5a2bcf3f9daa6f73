"""Calls the parser on request, for whoever wants to know what it makes of a stream.

One JSON object a line comes in, one goes out. A request names a stream (each character stands for one byte) and the
ways to cut it, each a list of positions:

    {"id": 1, "stream": "data: ...", "cuts": [[], [3], [3, 9]]}

The answer holds each different outcome once, and for each way of cutting the number of its outcome:

    {"id": 1, "outcomes": [{"items": […], "asked": […], "ended": 3, "error": null}], "results": [0, 0, 0], "cpu_s": 0}

The items are the deltas: class and fields. Where the request has `"asked": true`, `asked` says how many chunks had been
asked for when each came, and `ended` how many when it was over; else they are empty and null. `cpu_s` is what all of it
cost, in seconds of CPU time. `PROBE` may hold the number of a descriptor that takes the place of standard output.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from sse import read_deltas


async def outcome(chunks: list[bytes]) -> dict[str, Any]:
    """What the parser makes of these chunks: the deltas, and the error that ended them."""
    deltas: list[dict[str, Any]] = []
    asked: list[int] = []
    error: dict[str, Any] | None = None
    given = 0

    async def give() -> AsyncIterator[bytes]:
        nonlocal given
        for chunk in chunks:
            given += 1
            yield chunk
        given += 1

    try:
        async for delta in read_deltas(give()):
            deltas.append(fields(delta))
            asked.append(given)
    except Exception as problem:
        error = {
            "class": [kind.__name__ for kind in type(problem).__mro__[:-3]],
            "message": str(problem),
            "retryable": getattr(problem, "retryable", None),
        }
    return {"items": deltas, "asked": asked, "ended": given, "error": error}


def fields(delta: object) -> dict[str, Any]:
    if dataclasses.is_dataclass(delta) and not isinstance(delta, type):
        values = {field.name: plain(getattr(delta, field.name)) for field in dataclasses.fields(delta)}
        return {"class": type(delta).__name__, **values}
    return {"class": type(delta).__name__, "repr": repr(delta)[:200]}


def plain(value: object) -> object:
    """A value as JSON has it; anything else as it looks."""
    return value if type(value) in (str, int, float, bool, type(None)) else repr(value)[:200]


def pieces(stream: bytes, cuts: list[int]) -> list[bytes]:
    return [stream[start:end] for start, end in itertools.pairwise([0, *cuts, len(stream)]) if end > start]


async def answer(request: dict[str, Any]) -> dict[str, Any]:
    stream = request["stream"].encode("latin-1")
    outcomes: list[dict[str, Any]] = []
    results: list[int] = []
    begun = time.process_time()
    for cuts in request["cuts"]:
        found = await outcome(pieces(stream, cuts))
        if not request.get("asked"):
            found |= {"asked": [], "ended": None}
        if found not in outcomes:
            outcomes.append(found)
        results.append(outcomes.index(found))
    return {"id": request["id"], "outcomes": outcomes, "results": results, "cpu_s": time.process_time() - begun}


def requests() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def main() -> None:
    out = open(int(os.environ.get("PROBE", "1")), "w", encoding="utf-8", closefd=False)
    with asyncio.Runner() as runner:
        for request in requests():
            out.write(json.dumps(runner.run(answer(request))) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
