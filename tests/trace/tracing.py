"""What the tests of this folder trace, and how they look at it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from rich.console import Console

from grader.catalogue import Catalogue, Language
from grader.checks.cut import CutStream
from grader.checks.desk import Desk
from grader.checks.workshop import open_workshop
from grader.course.lab import find_lab
from grader.course.workdir import generated_files
from grader.engine import Engine
from grader.evidence.limits import Limits
from grader.trace_command import file_trace, probe_trace, the_probe

LAB = find_lab("day-02")
GOLDEN = Path(__file__).with_name("golden")


def printed(show: Callable[[Console], None], width: int = 80) -> str:
    """As in a pipe."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    show(console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def compare(name: str, text: str) -> None:
    """After a wanted change: UPDATE_GOLDEN=1 python -m pytest tests/trace"""
    file = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), f"{name} has changed"


class Tracing:
    """Writes streams and submissions into a directory of the test, and traces them."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def stream(self, stream: bytes, *, chunk: int | None = None, cuts: str | None = None, lang: Language = "en") -> str:
        file = self.directory / "stream"
        file.write_bytes(stream)
        return printed(file_trace(str(file), chunk, cuts, Catalogue(lang)))

    def hand_in(self, **changes: tuple[str, str]) -> Path:
        """The solution, in which a text of a file (by name without `.py`) is replaced."""
        for name, source in generated_files(LAB, set()).items():
            before, after = changes.get(name.removesuffix(".py"), ("", ""))
            assert before in source
            (self.directory / name).write_text(source.replace(before, after, 1) if before else source, "utf-8")
        return self.directory

    def probe(self, name: str, *, beside: bool = False, cuts: str | None = None, lang: Language = "en") -> str:
        catalogue = LAB.catalogue(lang)
        found = the_probe(LAB, name, catalogue)
        return printed(probe_trace(LAB, self.directory, found, 7, None, cuts, catalogue, beside=beside))


@contextmanager
def desk_for(student: Mapping[str, str]) -> Iterator[Desk]:
    """A desk with these files, on which any parser can be asked."""
    sources = {name: source.encode() for name, source in student.items()}
    with (
        closing(Engine(LAB)) as engine,
        open_workshop(engine, sources, LAB.catalogue("en"), Limits()) as workshop,
    ):
        desk = Desk(workshop, "framing", "7")
        try:
            yield desk
        finally:
            desk.discard()


def without_each(cut: CutStream, *splits: Callable[[bytes], list[bytes]]) -> Iterator[CutStream]:
    """The stream without each one of its pieces."""
    for split in splits:
        place = 0
        for piece in split(cut.stream):
            yield cut.without(place, place + len(piece))
            place += len(piece)
        assert place == len(cut.stream)
