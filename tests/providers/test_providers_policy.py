"""What may be shown, and when."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from providers_lab import ANSWERS, Probe

many = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

WORDS = [
    "word",
    "3.14",
    "v1.2.3",
    "e.g. ",
    "Dr. ",
    "etc.) ",
    "1. ",
    "字",
    "。",
    "！”",
    "？！",
    "……",
    "…",
    "! ",
    '."',
    "?)",
]
WORDS += [" ", "\n", "\n\n", "sse.py", "U.S. ", "“", "”", "(", ")", "。\n", "🧵", "."]
texts = st.lists(st.sampled_from(WORDS), max_size=15).map("".join)

# A bar stands where something may be let out: behind a sentence, once the character behind it is here.
SENTENCES = [
    "One. |Two! |Three? |four",
    "你好。|“走吧！”|他说（真的？）|然后走了",
    "π is 3.14 and v1.2.3 is out. |Next",
    "See Dr. Müller, e.g. Mr. J. Smith of the U.S. team (apples, pears, etc.) first. |Then",
    "# A heading\n|- an item\n|1. one thing\n|\n|2. another. |More",
    'He said "Stop." |Then (it ended.) |And **so on.** |Really?! |Well... |Then',
    "等等……他说，好吧。|走",
    "价格是 3.5 元。|版本 2.0！|好",
    "Read sse.py and a.b first. |\n|Done",
]


def let_out(probe: Probe, deltas: list[str], mode: str = "sentences") -> list[str]:
    found: list[str] = probe.answer("policy.py", mode=mode, deltas=deltas)
    return found


@pytest.mark.parametrize("which", ["probe", "starter_probe"])
@pytest.mark.parametrize("marked", SENTENCES)
def test_whole_sentences_and_no_less(request: pytest.FixtureRequest, which: str, marked: str) -> None:
    text = marked.replace("|", "")
    # The white space behind a sentence goes with the next one.
    ends = [len(before.replace("|", "").rstrip(" ")) for before in itertools.accumulate(marked.split("|")[:-1])]
    asked: Probe = request.getfixturevalue(which)
    for length, shown in enumerate(itertools.accumulate(let_out(asked, list(text))[:-1]), start=1):
        known = [end for end in ends if end < length or (end == length and text[end - 1] == "\n")]
        assert shown == text[: max(known, default=0)], text[:length]


@many
@given(text=texts, data=st.data())
def test_it_does_not_matter_how_the_text_is_cut(
    probe: Probe, starter_probe: Probe, text: str, data: st.DataObject
) -> None:
    one_by_one = let_out(probe, list(text))
    assert "".join(one_by_one) == text
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    deltas = [text[start:end] for start, end in itertools.pairwise([0, *cuts, len(text)])]
    pieces = let_out(probe, deltas)
    assert pieces == let_out(starter_probe, deltas)
    for shown, length in zip(itertools.accumulate(pieces), [*cuts, len(text)], strict=False):
        assert shown == "".join(one_by_one[:length])
    assert let_out(probe, deltas, "whole") == [*([""] * len(deltas)), text]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_recorded_answers_are_let_out_in_sentences(probe: Probe, language: str) -> None:
    found = [piece for piece in let_out(probe, list(ANSWERS[language])) if piece]
    assert len(found) == 6
