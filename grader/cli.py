"""The command line: `grade DAY`, and everything else as a subcommand. What a command needs is imported when it runs."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from . import __version__
from .catalogue import Catalogue, language_of_locale
from .course.lab import CHECKOUT, Lab, UnknownLab, find_lab, labs
from .course.workdir import find_target, is_composed
from .engine import Engine
from .harmless import trouble_in_words
from .statuses import COULD_NOT_GRADE, FAILED, INTERRUPTED, PASSED, WRONG_USAGE, CouldNotGrade, WrongUsage

if TYPE_CHECKING:
    from .progress import Progress


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

app = typer.Typer(
    name="grade",
    help=help_on("grade"),
    rich_markup_mode=None,  # rich doubles the time of --help
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(engine: Engine | None) -> NoReturn:
    """Do what the command line says. A lab may be named in short; a name that is none is answered with the nearest.

    `engine` is there when the first word is a lab, and is the caller's to close.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a report in an encoding that lacks a sign is better than none
    known = {command.name for command in app.registered_commands}
    arguments = sys.argv[1:] or ["--help"]
    if not arguments[0].startswith("-") and arguments[0] not in known:
        arguments[0] = the_lab(arguments[0], known).id
    try:
        status = app(arguments, obj=engine, standalone_mode=False)
    except typer.Abort:
        status = INTERRUPTED
    except Exception as problem:
        if not hasattr(problem, "format_message"):  # typer's own, in whichever module its version has them
            raise
        fail(the_catalogue(None).say("cli.usage", problem=problem.format_message().rstrip(".")))
    raise SystemExit(status)


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
    from .progress import Progress

    return Progress(catalogue, lambda sentence: typer.echo(f"grade: {sentence}", err=True))


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
        from . import grade_command

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


def write_files(write: Callable[[], list[Path]], directory: Path, say: Callable[..., str]) -> None:
    """Write into a student's directory and name the copies that were kept, or end with a sentence."""
    from .workspace import Conflict

    try:
        copies = write()
    except Conflict as conflict:
        fail(say("cli.would-overwrite", files=conflict.names, directory=directory))
    except OSError as error:
        fail(say("cli.cannot-write", path=directory, problem=error.strerror), COULD_NOT_GRADE)
    for copy in copies:
        typer.echo(say("cli.kept-copy", copy=copy))


@app.command("start", help=help_on("start"))
def start(
    day: LabArgument,
    directory: Annotated[Path | None, typer.Argument(metavar="DIR", help=help_on("where"))] = None,
    force: ForceOption = False,
    lang: LangOption = None,
) -> None:
    from .workspace import start_directory

    lab = the_lab(day, lang=lang)
    say = the_catalogue(lang, lab).say
    where = directory or Path(lab.id)
    if not directory and is_composed(Path(), lab):
        fail(say("cli.inside-one", lab=lab.id))
    write_files(lambda: start_directory(lab, where, force=force), where, say)
    typer.echo(say("cli.started", directory=where, lab=lab.id, files=", ".join(lab.student_files)))


@app.command("reset", help=help_on("reset"))
def reset(
    day: LabArgument,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help=help_on("file"))] = None,
    path: PathOption = None,
    force: ForceOption = False,
    lang: LangOption = None,
) -> None:
    from .workspace import reset_files

    lab = the_lab(day, lang=lang)
    catalogue = the_catalogue(lang, lab)
    target = the_target(lab, path, catalogue)
    if file and file not in lab.student_files:
        fail(catalogue.say("cli.unknown-file", file=file, files=", ".join(lab.student_files)))
    names = [file] if file else lab.student_files
    write_files(lambda: reset_files(lab, target, names, force=force), target, catalogue.say)
    typer.echo(catalogue.say("cli.reset", files=file or ", ".join(lab.student_files)))


@app.command("run", help=help_on("run"))
def run_program(
    day: LabArgument,
    prompt: Annotated[str | None, typer.Argument(metavar="PROMPT", help=help_on("prompt"))] = None,
    path: PathOption = None,
    online: Annotated[bool, typer.Option("--online", help=help_on("online"))] = False,
    lang: LangOption = None,
) -> None:
    from .course.collecting import Refused
    from .workspace import runnable_copy

    lab = the_lab(day, lang=lang)
    catalogue = the_catalogue(lang, lab)
    target = the_target(lab, path, catalogue)
    if online and not os.environ.get("OPENAI_BASE_URL"):
        fail(catalogue.say("cli.no-base-url"))
    try:
        copy = runnable_copy(lab, target)
    except Refused as refusal:
        fail(refusal.in_words(catalogue.say), COULD_NOT_GRADE)
    except OSError as error:
        fail(catalogue.say("cli.cannot-write", path=error.filename, problem=error.strerror), COULD_NOT_GRADE)
    environment = {**os.environ, "MOCK": "0" if online else "1", "SELFTEST": ""}
    arguments = [sys.executable, str(copy / lab.program), *([prompt] if prompt is not None else [])]
    # In this process's place, so that Ctrl-C and the exit status are the program's own.
    os.execve(sys.executable, arguments, environment)


