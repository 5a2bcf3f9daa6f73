"""What `grade list` shows: every lab, and which of its checks passed when they were last graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from .catalogue import Language
from .course.lab import Lab
from .paper import paper
from .report.console import MARKS

_MARKS = {True: MARKS["pass"], False: MARKS["fail"], None: ("·", "dim")}  # None: never graded

_INDENT = 2


def run(labs: Sequence[Lab], progress: Mapping[str, Mapping[str, bool]], language: Language) -> None:
    """Print the list. `progress` says of each check, by lab, whether it passed."""
    console = paper()
    for lab in labs:
        passed = progress.get(lab.id, {})
        share = f"{sum(passed.get(check, False) for check in lab.checks)}/{len(lab.checks)}"
        title = lab.catalogue(language).say("title")
        console.print(Text.assemble((lab.id, "bold"), f"  {share}  ", title))
        for line in _rows([_item(check, passed.get(check)) for check in lab.checks], console.width - _INDENT):
            console.print(Text(" " * _INDENT) + line, soft_wrap=True)


def _item(check: str, passed: bool | None) -> Text:
    return Text.assemble(_MARKS[passed], f" {check}")


def _rows(items: Sequence[Text], width: int) -> list[Text]:
    """The items side by side, as many in a row as fit."""
    rows: list[Text] = []
    for item in items:
        if rows and rows[-1].cell_len + 2 + item.cell_len <= width:
            rows[-1] = Text("  ").join([rows[-1], item])
        else:
            rows.append(item)
    return rows
