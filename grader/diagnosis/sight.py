"""What a renderer showed, in so few words that two programs with the same idea have the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..checks.markdown import code_blocks, style_fault, styled_lines
from ..checks.reading import as_seen, is_plain_sentence
from ..evidence.screen import Screen

Relation = Literal["right", "less", "joined", "more", "other"]


def relation(expected: str, shown: str) -> Relation:
    """How a text that was seen stands to the one that should be: its beginning only, all of it with line ends missing,
    all its lines with something between them, or something else."""
    if shown == expected:
        return "right"
    if expected.startswith(shown):
        return "less"
    if shown.replace("\n", "") == expected.replace("\n", ""):
        return "joined"
    lines = iter(shown.split("\n"))
    return "more" if all(line in lines for line in expected.split("\n")) else "other"


@dataclass(frozen=True)
class Performance:
    """One turn as a renderer was told it: pieces of text, perhaps an error's sentence, and the end."""

    pieces: Sequence[str]
    notice: str | None = None
    ending: str = "stop"
    tty: bool = True
    columns: int | None = 80  # of the terminal; without one it is a pipe
    resized: tuple[int, int] | None = None  # after so many pieces the terminal has so many columns
    rows_before: int = 0  # on the screen, when the turn begins
    frames: int | None = None  # how many there must be, if they are to be counted

    @property
    def events(self) -> list[list[object]]:
        """As `observe.py` takes them."""
        texts: list[list[object]] = [["text", piece] for piece in self.pieces]
        if self.resized:
            count, columns = self.resized
            texts.insert(count, ["resize", columns])
        if self.notice is None:
            return [*texts, ["done", self.ending]]
        return [*texts, ["error", self.notice, True], ["done", "error"]]

    def seen(self, answer: dict[str, list[str]]) -> dict[str, object]:
        """How what was to be seen after each event stands to what should be, and what else was amiss."""
        printed = [part.encode("latin-1") for part in answer["printed"]]
        found: dict[str, object] = {"raised": answer["raised"][:1]}
        return found | (self._on_a_screen(printed, self.columns) if self.columns else self._in_a_pipe(printed))

    def _texts(self) -> list[str]:
        """What has been sent after each event."""
        told = ["".join(self.pieces[: count + 1]) for count in range(len(self.pieces))]
        whole = told[-1] if told else ""
        if self.notice is not None:
            whole += "\n" * (not whole.endswith("\n") and bool(whole)) + self.notice
            told.append(whole)
        return [*told, whole]

    def _in_a_pipe(self, printed: list[bytes]) -> dict[str, object]:
        steps: list[Relation] = []
        so_far = ""
        for text, part in zip(self._texts(), printed, strict=False):
            so_far += part.decode("utf-8", "replace")
            steps.append(relation(text, so_far.removesuffix("\n") if so_far.endswith("\n\n") else so_far))
        return {**_story(steps), "ends": repr(so_far[-2:])}

    def _on_a_screen(self, printed: list[bytes], columns: int) -> dict[str, object]:
        screen = Screen(columns)
        before = "".join(f"{number}\n" for number in range(self.rows_before))
        screen.feed(before.replace("\n", "\r\n").encode())
        steps: list[Relation] = []
        for number, (text, part) in enumerate(zip(self._texts(), printed, strict=False)):
            if self.resized and number == self.resized[0]:
                screen.resize(self.resized[1], screen.rows)
            screen.feed(part)
            steps.append(relation(as_seen(before + text), as_seen(screen.text())))
        faults = {
            "mis-styled": screen.frame_log().mis_styled > 0,
            "escapes": not self.tty and b"\x1b" in b"".join(printed),
            "cursor": screen.cursor_was_hidden,
            "style-left": not screen.style.plain,
            "obeyed": bool(screen.title or screen.modes),
            "too many frames": self.frames is not None and screen.frames() > self.frames,
            "too few frames": self.frames is not None and screen.frames() < self.frames,
            "not-plain": self.notice is not None and not is_plain_sentence(as_seen(screen.text()).split("\n")[-1]),
        }
        return {
            **_story(steps),
            "styles": self._styles(screen) if steps and steps[-1] == "right" and self.tty else [],
            "faults": [name for name, there in faults.items() if there],
        }

    def _styles(self, screen: Screen) -> list[str]:
        """The lines of the answer whose final style is not as it must be: their numbers, from 1, and what was wanted.
        The sentence behind it is looked at only for the style of code."""
        lines = screen.lines()[self.rows_before :]
        wanted = styled_lines("".join(self.pieces))
        found = [
            f"{number} {fault.wanted}"
            for number, (line, shown) in enumerate(zip(wanted, lines, strict=False), start=1)
            if (fault := style_fault([line], [shown]))
        ]
        if code_blocks(wanted, lines) != max((line.block or 0 for line in wanted), default=0):
            found.append("block")
        last = [line for line in lines if line.text.strip()][-1:]
        if self.notice is not None and last and not last[0].styles[0].plain and wanted[-1].block:
            found.append("notice")
        return found


def _story(steps: Sequence[Relation]) -> dict[str, object]:
    """What was seen at any time, in the order in which it came, and in the end: how often is an accident."""
    return {"steps": list(dict.fromkeys(steps)), "last": steps[-1] if steps else None}
