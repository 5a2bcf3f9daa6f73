"""The student's files, read by a program of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .watch import Watch

READER = Path(__file__).with_name("reader.py")


class Source(Watch):
    """The running `reader.py`, which was given these files."""

    def expect_names_absent(self, file: str, names: set[str]) -> None:
        """The file mentions none of these names as identifier, attribute, import or string constant."""
        reports = self.stage.program.reports
        self.wait(lambda: bool(reports), self.say("awaited.source", file=file))
        if mentioned := sorted(names.intersection(reports[0]["names"])):
            raise self.failure(self.say("forbidden-names", file=file, names=", ".join(mentioned)))

    def definitions(self) -> dict[str, dict[str, Any]]:
        """What each file defines, by name, as far as they could be read."""
        self.wait_for_end()
        return {report["file"]: report["defines"] for report in self.stage.program.reports}
