"""A stream, and where the network cuts it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class CutStream:
    """`cuts` are ascending places in bytes, each inside the stream. `told` is what else the probe program is told."""

    stream: bytes
    cuts: tuple[int, ...] = ()
    told: tuple[tuple[str, object], ...] = ()

    @property
    def chunks(self) -> list[bytes]:
        """What arrives, in order; an empty stream has none."""
        bounds = [0, *self.cuts, len(self.stream)]
        return [self.stream[start:end] for start, end in itertools.pairwise(bounds) if end > start]

    def cut_anew(self, cuts: Iterable[int]) -> CutStream:
        """The same, cut in other places."""
        return replace(self, cuts=tuple(cuts))

    def without(self, start: int, end: int) -> CutStream:
        """The same with these bytes taken out; the cuts stay between the bytes that are left."""
        moved = (cut if cut <= start else max(start, cut - (end - start)) for cut in self.cuts)
        stream = self.stream[:start] + self.stream[end:]
        cuts = sorted({cut for cut in moved if 0 < cut < len(stream)})
        return replace(self, stream=stream, cuts=tuple(cuts))
