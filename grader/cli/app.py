"""The application, and its main job: `grade LAB`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from .. import __version__
from ..catalogue import language_of_locale
from ..course.lab import CHECKOUT, Lab, labs
from ..harmless import trouble_in_words
from ..statuses import COULD_NOT_GRADE, INTERRUPTED, WrongUsage
from .named import fail, is_own, the_catalogue, the_checks, the_progress, the_target
from .options import CheckOption, FormatOption, LangOption, PathOption, SeedOption, help_on

app = typer.Typer(
    name="grade",
    help=help_on("grade"),
    rich_markup_mode=None,  # rich doubles the time of --help
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help=help_on("version"))
    ] = False,
) -> None:
    pass


def lab_command(lab: Lab) -> Callable[..., None]:
    """The command `grade LAB`."""

    def command(
        context: typer.Context,
        path: PathOption = None,
        check: CheckOption = None,
        format: FormatOption = None,
        seed: SeedOption = None,
        repeat: Annotated[int, typer.Option("--repeat", min=1, help=help_on("repeat"))] = 1,
        keep: Annotated[Path | None, typer.Option("--keep", help=help_on("keep"))] = None,
        lang: LangOption = None,
        exit_zero: Annotated[bool, typer.Option("--exit-zero", help=help_on("exit-zero"))] = False,
    ) -> None:
        from .. import grade_command

        catalogue = the_catalogue(lang, lab)
        target = the_target(lab, path, catalogue)
        checks = the_checks(lab, check or [], catalogue)
        try:
            report = grade_command.run(context.obj, target, catalogue, checks, format or [], seed, repeat, keep)
        except WrongUsage as wrong:
            fail(str(wrong))
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except Exception as trouble:
            fail(catalogue.say("grader-trouble", problem=trouble_in_words(trouble)), COULD_NOT_GRADE)
        if is_own(lab, path):
            the_progress(catalogue).record(report)
        if not path and target.resolve() == lab.starter and Path.cwd() != CHECKOUT:
            typer.echo(catalogue.say("cli.graded-the-starter", lab=lab.id), err=True)
        raise typer.Exit(0 if exit_zero else grade_command.exit_status(report))

    return command


for _lab in labs():
    app.command(_lab.id, help=_lab.catalogue(language_of_locale()).say("title"))(lab_command(_lab))