@app.command("watch", help=help_on("watch"))
def watch(day: LabArgument, path: PathOption = None, check: CheckOption = None, lang: LangOption = None) -> None:
    lab = the_lab(day, lang=lang)
    catalogue = the_catalogue(lang, lab)
    target = the_target(lab, path, catalogue)
    checks = the_checks(lab, check or [], catalogue)
    from .grading import Job
    from .watch.watching import Watching

    try:
        Watching(Job(lab, target, checks, catalogue), record=is_own(lab, path)).run()
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except Exception as trouble:
        fail(catalogue.say("grader-trouble", problem=trouble_in_words(trouble)), COULD_NOT_GRADE)


def probe_names(context: typer.Context, incomplete: str) -> list[str]:
    from .trace_command import probes_by_name

    lab = find_lab(context.params["source"])
    return [name for name in probes_by_name(lab) if name.startswith(incomplete)]


def lab_to_trace(name: str, catalogue: Catalogue) -> Lab:
    """The lab of this name, which is no file's, or the end of the program with a sentence."""
    try:
        return find_lab(name)
    except UnknownLab as unknown:
        nearest = unknown.nearest
    fail(catalogue.say("cli.unknown" if nearest else "cli.neither-file-nor-lab", name=name, nearest=nearest))


@app.command("trace", help=help_on("trace"))
def trace(
    source: Annotated[str, typer.Argument(metavar="FILE|DAY", help=help_on("source"), autocompletion=lab_ids)],
    probe: Annotated[
        str | None, typer.Argument(metavar="CHECK/PROBE", help=help_on("probe"), autocompletion=probe_names)
    ] = None,
    student: Annotated[bool, typer.Option("--student", help=help_on("student"))] = False,
    chunk: Annotated[int | None, typer.Option("--chunk", min=1, help=help_on("chunk"))] = None,
    cuts: Annotated[str | None, typer.Option("--cuts", help=help_on("cuts"))] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help=help_on("svg"))] = None,
    path: PathOption = None,
    seed: SeedOption = None,
    lang: LangOption = None,
) -> None:
    from . import trace_command
    from .course.collecting import Refused

    catalogue = the_catalogue(lang)
    try:
        if trace_command.is_stream(source):
            if probe or student or path or seed is not None:
                fail(catalogue.say("cli.probe-of-a-file", name=source))
            show = trace_command.file_trace(source, chunk, cuts, catalogue)
        else:
            lab = lab_to_trace(source, catalogue)
            catalogue = the_catalogue(lang, lab)
            found = trace_command.the_probe(lab, probe, catalogue)
            target = the_target(lab, path, catalogue)
            show = trace_command.probe_trace(lab, target, found, seed, chunk, cuts, catalogue, beside=student)
        trace_command.present(show, svg, f"grade trace {source}", catalogue)
    except WrongUsage as wrong:
        fail(str(wrong))
    except CouldNotGrade as trouble:
        fail(str(trouble), COULD_NOT_GRADE)
    except Refused as refusal:
        fail(refusal.in_words(catalogue.say), COULD_NOT_GRADE)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except Exception as trouble:
        fail(catalogue.say("grader-trouble", problem=trouble_in_words(trouble)), COULD_NOT_GRADE)


@app.command("hint", help=help_on("hint"))
def hint(
    day: LabArgument,
    check: Annotated[
        str | None, typer.Argument(metavar="CHECK", help=help_on("check-name"), autocompletion=check_names)
    ] = None,
    level: Annotated[int, typer.Option("--level", min=1, max=3, help=help_on("level"))] = 1,
    lang: LangOption = None,
) -> None:
    from . import hint_command

    lab = the_lab(day, lang=lang)
    catalogue = the_catalogue(lang, lab)
    if check:
        the_checks(lab, [check], catalogue)
    else:
        check = hint_command.next_check(lab.checks, the_progress(catalogue).read().get(lab.id, {}))
    if check:
        hint_command.run(lab, check, level, catalogue)
    else:
        typer.echo(catalogue.say("hint.all-passed", lab=lab.id))


@app.command("list", help=help_on("list"))
def list_labs(lang: LangOption = None) -> None:
    from . import list_command

    catalogue = the_catalogue(lang)
    list_command.run(labs(), the_progress(catalogue).read(), catalogue.language)


@app.command("verify", help=help_on("verify"))
def verify_labs(
    day: OptionalLab = None,
    record: Annotated[bool, typer.Option("--record", help=help_on("record"))] = False,
    lang: LangOption = None,
) -> None:
    from .course.bank import BrokenEntry
    from .verify.command import verify_lab

    chosen = [the_lab(day, lang=lang)] if day else list(labs())
    catalogue = the_catalogue(lang)
    if not chosen[0].solution.is_dir():
        fail(catalogue.say("verify.needs-checkout"))
    try:
        verified = [verify_lab(lab, catalogue.language, write_record=record) for lab in chosen]
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenEntry as broken:
        fail(catalogue.say("verify.broken-entry", file=broken.file, problem=broken.problem))
    raise typer.Exit(PASSED if all(verified) else FAILED)


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
