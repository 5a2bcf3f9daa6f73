"""An expectation that was not met."""

from __future__ import annotations

from ..harmless import first_difference
from ..results import Verdict


class Failure(Exception):
    """What a probe ends with when it does not pass: a whole sentence, and both sides where there are two."""

    def __init__(
        self, message: str, *, expected: str | None = None, actual: str | None = None, verdict: Verdict = "wrong"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.actual = actual
        self.verdict = verdict

    @property
    def first_difference(self) -> int | None:
        if self.expected is None or self.actual is None:
            return None
        return first_difference(self.expected, self.actual)
