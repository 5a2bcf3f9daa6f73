"""How what a program costs grows with the size of what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

# The sizes that are measured, as multiples of the smallest.
SIZES = (1, 2, 4)

# A cost below this part of the yardstick's is no trouble, however it grows: it is too small to be told from measuring.
NOTICEABLE = 0.1


@dataclass(frozen=True)
class Growth:
    """CPU time in seconds, at each of `SIZES`."""

    costs: tuple[float, ...]

    @property
    def factor(self) -> float:
        """How many times the smallest size's cost the largest one's is: as many as its size if the cost is linear,
        the square of that if it is quadratic."""
        return self.costs[-1] / max(self.costs[0], 1e-6)

    def least(self, other: Growth) -> Growth:
        """What each size cost at least in two measurements: a busy machine only ever adds."""
        return Growth(tuple(map(min, self.costs, other.costs)))

    def is_like(self, quadratic: Growth) -> bool:
        """Whether this grows more like that than like something linear: nearer to it on a scale of ratios."""
        return self.factor > sqrt(SIZES[-1] * quadratic.factor) and self.costs[-1] > NOTICEABLE * quadratic.costs[-1]
