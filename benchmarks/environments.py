"""Virtual environments for what is measured: made once, kept in a cache directory, never installed anywhere else."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# The mark of an environment whose installation came to its end.
COMPLETE = ".complete"


@dataclass(frozen=True)
class Environment:
    """A virtual environment. Its commands find each other on PATH, and nothing of the caller's."""

    directory: Path
    home: Path

    def command(self, name: str) -> str:
        return str(self.directory / "bin" / name)

    @property
    def variables(self) -> dict[str, str]:
        return {
            "PATH": f"{self.directory / 'bin'}{os.pathsep}{os.defpath}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
        }

    def versions(self, *packages: str) -> str:
        """The installed versions of these packages, as `name version, ...`."""
        script = "import sys, importlib.metadata as m; print(', '.join(f'{p} {m.version(p)}' for p in sys.argv[1:]))"
        command = [self.command("python"), "-c", script, *packages]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def default_cache() -> Path:
    return (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coding-agent-labs" / "benchmarks"
    )


def make_environment(
    cache: Path, name: str, requirements: Sequence[str], *, depends_on: bytes = b""
) -> Environment:
    """The environment with these `pip install` arguments under this Python. It is made anew when they, the Python,
    or the bytes that it depends on have changed."""
    recipe = "\0".join([sys.version, sys.executable, *requirements]).encode() + depends_on
    directory = cache / f"{name}-{hashlib.sha256(recipe).hexdigest()[:12]}"
    if not (directory / COMPLETE).exists():
        print(f"making {directory} (pip install {' '.join(requirements)}) ...", file=sys.stderr)
        shutil.rmtree(directory, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(directory)], check=True)
        pip = [
            str(directory / "bin" / "python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
        ]
        subprocess.run([*pip, *requirements], check=True)
        (directory / COMPLETE).touch()
    home = cache / "home"
    home.mkdir(exist_ok=True)
    return Environment(directory, home)
