"""Calls the student's parser, so that what it does can be told from what other parsers do.

Started with the file's name in a composed directory. One JSON object a line comes in, one goes out on the descriptor
that `OBSERVE` names, with the same `id`:

    {"id", "stream": "data: ...", "cuts": [5, 9], "json": false, "limit": null}
    ->  {"id", "items", "asked", "ended", "error"}, as `probe.py` has them
    {"id", "start": "data: ", "repeated": "x", "end": "\\n\\n", "times": [1000, 2000], "chunk": 1024}
    ->  {"id", "costs": [...], "quadratic": [...]}

The second asks what events of these sizes cost, in seconds of CPU time, and what they cost a parser that is known to
go through everything again.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from time import process_time
from typing import Any

HERE = Path(__file__).parent
sys.path[0] = ""  # the composed directory, wherever this file lies

from probe import outcome, pieces  # noqa: E402

Answer = dict[str, Any]

# In seconds: a busy machine tells CPU time only roughly, so what costs less is done again and again.
LONG_ENOUGH = 0.03


def answer(request: Answer) -> Answer:
    if "times" in request:
        return costs(request)
    chunks = pieces(request["stream"].encode("latin-1"), request["cuts"])
    return outcome(chunks, request["limit"], as_json=request["json"])


def costs(request: Answer) -> Answer:
    from sse import SSEParser

    size = request["chunk"]
    texts = [request["start"] + request["repeated"] * times + request["end"] for times in request["times"]]
    ways = [pieces(text.encode("latin-1"), list(range(size, len(text), size))) for text in texts]
    return {
        "costs": [cost(SSEParser, chunks) for chunks in ways],
        "quadratic": [cost(quadratic(), chunks) for chunks in ways],
    }


def cost(new_parser: Any, chunks: list[bytes]) -> float:
    begun, times = process_time(), 0
    while (used := process_time() - begun) < LONG_ENOUGH or not times:
        parser = new_parser()
        for chunk in chunks:
            parser.feed(chunk)
        times += 1
    return used / times


def quadratic() -> Any:
    """The parser of the lab's own that costs are held to."""
    spec = importlib.util.spec_from_file_location("quadratic", HERE / "stand_ins" / "quadratic" / "sse.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.SSEParser


def main() -> None:
    out = open(int(os.environ["OBSERVE"]), "w", encoding="utf-8", closefd=False)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answered = answer(request)
        except Exception as problem:  # a parser that cannot be asked this
            answered = {"raised": type(problem).__name__}
        out.write(json.dumps({"id": request["id"], **answered}, default=repr) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
