"""Small programs of every kind on a terminal and in a pipe, cold and warm: both must look the same from outside."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import time
from pathlib import Path

import pytest
from theatre import Theatre

from grader.evidence.limits import LimitReached, Limits
from grader.evidence.stage import ProgramEnded
from grader.evidence.terminal.launch import Launcher, LaunchError, Size

SELF_PORTRAIT = """
import json, os, sys
print(json.dumps({
    "argv": sys.argv, "name": __name__, "file": __file__, "path": sys.path[0], "cwd": os.getcwd(),
    "tty": [os.isatty(fd) for fd in (0, 1, 2)], "encoding": sys.stdout.encoding, "errors": sys.stdout.errors,
    "line_buffering": sys.stdout.line_buffering, "flags": list(sys.flags), "names": sorted(vars()),
    "open": sorted(os.listdir("/proc/self/fd"))[:4], "environment": dict(os.environ),
    "leader": os.getsid(0) == os.getpid(),
    "main": sys.modules["__main__"].__dict__ is globals(),
}))
"""


@pytest.mark.parametrize("terminal", [Size(200, 24), None])
def test_a_program_finds_what_it_finds_when_a_user_starts_it(theatre: Theatre, terminal: Size | None) -> None:
    stage = theatre.start(SELF_PORTRAIT, "a b", "ü", terminal=terminal)
    assert stage.wait_for_end().status == 0
    seen = json.loads(stage.program.printed.decode().replace("\r\n", ""))
    directory = str(stage.program.spec.directory)
    assert seen["argv"] == ["program.py", "a b", "ü"]
    assert (seen["name"], seen["file"], seen["path"], seen["cwd"]) == (
        "__main__",
        f"{directory}/program.py",
        directory,
        directory,
    )
    assert seen["tty"] == [terminal is not None] * 3
    assert seen["line_buffering"] is (terminal is not None)
    assert (seen["encoding"].lower(), seen["errors"]) == ("utf-8", "surrogateescape")
    assert seen["leader"] and seen["main"]
    assert seen["open"] == ["0", "1", "2", "3"]
    assert set(seen["environment"]) - {"LC_CTYPE"} == {"PATH", "LANG", "TERM", "REPORTS"}
    assert {"json", "os", "sys", "__file__", "__name__", "__builtins__"} <= set(seen["names"])


@pytest.mark.parametrize(
    ("source", "status", "killed_by"),
    [
        ("pass", 0, None),
        ("raise SystemExit(7)", 7, None),
        ("import sys; sys.exit('a sentence')", 1, None),
        ("1 / 0", 1, None),
        ("import os; os._exit(3)", 3, None),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", 0, signal.SIGSEGV),
        ("raise KeyboardInterrupt", 0, signal.SIGINT),
        ("import atexit, os; atexit.register(os._exit, 9)", 9, None),
    ],
)
def test_the_end_is_seen_as_it_was(theatre: Theatre, source: str, status: int, killed_by: int | None) -> None:
    how = theatre.start(source).wait_for_end()
    assert (how.status, how.signal) == (status, killed_by)


def test_a_traceback_names_the_program(theatre: Theatre) -> None:
    stage = theatre.start("def f():\n    return 1 / 0\nf()\n", terminal=None)
    stage.wait_for_end()
    errors = stage.program.errors.decode()
    assert 'program.py", line 2, in f' in errors
    assert errors.endswith("ZeroDivisionError: division by zero\n")


def test_all_output_is_there_at_the_end(theatre: Theatre) -> None:
    source = "import atexit\nfor n in range(5000): print(n)\natexit.register(print, 'last', flush=False)"
    for terminal in (Size(), None):
        stage = theatre.start(source, terminal=terminal)
        stage.wait_for_end()
        lines = stage.program.printed.decode().split()
        assert lines == [*map(str, range(5000)), "last"]


def test_what_is_not_flushed_is_not_seen(theatre: Theatre) -> None:
    stage = theatre.start("import sys\nsys.stdout.write('half a line')\nsys.stdin.readline()")
    stage.program.type(b"\n")
    stage.wait_for_end()
    assert stage.screen.text() == "\nhalf a line"  # the Enter came first


def test_a_terminal_has_a_size_echoes_nothing_but_enter_and_turns_ctrl_c_into_a_signal(theatre: Theatre) -> None:
    source = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
print(*os.get_terminal_size(), flush=True)
print("got", sys.stdin.readline().strip(), flush=True)
print(signal.sigwait([signal.SIGINT]).name)
print(open("/dev/tty").isatty(), flush=True)
"""
    stage = theatre.start(source, terminal=Size(41, 7))
    stage.wait_until(lambda: "41 7" in stage.screen.text())
    stage.program.type(b"secret\n")
    stage.wait_until(lambda: "got secret" in stage.screen.text())
    stage.program.type(b"\x03")
    stage.wait_for_end()
    assert stage.screen.text() == "41 7\n\ngot secret\nSIGINT\nTrue"


def test_input_through_a_pipe_may_be_larger_than_the_pipe(theatre: Theatre) -> None:
    stage = theatre.start("import sys\ndata = sys.stdin.read()\nprint(len(data), data[-3:])", terminal=None)
    stage.program.type(b"x" * 500_000 + b"end")
    stage.wait_until(lambda: not stage.program._unread)
    stage.program.end_input()
    stage.wait_for_end()
    assert stage.program.printed == b"500003 end\n"


