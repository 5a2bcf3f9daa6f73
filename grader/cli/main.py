"""From the words of a command line to a command."""

from __future__ import annotations

import io
import sys
from typing import NoReturn

import typer

from ..engine import Engine
from ..statuses import INTERRUPTED
from . import commands  # noqa: F401  # it registers them
from .app import app
from .named import fail, the_catalogue, the_lab


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
