"""What people hand in: the submissions of `manifest/`, written into a directory as a person would have left them.

A file's text may say `@SOLUTION@` for the solution's file of that name (without its `from __future__` line, which has
to stand first), and `@200x-@` for two hundred times what stands behind the `x`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.course.lab import find_lab
from grader.evidence.limits import Limits

LAB = find_lab("day-02")
MANIFEST = Path(__file__).with_name("manifest")


@dataclass(frozen=True)
class Submission:
    """One submission, the check that shows its fault, and what must come out."""

    name: str
    why: str
    check: str
    verdict: str
    files: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by file: encoding, newline
    beside: int = 0  # unrelated files in the same directory
    limit: str | None = None  # which one the sentence must name
    limits: Mapping[str, Any] = field(default_factory=dict)
    message: str | None = None  # of the cause; `*` stands for anything
    group: str = ""

    @property
    def status(self) -> str:
        return self.verdict if self.verdict in ("pass", "error") else "fail"

    def lay_out(self, directory: Path) -> None:
        """Write the solution with these files instead of its own or beside them."""
        directory.mkdir()
        for number in range(self.beside):
            (directory / f"note-{number}.txt").touch()
        solution = {name: (LAB.solution / name).read_text("utf-8") for name in LAB.student_files}
        for name, text in (solution | dict(self.files)).items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encoded(expanded(text, solution.get(name, "")), **self.written.get(name, {})))

    def within(self) -> Limits:
        return Limits(**self.limits)


def expanded(text: str, solution: str) -> str:
    text = re.sub(r"@(\d+)x(.+?)@", lambda match: match[2] * int(match[1]), text, flags=re.DOTALL)
    return text.replace("@SOLUTION@", solution.replace("from __future__ import annotations\n", ""))


def encoded(text: str, encoding: str = "utf-8", newline: str = "\n") -> bytes:
    return text.replace("\n", newline).encode(encoding)


def submissions() -> list[Submission]:
    """All of them, by name: so honest ones come between hostile ones and show that those did no harm."""
    return sorted(_read(), key=lambda submission: submission.name)


def _read() -> Iterator[Submission]:
    for file in MANIFEST.glob("*.toml"):
        for entry in tomllib.loads(file.read_text("utf-8"))["submission"]:
            yield Submission(**entry, group=file.stem)