def test_reports_come_apart_from_what_is_printed(theatre: Theatre) -> None:
    source = """
import os
os.write(3, b'{"n": 1}\\nnot json\\n[1]\\n{"n"')
print("printed")
os.write(3, b': 2}\\n')
"""
    stage = theatre.start(source)
    stage.wait_for_end()
    assert stage.program.reports == [{"n": 1}, {"n": 2}]
    assert stage.screen.text() == "printed"


def test_a_report_is_never_heard_before_what_was_printed_ahead_of_it(theatre: Theatre) -> None:
    """The kernel passes on what a terminal is sent when it finds the time; beside busy cores that is late."""
    source = """
import os, sys
for line in sys.stdin:
    os.write(1, b"<%s>" % line.strip().encode())
    os.write(3, b"{}\\n")
"""
    stage = theatre.start(source)
    for turn in range(2000):
        stage.program.type(b"%d\n" % turn)
        stage.wait_until(lambda before=turn: len(stage.program.reports) > before)
        assert stage.program.printed.endswith(b"<%d>" % turn)


def test_an_early_end_is_noticed_while_waiting(theatre: Theatre) -> None:
    stage = theatre.start("print('bye')")
    with pytest.raises(ProgramEnded) as ended:
        stage.wait_until(lambda: "hello" in stage.screen.text())
    assert ended.value.how.status == 0


@pytest.mark.parametrize(
    ("source", "limits", "name"),
    [
        ("import time; time.sleep(60)", Limits(silence_s=0.5), "silence"),
        ("import time\nwhile True: print('.', end='', flush=True); time.sleep(0.01)", Limits(total_s=1.0), "total"),
        ("while True: pass", Limits(cpu_s=1), "cpu"),
        ("while True: print('x' * 4000, end='')", Limits(), "output"),
        ("while True: print('y')", Limits(), "output"),
    ],
)
def test_limits_have_names_and_figures(theatre: Theatre, source: str, limits: Limits, name: str) -> None:
    for terminal in (Size(), None):
        stage = theatre.start(source, terminal=terminal, limits=limits)
        with pytest.raises(LimitReached) as reached:
            stage.wait_for_end()
        assert reached.value.name == name
        assert reached.value.figure[0].isdigit()


LEFT_BEHIND = """
import os, signal, subprocess, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)
subprocess.Popen(["yes"], start_new_session=sys.argv[1] == "hidden")
print("bye", flush=True)
"""


@pytest.mark.parametrize("where", ["group", "hidden"])
def test_a_process_that_is_left_behind_and_prints_for_ever_does_not_hold_the_grader(
    theatre: Theatre, where: str
) -> None:
    stage = theatre.start(LEFT_BEHIND, where, terminal=None)
    with contextlib.suppress(LimitReached):
        stage.wait_for_end()
    assert stage.program.output_size < 8 << 20


def test_a_launch_that_fails_leaves_no_descriptor_open(tmp_path: Path) -> None:
    launcher = Launcher()
    launcher.close()
    theatre = Theatre(launcher, tmp_path, cold=True)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for terminal in (Size(), None):
        with pytest.raises(LaunchError):
            theatre.start("pass", terminal=terminal)
    theatre.close()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


@pytest.mark.parametrize("signal_name", ["SIGSTOP", "SIGKILL"])
def test_a_program_that_stops_its_launcher_is_noticed_at_once(tmp_path: Path, signal_name: str) -> None:
    launcher = Launcher()
    theatre = Theatre(launcher, tmp_path, cold=True)
    source = f"import os, signal, time\nos.kill(os.getppid(), signal.{signal_name})\ntime.sleep(600)"
    stage = theatre.start(source, terminal=None)
    begun = time.monotonic()
    with pytest.raises(LaunchError):
        stage.wait_for_end()
    assert time.monotonic() - begun < 5
    while launcher.alive:  # it lets go of everything a moment before it is gone
        time.sleep(0.01)
    theatre.close()
    launcher.close()
    assert stage.program.pid
    while alive(stage.program.pid):  # killed, and going
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_nothing_is_left_running(tmp_path: Path) -> None:
    """Children that ignore signals, hold the output open or hide in a session of their own."""
    source = """
import os, signal, sys, time
for signum in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM): signal.signal(signum, signal.SIG_IGN)
pids = []
for hidden in (False, True):
    if (pid := os.fork()) == 0:
        if hidden:
            os.setsid()
            if grandchild := os.fork():
                os.write(3, b'{"pid": %d}\\n' % grandchild)
                os._exit(0)
        time.sleep(600)
    os.write(3, b'{"pid": %d}\\n' % pid)
os.waitpid(pid, 0)  # the one that hid its child
time.sleep(600 if sys.argv[1] == "stays" else 0)
"""
    launcher = Launcher()
    theatre = Theatre(launcher, tmp_path.resolve(), cold=True)
    pids: list[int] = []
    for how in ("stays", "leaves"):
        stage = theatre.start(source, how)
        stage.wait_until(lambda stage=stage: len(stage.program.reports) == 3)
        pids += [report["pid"] for report in stage.program.reports]
        if how == "leaves":
            stage.wait_for_end()
    theatre.close()
    launcher.close()
    deadline = time.monotonic() + 10
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not [pid for pid in pids if alive(pid)]
