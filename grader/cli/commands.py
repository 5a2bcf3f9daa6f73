"""Every command but `grade LAB` itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ..catalogue import Catalogue
from ..course.lab import Lab, UnknownLab, find_lab, labs
from ..course.workdir import is_composed
from ..harmless import trouble_in_words
from ..statuses import COULD_NOT_GRADE, FAILED, INTERRUPTED, PASSED, CouldNotGrade, WrongUsage
from .app import app
from .named import fail, is_own, the_catalogue, the_checks, the_lab, the_progress, the_target
from .options import (
    CheckOption,
    ForceOption,
    LabArgument,
    LangOption,
    OptionalLab,
    PathOption,
    SeedOption,
    check_names,
    help_on,
    lab_ids,
)


def write_files(write: Callable[[], list[Path]], directory: Path, say: Callable[..., str]) -> None:
    """Write into a student's directory and name the copies that were kept, or end with a sentence."""
    from ..workspace import Conflict

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
    from ..workspace import start_directory

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
    from ..workspace import reset_files

    lab = the_lab(day, lang=lang)
    catalogue = the_catalogue(lang, lab)
    target = the_target(lab, path, catalogue)
    if file and file not in (*lab.student_files, *lab.frozen_files):
        known = ", ".join((*lab.student_files, *lab.frozen_files))
        fail(catalogue.say("cli.unknown-file", file=file, files=known))
    names = [file] if file else list(lab.student_files)
    write_files(lambda: reset_files(lab, target, names, force=force), target, catalogue.say)
    typer.echo(catalogue.say("cli.reset", directory=target, files=", ".join(names)))


@app.command("run", help=help_on("run"))
def run_program(
    day: LabArgument,
    prompt: Annotated[str | None, typer.Argument(metavar="PROMPT", help=help_on("prompt"))] = None,
    path: PathOption = None,
    online: Annotated[bool, typer.Option("--online", help=help_on("online"))] = False,
    lang: LangOption = None,
) -> None:
    from ..course.collecting import Refused
    from ..workspace import runnable_copy

    lab = the_lab(day, lang=lang)
    catalogue = the_catalogue(lang, lab)
    target = the_target(lab, path, catalogue)
    if online and not any(map(os.environ.get, lab.base_urls)):
        variables = ", ".join(lab.base_urls) or "-"
        fail(catalogue.say("cli.no-base-url", variables=variables))
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
    from ..grading import Job
    from ..watch.watching import Watching

    try:
        Watching(Job(lab, target, checks, catalogue), record=is_own(lab, path)).run()
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except Exception as trouble:
        fail(catalogue.say("grader-trouble", problem=trouble_in_words(trouble)), COULD_NOT_GRADE)


def probe_names(context: typer.Context, incomplete: str) -> list[str]:
    from ..trace_command import probes_by_name

    lab = find_lab(context.params["source"])
    return [name for name in probes_by_name(lab) if name.startswith(incomplete)]


def lab_to_trace(name: str, catalogue: Catalogue) -> Lab:
    """The lab of this name, which is no file's, or the end of the program with a sentence."""
    try:
        return find_lab(name)
    except UnknownLab as unknown:
        sentence = "cli.unknown" if unknown.nearest else "cli.neither-file-nor-lab"
        fail(catalogue.say(sentence, name=name, nearest=unknown.nearest))


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
    from .. import trace_command
    from ..course.collecting import Refused

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
    from .. import hint_command

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
    from .. import list_command

    catalogue = the_catalogue(lang)
    list_command.run(labs(), the_progress(catalogue).read(), catalogue.language)


@app.command("verify", help=help_on("verify"))
def verify_labs(
    day: OptionalLab = None,
    record: Annotated[bool, typer.Option("--record", help=help_on("record"))] = False,
    lang: LangOption = None,
) -> None:
    from ..course.bank import BrokenEntry
    from ..verify.command import verify_lab

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
