"""A failure is given the right name, or none."""

from __future__ import annotations

from pathlib import Path

import pytest
from other_hands import BANK, LAB, Grade, names

from grader.course.bank import misconceptions, variants

OTHERS = sorted(Path(__file__).with_name("others").glob("*/*.py"))


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_another_hand_with_the_same_idea_gets_the_same_name(grade_files: Grade, file: Path) -> None:
    given = names(grade_files({_part(file): file.read_bytes()}))
    [wanted] = [one for one in misconceptions(LAB) if one.id == file.parent.name]
    assert given == dict.fromkeys(wanted.fails, wanted.id)


def _part(file: Path) -> str:
    """`sse.2.py` stands for another `sse.py`."""
    return f"{file.name.partition('.')[0]}.py"


RENDERER = Path(__file__).with_name("another_renderer.py").read_text("utf-8")

# What is changed in it, and the idea that this is.
CHANGES = {
    "counts-characters": ("max(wcwidth(char), 0)", "1"),
    "clears-one-row": (r'"\r" + (f"\x1b[{self.up}A" if self.up else "")', r'"\r\x1b[K"'),
    "styles-nothing": ("self.look(self.line))", "self.line)"),
    "ignores-tty": ("self.fancy = tty", "self.fancy = True"),
    "tilde-closes-a-fence": ("(`{3,})([^`]*)$", "(`{3,}|~{3,})([^`]*)$"),
    "sends-control-characters": ("        if self.screen:\n            text = visible(text)\n", ""),
    "flushes-on-a-terminal-only": ("        self.out.flush()\n", ""),
    "greedy-bold": (".*?(?<=", ".*(?<="),
    "colours-the-error-everywhere": (
        "(visible(event.message) if self.screen else event.message)",
        r'f"\x1b[31m{visible(event.message)}\x1b[m"',
    ),
    "asks-for-the-width-once": ("self.size()", "self.__dict__.setdefault('window', self.size())"),
}


def test_another_right_renderer_is_right(grade_files: Grade) -> None:
    assert names(grade_files({"render.py": RENDERER.encode()})) == {}


@pytest.mark.parametrize("idea", CHANGES)
def test_another_renderer_with_the_same_idea_gets_the_same_name(grade_files: Grade, idea: str) -> None:
    changed = RENDERER.replace(*CHANGES[idea])
    assert changed != RENDERER
    given = names(grade_files({"render.py": changed.encode()}))
    assert set(given.values()) == {idea}, given


def test_two_ideas_in_two_files_are_named_where_each_alone_explains_the_failure(grade_files: Grade) -> None:
    both = BANK["joins-with-nothing"] | BANK["passes-deltas-on"]
    assert names(grade_files(both)) == {"framing": "joins-with-nothing", "fenced-answer": "passes-deltas-on"}


def test_a_check_that_two_ideas_fail_together_names_neither(grade_files: Grade) -> None:
    given = names(grade_files(BANK["passes-deltas-on"] | BANK["hides-the-cursor"]))
    assert given == {"fenced-answer": None}


def test_an_idea_is_named_while_other_exercises_are_not_done(grade_files: Grade) -> None:
    given = names(grade_files(BANK["crlf-chunk-by-chunk"], unfinished=frozenset({3, 4})))
    assert given["framing"] == "crlf-chunk-by-chunk"


def test_two_ideas_in_one_file_are_no_idea_on_record(grade_files: Grade) -> None:
    source = BANK["joins-with-nothing"]["sse.py"].replace(b'if payload == "[DONE]"', b'if payload.startswith("[DONE]")')
    assert source != BANK["joins-with-nothing"]["sse.py"]
    assert names(grade_files({"sse.py": source})) == {"framing": None}


@pytest.mark.parametrize("name", ["incremental-decoder", "races-the-signal", "synchronized-output"])
def test_what_is_right_is_not_named_beside_what_is_wrong(grade_files: Grade, name: str) -> None:
    [right] = [one.files for one in variants(LAB) if one.id == name]
    other = "passes-deltas-on" if "sse.py" in right else "joins-with-nothing"
    assert set(names(grade_files(right | BANK[other])).values()) == {other}
