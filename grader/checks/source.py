"""A file of the student's, read by a program of its own."""

from __future__ import annotations

from pathlib import Path

from .watch import Watch

NAMES_PROGRAM = Path(__file__).with_name("names.py")


class Source(Watch):
    """The running `names.py`, which was given this file."""

    def expect_names_absent(self, file: str, names: set[str]) -> None:
        """The file mentions none of these names as identifier, attribute, import or string constant."""
        reports = self.stage.program.reports
        self.wait(lambda: bool(reports), self.say("awaited.source", file=file))
        if mentioned := sorted(names.intersection(reports[0]["names"])):
            raise self.failure(self.say("forbidden-names", file=file, names=", ".join(mentioned)))
