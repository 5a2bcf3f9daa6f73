"""How many columns a character takes."""

from __future__ import annotations

# Blocks whose every character is two columns wide in any version of Unicode. They answer for nearly all
# Chinese, Japanese and Korean text and many emoji, so that most programs never cost the import of wcwidth.
_WIDE_BLOCKS = (
    (0x3001, 0x3029),
    (0x3041, 0x3096),
    (0x30A1, 0x30FF),
    (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3),
    (0xFF01, 0xFF60),
    (0x1F32D, 0x1F335),
    (0x1F337, 0x1F37C),
    (0x1F3A0, 0x1F3CA),
    (0x1F400, 0x1F43E),
    (0x1F4FF, 0x1F53D),
    (0x1F680, 0x1F6C5),
)

# And one column: the rest of Latin, and the pictures of control characters.
_NARROW_BLOCKS = ((0xA1, 0xAC), (0xAE, 0x2FF), (0x2400, 0x2426))


class _Widths(dict[str, int]):
    def __missing__(self, character: str) -> int:
        width = self[character] = _measure(character)
        return width


def _measure(character: str) -> int:
    code = ord(character)
    if code < 0x7F:
        return 1
    for width, blocks in ((2, _WIDE_BLOCKS), (1, _NARROW_BLOCKS)):
        if any(first <= code <= last for first, last in blocks):
            return width
    from wcwidth import wcwidth

    return max(0, wcwidth(character))


WIDTHS: dict[str, int] = _Widths()
"""Columns of each character: 0 (combining and invisible), 1 or 2; filled as characters are met."""
