"""What `grade hint DAY` prints: one hint, and how to ask for the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from .catalogue import Catalogue
from .course.lab import Lab
from .paper import paper

LEVELS = 3


def next_check(checks: Sequence[str], passed: Mapping[str, bool]) -> str | None:
    """The first check that failed when it was last graded, else the first that never was; None if all passed."""
    failed = [check for check in checks if passed.get(check) is False]
    return next(iter(failed or [check for check in checks if check not in passed]), None)


def run(lab: Lab, check: str, level: int, catalogue: Catalogue) -> None:
    hint = Catalogue(catalogue.language, lab.directory / "hints.toml").say(f"{check}.{level}")
    name = "hint.more" if level < LEVELS else "hint.last"
    console = paper()
    console.print(Text.assemble((check, "bold"), f"  {catalogue.say(f'checks.{check}.title')}\n"))
    console.print(Text(f"{hint}\n"))
    console.print(Text(catalogue.say(name, lab=lab.id, check=check, level=level + 1), "dim"))
