"""Exercise regions: from a finished file to the one that is handed out.

A solution marks what an exercise is about with two comment lines. What stands between them is replaced by the
exercise's text to make the starter, so the handed-out file can always be made again.
"""

from __future__ import annotations

import re

_BEGIN = re.compile(r"^ *# --- exercise (\d+): .* ---$")
_END = re.compile(r"^ *# --- end of exercise (\d+) ---$")
_FIRST_LINE_OF_CODE = re.compile(r"^ *(async def|def|class) ")


class RegionError(Exception):
    """A file's exercise marks do not match. The message says where."""


def replace_regions(source: str, texts: dict[int, str]) -> str:
    """The file with the regions of these exercises replaced; other regions stay as they are.

    Raises `RegionError` for a mark without its counterpart, and for an exercise that the file does not have.
    """
    result: list[str] = []
    inside: int | None = None
    missing = set(texts)
    for number, line in enumerate(source.splitlines(keepends=True), start=1):
        begin, end = _BEGIN.match(line), _END.match(line)
        if end:
            if inside != int(end[1]):
                raise RegionError(f"line {number} ends exercise {end[1]}, which is not open there")
            inside = None
        if inside not in texts:
            result.append(line)
        if begin:
            if inside is not None:
                raise RegionError(f"line {number} begins exercise {begin[1]} inside exercise {inside}")
            inside = int(begin[1])
            missing.discard(inside)
            result.append(texts.get(inside, ""))
    if inside is not None:
        raise RegionError(f"exercise {inside} has no end")
    if missing:
        raise RegionError(f"there is no exercise {', '.join(map(str, sorted(missing)))}")
    return "".join(result)


def line_of_exercise(source: str, exercise: int) -> int | None:
    """Where to begin reading: the first definition of the exercise's region, or its mark; None without a mark."""
    mark: int | None = None
    for number, line in enumerate(source.splitlines(), start=1):
        begin = _BEGIN.match(line)
        if begin and mark is not None:
            return mark
        if begin and int(begin[1]) == exercise:
            mark = number
        elif mark is not None and _FIRST_LINE_OF_CODE.match(line):
            return number
    return mark
