"""Showing verdicts as they come: on one screen, or as lines that are appended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from rich.console import Console, ConsoleOptions
from rich.live import Live
from rich.text import Text

from ..catalogue import Catalogue
from ..report.console import MARKS, place_to_open
from ..results import CheckResult
from .verdicts import Verdicts

# Margins, in columns: for what a check was before, and of everything that explains it.
_BEFORE, _INDENT = 4, 6


class View(Protocol):
    """Used in a `with` block, behind which it leaves the terminal as it was."""

    def __enter__(self) -> View: ...

    def __exit__(self, *_: object) -> None: ...

    def begun(self) -> None:
        """Another grading has begun."""

    def finished(self, result: CheckResult) -> None:
        """The verdicts have this one, too."""

    def over(self) -> None:
        """All checks have been run."""

    def note(self, sentence: str) -> None:
        """Something is in the way."""

    def resized(self) -> None:
        """The window has another size."""


def view_on(console: Console, verdicts: Verdicts, catalogue: Catalogue, heading: str) -> View:
    """One screen on a terminal that can be painted again, lines elsewhere."""
    rows = Rows(verdicts, catalogue)
    if console.is_terminal and not console.is_dumb_terminal:
        return OneScreen(console, rows, heading)
    return Lines(console, rows)


class Rows:
    """Verdicts as rows of text."""

    def __init__(self, verdicts: Verdicts, catalogue: Catalogue) -> None:
        self.verdicts = verdicts
        self.say = catalogue.say

    def unknown(self, check: str) -> Text:
        """One row for a check without a verdict."""
        return Text(f"{' ' * _BEFORE}· {check}  {self.say(f'checks.{check}.title')}", "dim")

    def verdict(self, result: CheckResult) -> Text:
        """One row: what the check was, if that has changed, what it is, and its title."""
        before, (mark, colour) = self.verdicts.before(result), MARKS[result.status]
        row = Text.assemble((f"{MARKS[before][0]} → ", "bold") if before else " " * _BEFORE, (mark, colour))
        row.append(f" {result.id}", "bold reverse" if before else "bold")
        return row.append(f"  {result.title}")

    def explanation(self, result: CheckResult) -> tuple[str, ...]:
        """Where to look, and what was wrong; nothing if the check passed. What is true of several is told once."""
        if result.cause is None:
            return ()
        place = place_to_open(result, self.verdicts.exercises, self.say)
        return (place, result.cause.message) if place else (result.cause.message,)


class Lines:
    """For a pipe, and for a terminal that can only append."""

    def __init__(self, console: Console, rows: Rows) -> None:
        self._console = console
        self._rows = rows
        self._told: set[tuple[str, ...]] = set()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def begun(self) -> None:
        self._told.clear()

    def finished(self, result: CheckResult) -> None:
        self._print(self._rows.verdict(result))
        if (explanation := self._rows.explanation(result)) not in self._told:
            self._told.add(explanation)
            for paragraph in explanation:
                self._print(Text(" " * _INDENT + paragraph))

    def over(self) -> None:
        self._print(Text(self._rows.verdicts.share))

    def note(self, sentence: str) -> None:
        self._print(Text(sentence, "yellow"))

    def resized(self) -> None:
        pass

    def _print(self, line: Text) -> None:
        self._console.print(line, soft_wrap=True)


class OneScreen:
    """The terminal's other screen, painted anew with each piece of news. What was there last stays when it is left."""

    def __init__(self, console: Console, rows: Rows, heading: str) -> None:
        self._console = console
        self._rows = rows
        self._heading = heading
        self._note = ""
        self._live = Live(
            self, console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )

    def __enter__(self) -> OneScreen:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        self._console.print(self)

    def begun(self) -> None:
        self._note = ""
        self._live.refresh()

    def finished(self, result: CheckResult) -> None:
        self._live.refresh()

    def over(self) -> None:
        self._live.refresh()

    def note(self, sentence: str) -> None:
        self._note = sentence
        self._live.refresh()

    def resized(self) -> None:
        self._live.refresh()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """As much of each message as there is room for."""
        for rows_each in (options.size.height, 2, 1):
            picture = self._picture(console, options.max_width, rows_each)
            if options.height is None or len(picture) <= options.height:
                break
        yield from picture

    def _picture(self, console: Console, width: int, rows_each: int) -> list[Text]:
        verdicts = self._rows.verdicts
        state = self._rows.say("watch.grading" if verdicts.pending and not self._note else "watch.waiting")
        share = (f"{verdicts.share}  ", "bold") if verdicts.results else ""
        picture = [Text.assemble((self._heading, "bold"), "  ", share, (state, "dim"))]
        picture += self._paragraph(console, self._note, "yellow", width, rows_each)
        picture.append(Text())
        told: set[tuple[str, ...]] = set()
        for check in verdicts.checks:
            if not (result := verdicts.results.get(check)):
                picture.append(self._rows.unknown(check))
                continue
            part = [self._rows.verdict(result)]
            explanation = self._rows.explanation(result)
            if explanation and explanation not in told:
                told.add(explanation)
                *place, message = explanation
                part += [Text(" " * _INDENT + line, "cyan") for line in place]
                part += self._paragraph(console, message, "", width, rows_each)
            if result.id in verdicts.pending:
                for row in part:
                    row.stylize("dim")
            picture += part
        for row in picture:
            row.truncate(width, overflow="ellipsis")
        return picture

    def _paragraph(self, console: Console, text: str, style: str, width: int, rows: int) -> list[Text]:
        """A text below a check, in at most so many rows."""
        if not text:
            return []
        lines = list(Text(text, style).wrap(console, max(width - _INDENT, 1)))
        if len(lines) > rows:
            lines = [*lines[: rows - 1], lines[rows - 1].append("…")]
        return [Text(" " * _INDENT).append_text(line) for line in lines]
