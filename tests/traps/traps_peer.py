"""What eventsource-parser gave for random streams, kept in peer.json.gz.

``ask FIRST LAST`` prints the streams of these seeds, and how they are cut, for record_peer.mjs; ``keep`` packs its
answers. The whole command stands there.
"""

from __future__ import annotations

import base64
import gzip
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from traps_streams import chunks, stream

RECORD = Path(__file__).with_name("peer.json.gz")


@dataclass(frozen=True)
class Recorded:
    seed: int
    chunks: list[bytes]
    events: list[tuple[int, str, str, str]]
    """How many chunks had been fed when it came; type, data, last id."""
    plain: list[str]
    """The data of the events where the decoder takes a byte order mark away, too."""


def recorded() -> list[Recorded]:
    lines = gzip.decompress(RECORD.read_bytes()).splitlines()
    return [
        Recorded(
            one["seed"],
            [base64.b64decode(chunk) for chunk in one["chunks"]],
            [tuple(event) for event in one["events"]],
            one["plain"],
        )
        for one in map(json.loads, lines)
    ]


def questions(first: int, last: int) -> Iterator[str]:
    for seed in range(first, last):
        rng = random.Random(seed)
        cut = [base64.b64encode(chunk).decode() for chunk in chunks(rng, stream(rng))]
        yield json.dumps({"seed": seed, "chunks": cut})


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["ask", first, last]:
            print(*questions(int(first), int(last)), sep="\n")
        case ["keep"]:
            RECORD.write_bytes(gzip.compress(sys.stdin.buffer.read(), mtime=0))
        case _:
            sys.exit(__doc__)
