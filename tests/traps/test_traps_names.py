"""A wrong idea is known by its name whoever wrote it down: right variants in which one thing is broken."""

from __future__ import annotations

import pytest
from traps_grading import LAB, VARIANTS, Grade

from grader.course.bank import misconceptions

FAILS = {one.id: one.fails for one in misconceptions(LAB)}

# The idea, the variant, and what is changed in it.
CHANGES = [
    ("joins-with-nothing", "incremental-decoder", r'"\n".join(data)', '"".join(data)'),
    ("every-line-end-chunk-by-chunk", "incremental-decoder", 'self._cr_is_open = text.endswith("\\r")', "pass"),
    ("accepts-nul", "byte-by-byte", " and 0 not in value", ""),
    ("cr-then-lf-is-two", "byte-by-byte", "byte == 10 and self.before == 13", "False"),
    ("name-stays", "byte-by-byte", 'self.event_size = b"",', "self.event_size = self.event,"),
    ("drops-bad-bytes", "coroutine", '"replace"', '"ignore"'),
    ("limit-of-the-stream", "coroutine", "self._so_far = 0\n        event", "pass\n        event"),
    ("keeps-the-bom", "searching-buffer", r'text.removeprefix("\ufeff")', "text"),
    ("retry-in-any-digits", "searching-buffer", 'all(digit in "0123456789" for digit in value)', "value.isdigit()"),
    ("copies-the-data-for-each-line", "coroutine", "data.append(value)", "data = [*data, value]"),
    ("done-is-a-prefix", "coroutine", 'event.data == "[DONE]"', 'event.data.startswith("[DONE]")'),
]  # fmt: skip


@pytest.mark.parametrize(("idea", "variant", "before", "after"), CHANGES, ids=[idea for idea, *_ in CHANGES])
def test_another_hand_with_the_same_idea_gets_the_same_name(
    grade_source: Grade, idea: str, variant: str, before: str, after: str
) -> None:
    assert before in VARIANTS[variant]
    failed = [
        check for check in grade_source(VARIANTS[variant].replace(before, after)).checks if check.status != "pass"
    ]
    given = {check.id: check.misconception and check.misconception.id for check in failed}
    assert given == dict.fromkeys(FAILS[idea], idea)


def test_two_ideas_in_one_file_are_no_idea_on_record(grade_source: Grade) -> None:
    source = VARIANTS["byte-by-byte"].replace(" and 0 not in value", "").replace("value.isdigit()", "True")
    failed = [check for check in grade_source(source).checks if check.status != "pass"]
    assert [(check.id, check.misconception) for check in failed] == [("fields", None)]
