"""Random terminal streams: text, controls and escape sequences in the mixture that finds mistakes.

About a third of them are of the shapes that programs write; see screen_renderers.py.

Left out is what @xterm/headless is known to do otherwise than xterm; test_screen_corpus.py names it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from screen_renderers import Renderers, parted

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789.,;:*`#-"
_WIDE = "流式输出就是边生成，。、（）한국말テスト🙂🚀🎉"
_SYMBOLS = "─│✓✗•…→—°€αЖא♥★①⌚⏰⚡✨❌⭐🌀👀🔥🗑🥇𝒳𠀀￥ﾊ가ㄱ〰㊗™"
_MARKED = parted(
    "e\u0301|a\u0300\u0323|o\u200d|i\ufe0f|n\u0303|👍🏽|👩\u200d🚀|☺\ufe0f|1\ufe0f\u20e3|a\u200bb|c\u2060|\u1100\u1161\u11a8|流\u0301|\u0e01\u0e33"
)
_CONTROLS = parted(
    "\r\n|\r\n|\r\n|\r|\r|\n|\x08|\x08\x08\x08|\t|\x0b|\x0c|\x1bD|\x1bE|\x1bM|\x1bH|\x07|\x0e|\x0f|"
    "\x1b(0|\x1b(B|\x1b)0|\x84|\x85|\x1b[1\r2C|\x1b[\n3D|\x1b[3\x18m|\x1b]0;a\x1ax|\x1b\x1b[1m|"
    "\x1b[\x7f1m"
)
_ERASURES = parted("\x1b[K|\x1b[K|\x1b[1K|\x1b[2K|\x1b[2K|\x1b[J|\x1b[J|\x1b[1J|\x1b[2J|\x1b[?K")
_RENDITIONS = parted(
    "|0|0|1|2|3|4|5|7|8|9|21|22|23|24|25|27|28|29|31|42|39|49|53|55|94|103|4:3|4:0|58;5;3|38;5;200|"
    "48;5;17|38;2;1;2;3|48;2;9;8;7|38:5:100|48:2::1:2:3"
)
_STRINGS = parted(
    "\x1b]133;A\x07|\x1b]104\x07|\x1b]52;c;aa\x07|\x1b]9;1\x1b[1m|\x1bP1$r\x1b\\|\x1b_G\x1b\\|\x1b^a\x1b\\|\x1bXa\x18"
)
_REPORTS = parted(
    "\x1b[6n|\x1b[c|\x1b[5n|\x1b[?6n|\x1b[>c|\x1b[18t|\x1b[22;0t|\x1b[2 q|\x1b[?1$p|\x1b[?2004h|\x1b[?1h|\x1b="
)
_MODES = parted(
    "\x1b[?7l|\x1b[?7h|\x1b[?7h|\x1b[4h|\x1b[4l|\x1b[4l|\x1b[?6h|\x1b[?6h|\x1b[r|\x1b[r|"
    "\x1b[m\x1b[r\x1b#8|\x1b[?25l|\x1b[?25h|\x1b[?2026h|\x1b[?2026l|\x1b[20h|\x1b[20l|\x1b[!p|\x1b[>4;1m|\x1b]0;title\x07|\x1b]2;title\x1b\\|"
    "\x1b[g|\x1b[3g|\x1bc|\x1b[3J"
)


@dataclass(frozen=True)
class Stream:
    columns: int
    rows: int
    pieces: tuple[str, ...]

    @property
    def data(self) -> bytes:
        return "".join(self.pieces).encode()


def stream(seed: int) -> Stream:
    return _Maker(random.Random(seed)).stream()


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.columns = rng.choice((2, 3, 5, 7, 8, 10, 12, 20, 40))
        self.rows = rng.choice((1, 2, 3, 4, 6, 8))
        self.alternate = False
        self.autowrap = True

    def stream(self) -> Stream:
        kinds = (
            self.text,
            self.control,
            self.move,
            self.erase,
            self.shift,
            self.style,
            self.mode,
            self.excursion,
            self.aside,
        )
        if self.rng.random() < 0.35:
            return Stream(self.columns, self.rows, Renderers(self.rng, self.columns, self.rows).session())
        chosen = self.rng.choices(kinds, (40, 22, 14, 10, 8, 12, 6, 3, 2), k=self.rng.choice((4, 10, 30, 60)))
        return Stream(self.columns, self.rows, tuple(kind() for kind in chosen))

    def text(self) -> str:
        columns, choice = self.columns, self.rng.choice
        length = choice((1, 2, 3, 4, columns - 1, columns, columns + 1, 2 * columns + 1))
        wide = (_WIDE, _LETTERS + _WIDE, _SYMBOLS) if self.autowrap else ()
        alphabet = choice((_LETTERS, _LETTERS + "    ", " ", *wide))
        text = "".join(choice(alphabet) for _ in range(length))
        if self.autowrap and self.rng.random() < 0.25:
            text += choice(_MARKED)
        if self.rng.random() < 0.05:
            text += f"\x1b[{self.rng.randint(0, 5)}b"
        return text

    def control(self) -> str:
        return self.rng.choice(_CONTROLS)

    def number(self, highest: int) -> str:
        return self.rng.choice(("", "0", "1", "2", str(self.rng.randint(1, highest)), str(highest), "999"))

    def move(self) -> str:
        final = self.rng.choice("AAABBCCCDDDEFFGGGHHHHdae`IZ")
        if final == "H":
            return self.place()
        before = "\x1b[D" if final == "Z" else ""
        return f"{before}\x1b[{self.number(self.rows if final in 'ABEFde' else self.columns)}{final}"

    def place(self) -> str:
        return f"\x1b[{self.number(self.rows)};{self.number(self.columns)}{self.rng.choice('HHHf')}"

    def erase(self) -> str:
        return self.rng.choice((*_ERASURES, f"\x1b[{self.number(self.columns)}X"))

    def shift(self) -> str:
        final = self.rng.choice("@@PPLMST")
        before = "\x1b[49m" if final == "T" else ""
        return f"{before}\x1b[{self.number(self.columns if final in '@P' else self.rows)}{final}"

    def style(self) -> str:
        count = self.rng.choice((1, 1, 1, 2, 3))
        return f"\x1b[{';'.join(self.rng.choice(_RENDITIONS) for _ in range(count))}m"

    def mode(self) -> str:
        margins = f"\x1b[{self.number(self.rows)};{self.number(self.rows)}r"
        switch = ("switch", "switch") if self.rows > 1 else ()
        chosen: str = self.rng.choice((*_MODES, margins, margins, *switch))
        if chosen == "\x1bc":
            self.alternate = False
            chosen = "\x1b[20l\x1bc"
        if chosen in ("\x1b[?7h", "\x1b[20l\x1bc", "\x1b[!p"):
            self.autowrap = True
        elif chosen == "\x1b[?7l":
            self.autowrap = False
            chosen = "\x1b[D\x1b[?7l"
        elif chosen == "\x1b[?6h":
            chosen += "".join(self.rng.choice((self.text, self.place, self.erase))() for _ in range(5)) + "\x1b[?6l"
        elif chosen == "switch":
            self.alternate = not self.alternate
            to = "\x1b[?1049h" if self.alternate else "\x1b[?1049l"
            chosen = f"\x1b[r\x1b[3g{to}\x1b[3g\x1b(B\x1b)B\x0f"
        return chosen

    def excursion(self) -> str:
        """Away from the saved cursor and back, without scrolling in between."""
        save, restore = self.rng.choice((("\x1b7", "\x1b8"), ("\x1b[s", "\x1b[u")))
        inside = "".join(self.rng.choice((self.move, self.erase, self.style))() for _ in range(self.rng.randint(0, 4)))
        return f"\x1b[D{save}{inside}{self.rng.choice(('', '', 'x'))}{restore}\x1b(B\x1b)B\x0f"

    def aside(self) -> str:
        """What shows nothing by itself."""
        return self.rng.choice(_STRINGS + _REPORTS)
