"""An expectation that was not met."""

from __future__ import annotations

from ..evidence.limits import LimitReached
from ..harmless import SHOWN_LIMIT, around, first_difference, harmless
from ..results import Verdict
from .cut import CutStream


class Failure(Exception):
    """Why a probe does not pass: a whole sentence, and both sides as they were, where there are two.

    `at` is the stream that a parser took wrong, and with `any_ending` it did not matter how it ended.
    """

    def __init__(
        self,
        message: str,
        *,
        expected: str | None = None,
        actual: str | None = None,
        verdict: Verdict = "wrong",
        limit: LimitReached | None = None,
        at: CutStream | None = None,
        any_ending: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.actual = actual
        self.verdict = verdict
        self.limit = limit
        self.at = at
        self.any_ending = any_ending

    def sides(self) -> tuple[str | None, str | None, int | None]:
        """Both sides fit for a report, and where they part in these; what is cut out is far from that place."""
        if self.expected is None or self.actual is None:
            return self.expected and harmless(self.expected), self.actual and harmless(self.actual), None
        place = first_difference(self.expected, self.actual) or 0
        expected, actual = (harmless(around(side, place), 2 * SHOWN_LIMIT) for side in (self.expected, self.actual))
        return expected, actual, first_difference(expected, actual)
