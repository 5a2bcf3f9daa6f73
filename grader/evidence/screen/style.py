"""What a character looks like, and how "select graphic rendition" (SGR, `CSI ... m`) changes it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

Colour = int | tuple[int, int, int] | None
"""A palette number (0 to 255), red-green-blue, or None for the terminal's own colour."""


class Style(NamedTuple):
    """The look of one character. Two styles are equal exactly if a person could not tell them apart."""

    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    blink: bool = False
    reverse: bool = False
    hidden: bool = False
    strike: bool = False
    overline: bool = False
    fg: Colour = None
    bg: Colour = None

    @property
    def plain(self) -> bool:
        return self == PLAIN

    @property
    def words(self) -> list[str]:
        """The names of what is not as in the plain style."""
        return [name for name, value, usual in zip(self._fields, self, PLAIN, strict=True) if value != usual]


PLAIN = Style()

_SWITCHES: dict[int, dict[str, Any]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    5: {"blink": True},
    6: {"blink": True},
    7: {"reverse": True},
    8: {"hidden": True},
    9: {"strike": True},
    21: {"underline": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    25: {"blink": False},
    27: {"reverse": False},
    28: {"hidden": False},
    29: {"strike": False},
    39: {"fg": None},
    49: {"bg": None},
    53: {"overline": True},
    55: {"overline": False},
    **{30 + n: {"fg": n} for n in range(8)},
    **{40 + n: {"bg": n} for n in range(8)},
    **{90 + n: {"fg": 8 + n} for n in range(8)},
    **{100 + n: {"bg": 8 + n} for n in range(8)},
}
_COLOURS = (38, 48, 58)  # 58 is the colour of the underline, which a style does not keep
# Alternative fonts, proportional spacing, frames, ideogram marks, underline colour off, super- and subscript:
# xterm draws none of them.
_WITHOUT_EFFECT = frozenset((*range(10, 21), 26, 50, 51, 52, 54, 59, *range(60, 66), 73, 74, 75))


@lru_cache(maxsize=4096)
def after_sgr(style: Style, parameters: str) -> tuple[Style, bool]:
    """The style after `CSI parameters m`, and whether all of the parameters are known."""
    fields = parameters.split(";")
    known = True
    while fields:
        field = fields.pop(0)
        code, *rest = _numbers(field)
        if code in _COLOURS:
            form = rest if rest else _take_colour(fields)
            colour = _colour(form)
            if colour is None:
                known = False
            elif code != 58:
                style = style._replace(fg=colour) if code == 38 else style._replace(bg=colour)
        elif code == 4 and len(rest) == 1:
            style = style._replace(underline=rest[0] != 0)
        elif rest:
            known = False
        elif code == 0:
            style = PLAIN
        elif code in _SWITCHES:
            style = style._replace(**_SWITCHES[code])
        elif code not in _WITHOUT_EFFECT:
            known = False
    # One object for the plain style, so that "is it plain?" is a comparison of identity.
    return (PLAIN if style == PLAIN else style), known


@lru_cache(maxsize=1024)
def blank_style(pen: Style) -> Style:
    """The style of a cell that is erased while the pen is `pen`: its background only."""
    return PLAIN if pen.bg is None else Style(bg=pen.bg)


def _numbers(field: str) -> list[int]:
    return [int(number) if number else 0 for number in field.split(":")]


def _take_colour(fields: list[str]) -> list[int]:
    """Take the fields of a colour in the semicolon form, `5;n` or `2;r;g;b`, off the front."""
    length = {"5": 2, "2": 4}.get(fields[0] if fields else "", 0)
    taken, fields[:] = fields[:length], fields[length:]
    if not length or len(taken) < length or any(":" in field for field in taken):
        return []
    return [int(field) if field else 0 for field in taken]


def _colour(form: list[int]) -> Colour:
    """The colour that `5 n`, `2 r g b` or `2 space r g b ...` names; None if it names none."""
    match form:
        case [5, number, *_] if number < 256:
            return number
        case [2, red, green, blue] | [2, _, red, green, blue, *_] if max(red, green, blue) < 256:
            return red, green, blue
    return None
