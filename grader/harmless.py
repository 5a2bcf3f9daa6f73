"""Text that came from a student's program, made fit to be shown: capped, with nothing in it that a terminal obeys."""

from __future__ import annotations

import unicodedata

from .evidence.screen.width import WIDTHS

# What a report may carry of one text, in characters.
SHOWN_LIMIT = 2048

_SIGNS = {" ": "·", "\n": "↵", "\t": "⇥", "\r": "␍"}


def trouble_in_words(error: BaseException) -> str:
    """What went wrong in the grader, without Python's words where the system has its own."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.filename})" if error.filename else error.strerror
    return f"{type(error).__name__}: {error}"


def harmless(text: str, limit: int = SHOWN_LIMIT) -> str:
    """The text with its control characters spelled out, line feeds kept, its middle cut out if it is too long."""
    if len(text) > limit:
        half = limit // 2
        text = f"{text[:half]} … {len(text) - 2 * half} characters … {text[-half:]}"
    return "".join(char if char == "\n" else _spelled(char) for char in text)


def around(text: str, place: int, limit: int = SHOWN_LIMIT) -> str:
    """At most `limit` characters of a text, those around a place; how many are left out is said."""
    if len(text) <= limit:
        return text
    start = max(0, min(place - limit // 2, len(text) - limit))
    behind = len(text) - start - limit
    return (f"… {start} … " if start else "") + text[start : start + limit] + (f" … {behind} …" if behind else "")


def with_signs(text: str) -> str:
    """The same on one line, with blanks and line ends visible."""
    return "".join(_SIGNS.get(char) or _spelled(char) for char in text)


def _spelled(char: str) -> str:
    # Control, format (bidi, zero width), surrogate, private, unassigned, line and paragraph separators.
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return char.encode("unicode_escape").decode("ascii")
    return char


def first_difference(expected: str, actual: str) -> int | None:
    """Where two texts part, in characters from 0; None if they are equal."""
    if expected == actual:
        return None
    for position, (left, right) in enumerate(zip(expected, actual, strict=False)):
        if left != right:
            return position
    return min(len(expected), len(actual))


def excerpt(text: str, position: int, width: int = 56) -> str:
    """What fits into `width` columns around a position, with signs; what is left out is marked by an ellipsis."""
    start = end = min(position, len(text))
    room = width - 2  # for the ellipses
    while room > 1 and (start > 0 or end < len(text)):
        # Both sides in turn, so that the position stays in the middle as long as there is text around it.
        if start > 0 and (end - position >= position - start or end == len(text)):
            start -= 1
            room -= _columns(text[start])
        else:
            room -= _columns(text[end])
            end += 1
    return ("…" if start else "") + with_signs(text[start:end]) + ("…" if end < len(text) else "")


def _columns(char: str) -> int:
    return sum(WIDTHS[shown] for shown in with_signs(char))
