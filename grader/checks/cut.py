"""A stream, and where the network cuts it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass


@dataclass(frozen=True)
class CutStream:
    """`cuts` are ascending places in bytes, each inside the stream."""

    stream: bytes
    cuts: tuple[int, ...] = ()

    @property
    def chunks(self) -> list[bytes]:
        """What arrives, in order; an empty stream has none."""
        bounds = [0, *self.cuts, len(self.stream)]
        return [self.stream[start:end] for start, end in itertools.pairwise(bounds) if end > start]

    def without(self, start: int, end: int) -> CutStream:
        """The same with these bytes taken out; the cuts stay between the bytes that are left."""
        moved = (cut if cut <= start else max(start, cut - (end - start)) for cut in self.cuts)
        stream = self.stream[:start] + self.stream[end:]
        return CutStream(stream, tuple(sorted({cut for cut in moved if 0 < cut < len(stream)})))
