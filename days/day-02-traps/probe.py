"""Calls the parser on request, for whoever wants to know what it makes of a stream.

One JSON object a line comes in, one goes out. A request names a stream (each character stands for one byte) and the
ways to cut it, each a list of positions:

    {"id": 1, "stream": "data: ...", "cuts": [[], [3], [3, 9]]}

`"limit": 1000` is handed on as `max_event_bytes`, and `"json": true` asks `JSONEventStream` in the place of
`SSEParser`. The answer holds each different outcome once, and for each way of cutting the number of its outcome:

    {"id": 1, "outcomes": [{"items": [...], "asked": [...], "ended": 3, "error": null}], "results": [0, 0, 0]}

The items are what `feed` gave, chunk after chunk, and `close` at the end: class and fields. Where the request has
`"asked": true`, `asked` says how many chunks had been fed when each came, and `ended` how many when it was over, with
`close` as one more; else they are empty and null. `PROBE` may hold the number of a descriptor that takes the place of
standard output.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from sse import JSONEventStream, PayloadError, ServerSentEvent, SSEParser

SHOWN = 200  # characters of what is of a kind that nobody expects


def outcome(chunks: list[bytes], limit: int | None, *, as_json: bool) -> dict[str, Any]:
    """What the parser makes of these chunks: the items, and the error that ended them."""
    items: list[dict[str, Any]] = []
    asked: list[int] = []
    error: dict[str, Any] | None = None
    given = 0
    try:
        parser = (JSONEventStream if as_json else SSEParser)(max_event_bytes=limit)
        for given, chunk in enumerate(chunks, start=1):  # noqa: B007
            add(parser.feed(chunk), given, items, asked, as_json=as_json)
        given = len(chunks) + 1
        if not as_json:
            add(parser.close(), given, items, asked, as_json=False)
    except Exception as problem:
        error = {"class": [kind.__name__ for kind in type(problem).__mro__[:-3]], "message": str(problem)[:SHOWN]}
    return {"items": items, "asked": asked, "ended": given, "error": error}


def add(came: Any, given: int, items: list[dict[str, Any]], asked: list[int], *, as_json: bool) -> None:
    for item in came:
        items.append(shown(item, as_json=as_json))
        asked.append(given)


def shown(item: object, *, as_json: bool) -> dict[str, Any]:
    """An item as its class and fields. A payload may be anything that JSON can say."""
    if isinstance(item, ServerSentEvent | PayloadError):
        return {"class": type(item).__name__, **{name: plain(getattr(item, name)) for name in item._fields}}
    if as_json:
        return {"class": "Payload", "json": json.dumps(item, ensure_ascii=False, default=looks)}
    return {"class": type(item).__name__, "repr": looks(item)}


def plain(value: object) -> object:
    """A value as JSON has it; anything else as it looks."""
    return value if type(value) in (str, int, float, bool, type(None)) else looks(value)


def looks(value: object) -> str:
    return repr(value)[:SHOWN]


def pieces(stream: bytes, cuts: list[int]) -> list[bytes]:
    return [stream[start:end] for start, end in itertools.pairwise([0, *cuts, len(stream)]) if end > start]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    stream = request["stream"].encode("latin-1")
    outcomes: list[dict[str, Any]] = []
    results: list[int] = []
    for cuts in request["cuts"]:
        found = outcome(pieces(stream, cuts), request.get("limit"), as_json=request.get("json", False))
        if not request.get("asked"):
            found |= {"asked": [], "ended": None}
        if found not in outcomes:
            outcomes.append(found)
        results.append(outcomes.index(found))
    return {"id": request["id"], "outcomes": outcomes, "results": results}


def requests() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def main() -> None:
    out = open(int(os.environ.get("PROBE", "1")), "w", encoding="utf-8", closefd=False)
    for request in requests():
        out.write(json.dumps(answer(request)) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
