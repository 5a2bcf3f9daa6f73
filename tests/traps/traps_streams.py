"""Random streams for parsers: short ones, made of what parsers stumble over."""

from __future__ import annotations

import random

PIECES = (
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"\r\r", b"\r\n\r\n", b"\n\r") * 3,
    *(b"data: ", b"data:", b"data", b"data: x\n\n", b"data: y\r\r", b"data: z\r\n\r\n") * 3,
    *(b"event: ", b"event", b"id: ", b"id", b"id: 7\n", b"retry: ", b"retry: 10\n", b"retry: -1\n") * 2,
    *(b":", b": note\n") * 2,
    *(b"Data: no\n", b" data: no\n", b"data : no\n", b"dat", b"a", b" ", b"  ", b"\t", b"\0", b"1", b"0"),
    *(b"[DONE]", b"{}"),
    *("é".encode(), "漢".encode(), "🐙".encode(), "\u2028".encode(), "\u0085".encode(), b"\x0b", b"\x0c", b"\x1c"),
    *(b"\xef\xbb\xbf", b"\xef\xbb", b"\xef", b"\xf0\x9f", b"\xc0\x8a", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(b"\xff", b"\x80"),
)  # fmt: skip

BOM = b"\xef\xbb\xbf"


def stream(rng: random.Random) -> bytes:
    """One of up to thirty pieces; one in four begins with a byte order mark, or with two."""
    start = rng.choice((b"", b"", b"", b"", b"", b"", BOM, BOM + BOM))
    return start + b"".join(rng.choices(PIECES, k=rng.randint(0, 30)))


def chunks(rng: random.Random, data: bytes) -> list[bytes]:
    """It, cut at up to eight places; a chunk may be empty."""
    places = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(0, 8)))
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def bytewise(data: bytes) -> list[bytes]:
    return [data[place : place + 1] for place in range(len(data))]
