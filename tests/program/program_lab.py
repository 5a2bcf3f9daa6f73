"""The lab program as a user has it: a composed directory, and programs that run in it, never in the tests."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect

PROJECT = Path(__file__).parents[2]
DAY = "day-02"
LIMIT = 30  # seconds; only a failure takes so long

# What the little programs of the tests begin with.
DRIVER = """
import asyncio, json, os, signal, sys, threading
from deltas import *
from gateway import Gateway

def as_data(delta):
    return [type(delta).__name__, *(getattr(delta, name) for name in vars(delta))]

def say(what):
    print(json.dumps(what), flush=True)

def as_error(error):
    return [type(error).__name__, str(error), error.retryable, error.status]
"""


@dataclass(frozen=True)
class Ran:
    """How a program ended, and all that it said."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def said(self) -> list[Any]:
        """The JSON lines of a program that must not have complained."""
        assert (self.status, self.err) == (0, "")
        return [json.loads(line) for line in self.out.splitlines()]


def compose(path: Path) -> Path:
    """The frozen files, the finished exercises, the scripts, and the marker that says which lab it is."""
    path.mkdir()
    for file in (*(PROJECT / "days" / DAY).glob("*.py"), *(PROJECT / "solutions" / DAY).glob("*.py")):
        if file.name != "checks.py":
            shutil.copy(file, path)
    shutil.copytree(PROJECT / "offline_scripts" / DAY, path / "offline_scripts")
    (path / ".lab").write_text(DAY, "utf-8")
    return path


def eventually(look: Callable[[], Any], what: str) -> Any:
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + LIMIT
    while not (found := look()):
        assert time.monotonic() < end, f"{what}: not seen within {LIMIT} s"
        time.sleep(0.01)
    return found


def left_with(child: pexpect.spawn, status: int) -> None:
    """Wait for the end of a program on a terminal; all it still said is in `child.before`."""
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, child.signalstatus) == (status, None)


class Lab:
    """A composed directory, and the programs that run in it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = compose(home / "lab")
        self.log_path = home / "session.jsonl"
        self.children: list[pexpect.spawn] = []

    def env(self, **more: str) -> dict[str, str]:
        """Made from nothing, so that it does not matter who runs the tests."""
        path = os.environ.get("PATH", os.defpath)
        return {"PATH": path, "LANG": "C.UTF-8", "HOME": str(self.home), "TERM": "xterm", **more}

    def run(self, *command: str, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Ran:
        ran = subprocess.run(
            command,
            cwd=cwd or self.path,
            env=self.env(**env),
            input=stdin,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr.decode())

    def drive(self, code: str, *arguments: str, **env: Any) -> Ran:
        """Run a small program that uses the files here, with every warning on."""
        driver = self.path / "driver.py"
        driver.write_text(DRIVER + code, "utf-8")
        python = (sys.executable, "-X", "dev", "-W", "error::ResourceWarning")
        return self.run(*python, driver.name, *arguments, **env)

    def chat(self, *arguments: str, stdin: bytes = b"", **env: Any) -> Ran:
        """chat.py in pipes, with its session log."""
        command = (sys.executable, "chat.py", *arguments)
        return self.run(*command, stdin=stdin, **{"SESSION_LOG": str(self.log_path), **env})

    def spawn(self, *arguments: str, shell: str = 'exec "$@"', **env: str) -> pexpect.spawn:
        """chat.py on a terminal, with its session log; `shell` can say more about how it is started."""
        child = pexpect.spawn(
            "sh",
            ["-c", shell, "sh", sys.executable, "chat.py", *arguments],
            cwd=str(self.path),
            env=self.env(**{"SESSION_LOG": str(self.log_path), **env}),
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=LIMIT,
            # Whoever starts the tests in the background of a shell script has Ctrl-C ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        child.delaybeforesend = None
        self.children.append(child)
        return child

    def end(self) -> None:
        for child in self.children:
            child.close(force=True)

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log_path.read_text("utf-8").splitlines()]

    def events(self) -> list[dict[str, Any]]:
        return [entry for entry in self.log() if "event" in entry]

    def conversations(self) -> list[list[tuple[str, str]]]:
        """The roles and contents after each turn."""
        logged = [entry["messages"] for entry in self.log() if "messages" in entry]
        return [[(message["role"], message["content"]) for message in messages] for messages in logged]


class Server:
    """The misbehaving gateway of server.py, as one test sees it."""

    def __init__(self, address: str, key: str) -> None:
        self.address = address
        self.key = key

    def url(self, case: str) -> str:
        return f"{self.address}/{case}/{self.key}"

    def _ask(self, order: str) -> list[dict[str, Any]]:
        with urllib.request.urlopen(f"{self.address}/{order}/{self.key}", timeout=LIMIT) as answer:
            found: list[dict[str, Any]] = json.load(answer)
        return found

    def requests(self) -> list[dict[str, Any]]:
        return self._ask("log")

    def hung_up_on(self) -> bool:
        """Whether the client left the last request's reply before it was complete; waits until it has."""

        def looked_at() -> bool:
            asked = self.requests()
            return bool(asked) and bool(asked[-1]["closed_early"])

        return bool(eventually(looked_at, "the connection closed"))
