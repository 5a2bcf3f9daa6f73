"""Random streams of the shapes that programs write: answers painted again, spinners, status lines, editors.

The texts are random, the order of the sequences is that of real renderers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

Pieces = Iterator[str]


def parted(text: str) -> list[str]:
    return text.split("|")


_WORDS = parted(
    "the|a|stream|of|`code`|and|text,|so:|**bold**|- item|流式|输出，|就是|한국말|テスト|🚀|e\u0301tude|n\u0303|=>|0.42"
)
_STYLES = parted(
    "\x1b[1m|\x1b[2m|\x1b[3m|\x1b[4m|\x1b[7m|\x1b[36m|\x1b[1;33m|\x1b[38;5;208m|\x1b[38;2;9;8;7m|\x1b[48;5;236m"
)
_ENDS = ("\x1b[m", "\x1b[0m", "\x1b[22;23;24;27;39;49m")
_SYNCHRONIZED = ("\x1b[?2026h", "\x1b[?2026l")
_HIDDEN = ("\x1b[?25l", "\x1b[?25h")


class Renderers:
    def __init__(self, rng: random.Random, columns: int, rows: int) -> None:
        self.rng, self.columns, self.rows = rng, columns, rows

    def session(self) -> tuple[str, ...]:
        """One or a few programs, each with what it writes before it ends."""
        programs = (
            *[self.repainted_lines, self.full_screen, self.status_line] * 2,
            *[self.wrapped_answer, self.live_region] * 4,
            *[self.progress, self.line_editor, self.table],
        )
        pieces: list[str] = []
        for program in self.rng.choices(programs, k=self.rng.choice((1, 2, 2))):
            pieces += program()
            pieces.append(self.rng.choice(("\r\n", "\r\n", "\n\r")))
        return tuple(pieces)

    # Texts

    def words(self, most: int) -> list[str]:
        return [self.styled(self.rng.choice(_WORDS)) for _ in range(self.rng.randint(1, most))]

    def styled(self, word: str) -> str:
        if self.rng.random() < 0.6:
            return word
        return f"{self.rng.choice(_STYLES)}{word}{self.rng.choice(_ENDS)}"

    def height(self, line: str) -> int:
        """The rows that `line` takes from the first column on."""
        column, height, escaped = 0, 1, False
        for character in line:
            if escaped or character == "\x1b":
                escaped = not character.isalpha()
                continue
            width = 0 if character in "\u0301\u0303" else 2 if character > "\u2e80" else 1
            if column + width > self.columns:
                column, height = 0, height + 1
            column += width
        return height

    def around(self, pair: tuple[str, str], pieces: Pieces) -> Pieces:
        """In a mode that is switched on before and off after, or just so."""
        before, after = pair if self.rng.random() < 0.5 else ("", "")
        yield before
        yield from pieces
        yield after

    # Programs

    def repainted_lines(self) -> Pieces:
        """Each delta paints the line again from its start; a style may appear late."""
        back = self.rng.choice(("\r", "\r\x1b[K", "\x1b[G", "\x1b[1G\x1b[K", "\x1b[2K\r"))
        for _ in range(self.rng.randint(1, 3)):
            line = ""
            for word in self.words(5):
                line += word + " "
                yield from self.around(_SYNCHRONIZED, iter((back, line)))
            late = self.rng.choice(("", self.rng.choice(_STYLES)))
            yield f"{back}{late}{line}\x1b[m\r\n"

    def wrapped_answer(self) -> Pieces:
        """The cursor goes up to where a wrapped line began, and all of it is painted again."""
        clear = self.rng.choice(("\x1b[J", "\x1b[0J", ""))
        for _ in range(self.rng.randint(1, 3)):
            line = ""
            for word in self.words(6):
                up = self.height(line) - 1
                line += word
                start = f"\x1b[{up}A\r" if up else "\r"
                if up and self.rng.random() < 0.2:
                    start = f"\x1b[{up}F"
                yield from self.around(_SYNCHRONIZED, iter((start, clear, line)))
            yield "\r\n"

    def live_region(self) -> Pieces:
        """Some lines, erased one by one from the last to the first before they are drawn again."""
        return self.around(_HIDDEN, self._live_region())

    def _live_region(self) -> Pieces:
        count = max(1, self.rng.randint(self.rows // 2, self.rows - 1)) if self.rows > 1 else 1
        for turn in range(self.rng.randint(2, 4)):
            if turn:
                yield "\r\x1b[2K" + "\x1b[1A\x1b[2K" * (count - 1)
            yield "\r\n".join("".join(self.words(2)) for _ in range(count))

    def progress(self) -> Pieces:
        return self.around(_HIDDEN, self._progress())

    def _progress(self) -> Pieces:
        width = max(1, self.columns - 6)
        for percent in sorted(self.rng.choices(range(101), k=4)):
            done = width * percent // 100
            bar = f"[\x1b[32m{'#' * done}\x1b[2m{'.' * (width - done)}\x1b[0m]"
            yield self.rng.choice(
                (f"\r{bar}{percent:3}%", f"\x1b[G{bar}\x1b[{width + 3}G\x1b[K{percent}%", f"\r|\t{percent}%\x1b[K")
            )
            yield "\b" * self.rng.randint(0, 3) + self.rng.choice(("", "|", "/", "\\"))

    def status_line(self) -> Pieces:
        """A last row outside the scroll region, drawn from a saved place."""
        if self.rows < 3:
            return
        save, restore = self.rng.choice((("\x1b7", "\x1b8"), ("\x1b[s", "\x1b[u")))
        yield f"\x1b[1;{self.rows - 1}r\x1b[{self.rng.randint(1, self.rows - 1)};1H"
        for _ in range(self.rng.randint(2, 6)):
            yield "".join(self.words(3))
            yield self.rng.choice(("\r\n", "\r\n", "\r", "\n\r"))
            # In the first columns: behind a full row the recorded terminal does not save that the next wraps.
            yield "ok" if self.columns > 2 else ""
            yield from self.around(
                _HIDDEN,
                iter((save, f"\x1b[{self.rows};1H\x1b[2K", self.styled("busy"[: self.columns - 1]), restore)),
            )
        yield f"\x1b[r\x1b[{self.rows};1H"

    def full_screen(self) -> Pieces:
        """The alternate screen: rows by their address, a scroll region, lines put in and taken out."""
        if self.rows < 2:
            return
        yield "\x1b[?1049h\x1b[H\x1b[2J"
        for _ in range(self.rng.randint(2, 8)):
            y = self.rng.randint(1, self.rows)
            yield f"\x1b[{y};{self.rng.randint(1, self.columns)}H" if self.rng.random() < 0.4 else f"\x1b[{y}d\r"
            yield self.rng.choice(
                ("\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[L", "\x1b[M", "\x1b[2L", "\x1bM", "\n", "\x1b[3X", "")
            )
            yield "".join(self.words(2))
        # Left for good only sometimes: then the corpus shows what was behind it.
        yield self.rng.choice(("\x1b[m\x1b[?1049l", "\x1b[m\x1b[?1049l", ""))

    def line_editor(self) -> Pieces:
        """A prompt with letters put in, deleted and drawn over."""
        prompt = self.styled("> ")
        yield f"{prompt}{self.styled('abc')}"
        for _ in range(self.rng.randint(3, 10)):
            edits: tuple[Callable[[], str], ...] = (
                lambda: "\b \b",
                lambda: "\x1b[D\x1b[@x",
                lambda: "\x1b[2D\x1b[P",
                lambda: f"\x1b[{self.rng.randint(1, 4)}D",
                lambda: "\x1b[C",
                lambda: f"\r\x1b[K{prompt}{''.join(self.words(3))}",
                lambda: f"\x1b[D\x1b[4h{self.rng.choice(_WORDS)}\x1b[4l",
                lambda: "\b\x1b[K",
                lambda: f"\r\x1b[J{prompt}",
                lambda: "\x1b[D\x1b[1;4H\x1b[J" if self.rows == 1 else "\x1b[D\x1b[A\x1b[B",
            )
            yield self.rng.choice(edits)()

    def table(self) -> Pieces:
        """Columns by tabs and by CHA, some with stops of its own."""
        yield self.rng.choice(("", "", "\x1b[3g\x1b[4G\x1bH\x1b[9G\x1bH\r"))
        for _ in range(self.rng.randint(1, 4)):
            between = self.rng.choice(("\t", "\t\t", f"\x1b[{self.rng.randint(1, self.columns)}G", "\x1b[5C"))
            yield between.join(self.words(4)) + "\r\n"
