"""`grade`, also as `python -m grader`."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
from contextlib import closing, nullcontext

PR_SET_DUMPABLE = 4  # <linux/prctl.h>


def open_standard_streams() -> None:
    """Give what was closed before the start a place to lead to, so that no other file takes its number."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8"))


def protect_memory() -> None:
    """Keep programs of the same user from reading this process, or stopping it with a debugger, where Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def main() -> None:
    if sys.platform == "win32":
        sys.exit("grade: Windows has no pseudo-terminals of the kind that is needed; use WSL.")
    open_standard_streams()
    from .course.lab import UnknownLab, find_lab
    from .engine import Engine

    try:
        lab = None if {"-h", "--help"} & set(sys.argv) else find_lab(sys.argv[1])
    except (IndexError, UnknownLab):
        lab = None
    protect_memory()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # clean up, as after Ctrl-C
    # A short life: hardly anything becomes garbage, so it need not be looked for at the default pace.
    gc.set_threshold(50_000)
    # To get its launcher ready takes longer than to read the rest of the command line, so it comes first.
    try:
        engine = Engine(lab) if lab else None
    except OSError as error:
        sys.exit(f"grade: no process could be started: {error.strerror}")
    try:
        with closing(engine) if engine else nullcontext():
            from .cli.main import run

            run(engine)
    except SystemExit as end:
        if isinstance(end.code, str):
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code or 0)  # everything is closed; to take modules apart would take longer than to import them


if __name__ == "__main__":
    main()
