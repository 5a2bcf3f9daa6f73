"""Starts programs: a small process of its own, run by path and without the rest of the grader.

It is the parent of every program under test. That keeps forking away from the grader's threads, and lets a program
start *warm*: the launcher has imported the libraries that a lab uses, never a file of a student, so a fork of it is an
interpreter that is ready. A *cold* program is a new interpreter, as a user would start it.

Requests come on a socket: four bytes of length, a JSON object, and descriptors beside it. The first descriptor gets
what is to be known of the program, as JSON lines: `{"pid": ...}`, and at its end its status, its CPU time in seconds,
its memory in KiB, and how many processes it has left running. Those are killed then, wherever they hide: every program
is a subreaper, so all of its descendants stay below it, and when it ends they are this process's. The other descriptors
become its 0, 1, 2, 3 ... When the socket closes, everything that was started is killed.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import fcntl
import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
import termios
import types
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NoReturn

PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


def serve(control: socket.socket) -> dict[str, Any]:
    """Start what is asked for until the socket closes. Returns only in a child that is to become a warm program."""
    signal.signal(signal.SIGCHLD, lambda *_: None)
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "pipe2") else _pipe()
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    running: dict[int, int] = {}  # process -> the descriptor for its news
    while True:
        ready = select.select([control.fileno(), woken], [], [])[0]
        if woken in ready:
            os.read(woken, 4096)
            reap(running)
        if control.fileno() in ready:
            if not (message := receive(control)):
                kill_all(running)
            request, (news, *descriptors) = message
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                control.close()
                become(request, descriptors)
                return request
            tell(news, pid=pid)
            running[pid] = news
            for descriptor in descriptors:
                os.close(descriptor)


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


def receive(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """One request with its descriptors, or None when the socket is closed."""
    head, descriptors, _, _ = socket.recv_fds(control, 4, 16)
    if len(head) < 4:
        return None
    body = b""
    while len(body) < (length := int.from_bytes(head, "big")):
        if not (piece := control.recv(length - len(body))):
            return None
        body += piece
    return json.loads(body), descriptors


def tell(news: int, **facts: float) -> None:
    with contextlib.suppress(OSError):  # nobody may want to know any more
        os.write(news, json.dumps(facts).encode() + b"\n")


def reap(running: dict[int, int]) -> None:
    """Collect the processes that have ended, and pass on how."""
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if (news := running.pop(pid, None)) is not None:
            left = end_orphans(running)
            memory = usage.ru_maxrss if sys.platform == "linux" else usage.ru_maxrss >> 10
            tell(news, status=status, cpu=usage.ru_utime + usage.ru_stime, memory=memory, left=left)
            os.close(news)


def end_orphans(running: dict[int, int]) -> int:
    """Kill the processes that a program which has ended left to this one, and theirs. Returns how many were alive."""
    left = 0
    while orphans := [pid for pid in children() if pid not in running]:
        for pid in orphans:
            left += not is_zombie(pid)
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in orphans:  # their own children are ours when they are gone
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return left


def is_zombie(pid: int) -> bool:
    """Whether a child has ended already, and was only never asked for."""
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return ended is not None


def kill_all(running: dict[int, int]) -> NoReturn:
    """Kill every process that was started, and those that they left behind, then end."""
    for pid in running:
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
    end_orphans({})
    for pid in running:  # where the system does not tell who is whose child
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
    os._exit(0)


def children() -> list[int]:
    """The direct children of this process, where the system tells them: as subreaper it has all orphans, too."""
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return []


def become(request: dict[str, Any], descriptors: list[int]) -> None:
    """In the child: take the place of the program, up to its first line. A cold program starts here."""
    os.setsid()
    become_subreaper()
    # Whoever started the grader in the background may have had these ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for ordinary in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(ordinary, signal.SIG_DFL)
    # First out of the way, then into place: a descriptor may stand where another has to go.
    for number, descriptor in enumerate([fcntl.fcntl(fd, fcntl.F_DUPFD, 64) for fd in descriptors]):
        os.dup2(descriptor, number, inheritable=True)
    os.closerange(len(descriptors), os.sysconf("SC_OPEN_MAX"))
    if request["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name, limit in request["limits"].items():
        resource.setrlimit(getattr(resource, name), (limit, limit + 1))  # the second ends what ignores the first
    os.chdir(request["directory"])
    if not request["warm"]:
        try:
            arguments = [sys.executable, *request["flags"], *request["argv"]]
            os.execve(sys.executable, arguments, request["environment"])
        except OSError:
            os._exit(127)


def become_subreaper() -> None:
    """Be the parent of all descendants that lose theirs, where the system knows such a thing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def warm_up(directory: str, modules: list[str]) -> None:
    """Import what programs use. A module that is missing is missed by the program itself, in its own words."""
    gc.disable()  # nothing of it is garbage
    sys.path.append(directory)
    for module in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    sys.path.remove(directory)
    gc.freeze()
    gc.enable()


def leave_libraries_whole() -> None:
    """Let the end of a program pass over what was imported before it: to take that apart takes longer than many a run.

    Out of `sys.modules`, and with a reference that nobody gives back, a module is left alone by the interpreter. What
    the program itself has made is taken apart as ever.
    """
    libraries = dict(sys.modules)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(libraries))

    def forget() -> None:
        for name in libraries:
            if name not in ("sys", "builtins"):
                sys.modules.pop(name, None)

    atexit.register(forget)  # the first to be registered is the last to be called


def as_main(request: dict[str, Any]) -> dict[str, Any]:
    """Make this interpreter look as if it had just been started with the program. Returns its global names."""
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = list(request["argv"])
    sys.path[0] = request["directory"]
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))
    main = types.ModuleType("__main__")
    main.__file__ = str(Path(request["directory"]) / request["argv"][0])
    main.__builtins__ = __builtins__  # type: ignore[attr-defined]
    sys.modules["__main__"] = main
    return main.__dict__


if __name__ == "__main__":
    become_subreaper()
    warm_up(sys.argv[2], sys.argv[3:])
    leave_libraries_whole()
    program = as_main(serve(socket.socket(fileno=int(sys.argv[1]))))
    # At the top level, so that the interpreter ends as it does after any program: traceback, atexit, flush, status.
    code = SourceFileLoader("__main__", program["__file__"]).get_code("__main__")
    assert code
    exec(code, program)
