"""The options and arguments that commands share, with what a shell may complete."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..catalogue import Catalogue, language_of_locale
from ..course.lab import UnknownLab, find_lab, labs


class Lang(StrEnum):
    en = "en"
    zh = "zh"


# Help is made before the command line is read, so it is in the language of the locale.
_HELP = Catalogue(language_of_locale())


def help_on(name: str) -> str:
    return _HELP.say(f"help.{name}")


LangOption = Annotated[Lang | None, typer.Option("--lang", help=help_on("lang"))]
PathOption = Annotated[Path | None, typer.Option("--path", help=help_on("path"))]
SeedOption = Annotated[int | None, typer.Option("--seed", min=0, help=help_on("seed"))]
ForceOption = Annotated[bool, typer.Option("--force", help=help_on("force"))]


def lab_ids(incomplete: str) -> list[str]:
    return [lab.id for lab in labs() if lab.id.startswith(incomplete)]


def check_names(context: typer.Context, incomplete: str) -> list[str]:
    # Behind an option that still lacks its value, the lab is among the arguments that are not taken yet.
    for name in filter(None, (context.params.get("day"), *context.args, context.info_name)):
        with suppress(UnknownLab):
            return [check for check in find_lab(name).checks if check.startswith(incomplete)]
    return []


def format_names(incomplete: str) -> list[str]:
    return [name for name in ("console", "json") if name.startswith(incomplete)]


CheckOption = Annotated[list[str] | None, typer.Option("--check", help=help_on("check"), autocompletion=check_names)]
FormatOption = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="NAME[=FILE]", help=help_on("format"), autocompletion=format_names),
]
LabArgument = Annotated[str, typer.Argument(metavar="DAY", help=help_on("day"), autocompletion=lab_ids)]
OptionalLab = Annotated[str | None, typer.Argument(metavar="[DAY]", help=help_on("days"), autocompletion=lab_ids)]
