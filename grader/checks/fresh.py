"""Answers that nobody has seen before: made from a seed, so that output can only be right if the program did the work.

Words are pronounceable nonce, Chinese is common characters in random order, emoji are wide in every terminal. No text
here has tabs, joined emoji, or characters that change the direction of writing: what those look like is free.
"""

from __future__ import annotations

import random

_HAN = "山水日月木火土石田禾竹米门马鱼鸟羊牛虫贝车舟刀弓衣食住行东南西北春夏秋冬红黄蓝白黑高低长短远近快慢新旧轻重"
_EMOJI = "🐙🌵🍋🚲🔔🍉🔭🐢🍇🎻🚀🐝"
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


class Fresh:
    """A source of fresh text. The same seed gives the same texts in the same order."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def word(self) -> str:
        return "".join(self._random.choices(_SYLLABLES, k=self._random.randint(2, 4)))

    def words(self, count: int) -> str:
        return " ".join(self.word() for _ in range(count))

    def han(self, count: int) -> str:
        return "".join(self._random.choices(_HAN, k=count))

    def emoji(self) -> str:
        return self._random.choice(_EMOJI)

    def line(self, columns: int) -> str:
        """A line of ASCII prose that is exactly so many columns wide, and ends in a letter."""
        text = self.word()
        while len(text) < columns + 9:
            text += " " + self.word()
        return text[: columns - 1].rstrip().ljust(columns - 1, "o") + "o"

    def prose(self, columns: int = 80) -> str:
        """Several lines: ASCII, Chinese, emoji, an empty line; narrower, as wide as and wider than the screen."""
        return "\n".join(
            [
                f"{self.words(5)} {self.emoji()} {self.han(4)}",
                self.line(columns),
                "",
                f"{self.han(columns // 2 + 7)}，{self.word()}",
                f"{self.line(columns + 23)} {self.han(3)}",
                f"{self.word()} {self.emoji()}{self.word()}",
            ]
        )

    def markdown(self) -> str:
        """Every construct that has a rule, each with prose around it."""
        w, han = self.word, self.han
        return "\n".join(
            [
                f"## {w()} {han(3)} {w()}",
                f"{w()} `{w()} {han(2)}` {w()} **{w()} {han(2)}**，{w()}.",
                f"{w()} 2 * 3 ** 4 {w()}_{w()}_{w()} **{w()} {w()}",
                f"{han(4)} `{w()} {w()}, {w()}`{han(2)}**{w()}**{han(3)} {w()}",
                f"````{w()}",
                f"{w()} = {w()}(`{w()}`, **{w()}**) # {han(4)}",
                "```",
                "  ~~~~",
                "",
                f"# {w()} {self.emoji()} {w()}",
                f"````{w()}",
                "    ````",
                "`````",
                f"  ```{w()}",
                f"{w()} {w()}",
                "   ```",
                f"#{w()} {w()} `{w()} {w()}",
                f"####### {w()}",
                f"###### {w()} `{w()}` {w()}",
                f"{w()} ``{w()} {w()} {self.emoji()} {w()}",
                f"{w()} ```{w()} {w()}",
                f"```{w()} {w()}``` {w()} **{w()}**",
                f"**{w()}** {w()} **{w()} {w()}** {w()} `{w()}` {w()} `{w()}`",
            ]
        )

    def pieces(self, text: str, size: int | tuple[int, int]) -> list[str]:
        """Cut a text into deltas of one size, or of random sizes between two."""
        if isinstance(size, int):
            return [text[start : start + size] for start in range(0, len(text), size)]
        cut: list[str] = []
        while text:
            length = self._random.randint(*size)
            cut.append(text[:length])
            text = text[length:]
        return cut

    def cuts(self, length: int, count: int) -> list[list[int]]:
        """So many random ways to cut a stream of this length, each at up to six places."""
        ways = []
        for _ in range(count):
            places = self._random.sample(range(1, length), min(self._random.randint(1, 6), length - 1))
            ways.append(sorted(places))
        return ways
