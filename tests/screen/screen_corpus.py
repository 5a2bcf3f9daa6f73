"""The recorded corpus: random streams and what @xterm/headless showed for each.

``ask FIRST LAST`` prints the streams of these seeds for record_corpus.mjs, and ``keep`` packs its answers
into corpus.json.gz; see there for the whole command. Streams on which that terminal threw are left out.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from screen_streams import stream

CORPUS = Path(__file__).with_name("corpus.json.gz")

Cell = tuple[str, str]
"""A character, empty for the second half of a wide one, and its style in words."""


@dataclass(frozen=True)
class Recorded:
    seed: int
    columns: int
    rows: int
    stream: bytes
    cursor: tuple[int, int]
    cells: list[list[Cell]]
    """The rows of the scrollback and of the screen."""


def load() -> list[Recorded]:
    with gzip.open(CORPUS, "rt", encoding="utf-8") as file:
        return [
            Recorded(
                seed=answer["seed"],
                columns=answer["columns"],
                rows=answer["rows"],
                stream=answer["stream"].encode(),
                cursor=tuple(answer["cursor"]),
                cells=[_cells(*row) for row in answer["shown"]],
            )
            for answer in json.load(file)
        ]


def _cells(chars: list[str], styles: list[tuple[int, str]]) -> list[Cell]:
    looks = [look for count, look in styles for _ in range(count)]
    return list(zip(chars, looks, strict=True))


def ask(first: int, last: int) -> None:
    for seed in range(first, last):
        made = stream(seed)
        data = base64.b64encode(made.data).decode()
        print(json.dumps({"seed": seed, "columns": made.columns, "rows": made.rows, "data": data}))


def keep() -> None:
    answers = [answer for line in sys.stdin if "crash" not in (answer := json.loads(line))]
    for answer in answers:
        answer["stream"] = base64.b64decode(answer.pop("data")).decode()
    packed = json.dumps(answers, ensure_ascii=False, separators=(",", ":")).encode()
    CORPUS.write_bytes(gzip.compress(packed, mtime=0))


if __name__ == "__main__":
    if sys.argv[1] == "ask":
        ask(int(sys.argv[2]), int(sys.argv[3]))
    else:
        keep()
