"""Virtual environments for what is measured: made once, and kept in a cache directory."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The mark of an environment whose installation came to its end.
COMPLETE = ".complete"

TELL_VERSIONS = """
import sys
from importlib.metadata import version

print(*(f"{package} {version(package)}" for package in sys.argv[1:]), sep=", ")
"""


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
        command = [self.command("python"), "-c", TELL_VERSIONS, *packages]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def default_cache() -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "coding-agent-labs" / "benchmarks"


def make_kit(cache: Path, name: str = "kit", packages: Sequence[str] = ()) -> Environment:
    """The environment with this checkout, editable, and these packages beside it."""
    needs = (ROOT / "pyproject.toml").read_bytes()
    return make_environment(cache, name, ["--editable", str(ROOT), *packages], made_from=needs)


def go_inside(cache: Path, name: str = "kit", packages: Sequence[str] = ()) -> None:
    """Start this script over under the Python of such an environment. Returns there, and only there."""
    if Path(sys.prefix).resolve().parent != cache.resolve():
        python = make_kit(cache, name, packages).command("python")
        os.execv(python, [python, "-E", *sys.argv])


def inside(cache: Path) -> Environment:
    """The environment that this script has gone into."""
    return Environment(Path(sys.prefix), cache / "home")


def make_environment(cache: Path, name: str, wanted: Sequence[str], made_from: bytes = b"") -> Environment:
    """The environment with these arguments of `pip install`, under this Python.

    It is made anew when they, the Python, or the bytes that it is made from have changed.
    """
    recipe = "\0".join([sys.version, sys.executable, *wanted]).encode() + made_from
    cache.mkdir(parents=True, exist_ok=True)
    directory = cache / f"{name}-{hashlib.sha256(recipe).hexdigest()[:12]}"
    if not (directory / COMPLETE).exists():
        print(f"making {directory} (pip install {' '.join(wanted)}) ...", file=sys.stderr)
        shutil.rmtree(directory, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(directory)], check=True)
        pip = [str(directory / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", *wanted], check=True)
        (directory / COMPLETE).touch()
    home = cache / "home"
    home.mkdir(exist_ok=True)
    return Environment(directory, home)
