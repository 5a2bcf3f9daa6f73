"""The private modes (`CSI ? n h` and `l`) whose state is only kept, not acted on by the grid."""

from __future__ import annotations

REPORTED = {
    1: "application-cursor",
    5: "reverse-video",
    9: "mouse",
    47: "alternate",
    66: "application-keypad",
    1000: "mouse",
    1001: "mouse",
    1002: "mouse",
    1003: "mouse",
    1004: "focus",
    1047: "alternate",
    1049: "alternate",
    2004: "bracketed-paste",
    2026: "synchronized",
}
"""Modes that are off at first, by the name under which a screen reports them."""

WITHOUT_EFFECT = frozenset(
    # Smooth scroll, key repeat, cursor blink, the backspace key, mouse encodings, scroll and key preferences:
    # nothing that shows in what was printed.
    (4, 8, 12, 13, 14, 67, 1005, 1006, 1007, 1010, 1011, 1015, 1016, *range(1034, 1043), 2031)
)

HARMLESS_WHEN_OFF = frozenset((2, 3, 30, 35, 38, 40, 41, 42, 43, 44, 45, 69, 80, 95, 2027))
"""Modes that would change the picture. They are off at first, so switching one off changes nothing."""
