"""What a command line names: found, or the end of the program with one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from ..catalogue import Catalogue, language_of_locale
from ..course.lab import Lab, UnknownLab, find_lab, labs
from ..course.workdir import find_target, is_composed
from ..statuses import WRONG_USAGE
from .options import Lang

if TYPE_CHECKING:
    from ..progress import Progress


def the_lab(name: str, commands: set[str | None] | None = None, lang: Lang | None = None) -> Lab:
    """The lab of this name, or the end of the program with a sentence."""
    import difflib

    try:
        return find_lab(name)
    except UnknownLab as unknown:
        say = the_catalogue(lang).say
        candidates = [*(lab.id for lab in labs()), *filter(None, commands or ())]
        nearest = unknown.nearest or next(iter(difflib.get_close_matches(name, candidates, 1)), None)
        fail(say("cli.unknown", name=name, nearest=nearest) if nearest else say("cli.unknown-lab", name=name))


def the_catalogue(lang: Lang | None, lab: Lab | None = None) -> Catalogue:
    language = lang.value if lang else language_of_locale()
    return lab.catalogue(language) if lab else Catalogue(language)


def fail(sentence: str, status: int = WRONG_USAGE) -> NoReturn:
    typer.echo(f"grade: {sentence}", err=True)
    raise SystemExit(status)


def the_target(lab: Lab, path: Path | None, catalogue: Catalogue) -> Path:
    """The directory to work on, or the end of the program with a sentence."""
    target = path or find_target(lab)
    if target is None:
        fail(catalogue.say("cli.nothing-to-grade", lab=lab.id))
    if not target.is_dir():
        fail(catalogue.say("cli.no-directory", path=target))
    return target


def the_checks(lab: Lab, names: Sequence[str], catalogue: Catalogue) -> tuple[str, ...]:
    """The checks of these names in the lab's order, all of them without names; or the end with a sentence."""
    import difflib

    for name in names:
        if name not in lab.checks:
            nearest = next(iter(difflib.get_close_matches(name, lab.checks, 1, 0.4)), ", ".join(lab.checks))
            fail(catalogue.say("cli.unknown-check", name=name, nearest=nearest))
    return tuple(check for check in lab.checks if not names or check in names)


def is_own(lab: Lab, path: Path | None) -> bool:
    """Whether what is graded is the user's own work, and no submission of somebody else's."""
    return path is None or is_composed(path, lab)


def the_progress(catalogue: Catalogue) -> Progress:
    """The user's progress; what cannot be read or kept of it is said on standard error, and nothing else."""
    from ..progress import Progress

    return Progress(catalogue, lambda sentence: typer.echo(f"grade: {sentence}", err=True))
