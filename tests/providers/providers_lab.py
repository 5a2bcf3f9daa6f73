"""The lab as a student has it: a composed directory, its probe, and its program; never imported by the tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pexpect

from grader.course.lab import find_lab
from grader.course.workdir import compose, generated_files

LAB = find_lab("day-02-providers")
PROVIDERS = ("openai", "responses", "anthropic", "gemini")
LANGUAGES = ("en", "zh")
LIMIT = 30  # seconds; only a failure takes so long

CUT_OFF = "The answer was cut off before it was finished; you can ask again."

ANSWERS = {
    "en": "A café menu travels as bytes: é takes two, 🧵 takes four. Dr. Müller’s rule, e.g. for π ≈ 3.14, is to keep "
    "half a character until the rest comes. Then show it!\n\nNothing is lost. 🎉",
    "zh": "网络上传的是字节，不是字。“é”占两个字节，🧵 占四个。读到一半的字符先留着，等剩下的到齐"
    "（比如 π ≈ 3.14 里的 π）再显示！\n\n这样什么都不会丢。🎉",
}
REASONING = {
    "en": "Text travels as bytes.\né takes two,\n字 three,\n🧵 four.\nA cut can fall inside.\nSo keep the half,\n"
    "wait for the rest,\nand say it shortly.",
    "zh": "文字以字节传输。\né 占两个，\n字占三个，\n🧵 占四个。\n切口可能落在中间，\n"
    "所以先留一半，\n等另一半，\n最后说短一点。",
}
PROMPTS = {"en": "how does text travel?", "zh": "文字怎么传？"}


def composed(path: Path, unfinished: Collection[int] = ()) -> Path:
    path.mkdir()
    compose(LAB, {name: text.encode() for name, text in generated_files(LAB, unfinished).items()}, path)
    return path


def recording(provider: str, language: str) -> bytes:
    return (LAB.scripts / f"{provider}.{language}.sse").read_bytes()


def latin(data: bytes) -> str:
    """Bytes as the probe wants them."""
    return data.decode("latin-1")


class Probe:
    """One probe for many questions."""

    def __init__(self, directory: Path) -> None:
        command = [sys.executable, "probe.py"]
        self._process = subprocess.Popen(command, cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, file: str, **request: Any) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin and stdout
        stdin.write(json.dumps({"id": file, "file": file, **request}).encode() + b"\n")
        stdin.flush()
        found: dict[str, Any] = json.loads(stdout.readline())
        assert found.pop("id") == file
        return found

    def answer(self, file: str, **request: Any) -> list[Any]:
        """What comes of a scenario in which nothing goes wrong."""
        found = self.ask(file, **request)
        assert found["error"] is None
        answer: list[Any] = found["answer"]
        return answer

    def end(self) -> None:
        with self._process as process:
            assert process.stdin
            process.stdin.close()


def channels(calls: list[list[str]]) -> dict[str, str]:
    """The text of each channel; what the listener was told must agree with itself."""
    texts = {"answer": "", "reasoning": ""}
    for channel, delta, so_far in calls:
        assert delta
        texts[channel] += delta
        assert texts[channel] == so_far
    return texts


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "TERM": "xterm-256color", **more}


def spawn(directory: Path, *arguments: str, size: tuple[int, int] = (24, 80), **env: str) -> pexpect.spawn:
    """live.py on a terminal."""
    child = pexpect.spawn(
        sys.executable,
        ["live.py", *arguments],
        cwd=str(directory),
        env=environment(**env),
        dimensions=size,
        encoding="utf-8",
        timeout=LIMIT,
        # Whoever starts the tests in the background of a shell script has Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    child.delaybeforesend = None
    return child


def run(directory: Path, *arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """live.py in pipes."""
    return subprocess.run(
        [sys.executable, "-W", "default::ResourceWarning", "live.py", *arguments],
        cwd=directory,
        env=environment(**env),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
