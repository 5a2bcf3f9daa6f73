"""Probes of wrong parsers: the smallest stream that still fails, and the student's parser beside the reference."""

from __future__ import annotations

import pytest
from tracing import GOLDEN, LAB, Tracing, compare, desk_for, without_each

from grader.catalogue import LANGUAGES, Language
from grader.checks.cut import CutStream
from grader.checks.failure import Failure
from grader.checks.probe import Probe
from grader.checks.runner import lab_probes
from grader.course.lab import CHECKOUT
from grader.course.workdir import generated_files
from grader.statuses import WrongUsage
from grader.trace.parting import parting
from grader.trace.probe_trace import smallest
from grader.trace.reading import Reading, reference_of, reference_reading, student_reading
from grader.trace.shrink import characters, events, lines
from grader.trace.steps import telling_cuts

LINE_BY_LINE = ("            elif self._data:", "            if self._data:")
DECODES_CHUNKS = (
    '        first, *others = chunk.split(b"\\n")',
    '        chunk.decode()\n        first, *others = chunk.split(b"\\n")',
)
WAITS = (
    "        for payload in events.feed(chunk):",
    "        late, self_late = getattr(events, 'late', []), list(events.feed(chunk))\n"
    "        events.late = self_late\n"
    "        for payload in late:",
)
EMITS_REST = (
    "    if not finished:",
    '    for payload in events.feed(b"\\n\\n"):\n        for delta in parse_chunk(payload):\n'
    "            yield delta\n    if not finished:",
)
NEVER_RAISES = ("        raise StreamTruncatedError", "        return")
RAISES_EVIL = ("        raise StreamTruncatedError", '        raise type("\\x1b[31m" + "A" * 9999, (Exception,), {})')
WRONG = {
    "line-by-line": (LINE_BY_LINE, "several-data-lines"),
    "decodes-chunks": (DECODES_CHUNKS, "characters-of-several-bytes"),
    "emits-the-rest": (EMITS_REST, "unfinished-last-event"),
    "never-raises": (NEVER_RAISES, "unfinished-last-event"),
}

READ = reference_of(LAB)
assert READ


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_parser_is_shown_where_it_parts(tracing: Tracing, name: str, language: Language) -> None:
    change, probe = WRONG[name]
    tracing.hand_in(sse=change)
    compare(f"{name}.{language}.txt", tracing.probe(f"framing/{probe}", beside=True, lang=language))
    assert "--student" in tracing.probe(f"framing/{probe}", lang=language)


def test_the_example_in_the_readme_is_true() -> None:
    readme = (CHECKOUT / "README.md").read_text("utf-8")
    assert f"--student --seed 7\n{(GOLDEN / 'line-by-line.en.txt').read_text('utf-8')}```" in readme


def test_cuts_of_ones_own_show_the_stream_as_it_was_asked(tracing: Tracing) -> None:
    tracing.hand_in(sse=DECODES_CHUNKS)
    shown = tracing.probe("framing/characters-of-several-bytes", beside=True, cuts="5,9")
    assert "Both parsers agree to the end." in shown and "The smallest" not in shown


def test_a_right_parser_agrees_at_a_telling_cut(tracing: Tracing) -> None:
    tracing.hand_in()
    shown = tracing.probe("framing/carriage-returns", beside=True)
    assert "Your program passes" in shown and "Both parsers agree to the end." in shown


def test_what_a_parser_says_is_short_and_harmless(tracing: Tracing) -> None:
    tracing.hand_in(sse=RAISES_EVIL)
    shown = tracing.probe("framing/no-terminator", beside=True)
    assert "\x1b" not in shown and len(shown) < 3000


def test_the_smallest_still_fails_and_without_any_event_or_character_it_does_not() -> None:
    source = generated_files(LAB, set())
    source["sse.py"] = source["sse.py"].replace(*DECODES_CHUNKS)
    [probe] = [probe for probe in lab_probes(LAB)["framing"] if probe.id == "characters-of-several-bytes"]
    with desk_for(source) as desk:
        desk.begin(probe.id)
        with pytest.raises(Failure) as failed:
            probe.run(desk)
        assert failed.value.at

        def kind(cut: CutStream) -> object:
            reference = reference_reading(READ, cut)
            found = parting(reference, student_reading(desk.parser, cut, reference, any_ending=False), cut)
            return found and found.kind

        small = smallest(desk, READ, failed.value.at, any_ending=False)
        assert kind(small) == kind(failed.value.at) and len(small.stream) < 60 and len(small.cuts) == 1
        assert not [one for one in without_each(small, events, characters) if kind(one) == kind(small)]
        assert kind(CutStream(small.stream)) is None


@pytest.mark.parametrize("probe", lab_probes(LAB)["framing"], ids=lambda probe: probe.id)
def test_the_finished_parser_and_the_reference_agree_wherever_shrinking_leads(probe: Probe) -> None:
    """Else a student could be shown a fault that is none of this lab's."""
    with desk_for(generated_files(LAB, set())) as desk:
        for case in probe.case or ():
            whole = telling_cuts(case.cut(()))
            for cut in without_each(whole, events, lines, characters):
                wanted = reference_reading(READ, cut)
                assert parting(wanted, student_reading(desk.parser, cut, wanted, any_ending=False), cut) is None


def test_the_reference_gives_what_the_lab_expects() -> None:
    for probe in lab_probes(LAB)["framing"]:
        for case in probe.case or ():
            reading = reference_reading(READ, CutStream(case.stream))
            assert len(reading.lines) == len(case.items) + 1
            assert case.error in ("any", reading.error)


def test_late_is_told_only_where_nobody_may_wait() -> None:
    reference, late = Reading(("a", "end"), (1, 3)), Reading(("a", "end"), (2, 3))
    found = parting(reference, late, CutStream(b"a\n\n...", (3,)))
    assert found and found.late and found.step == 1
    assert parting(reference, late, CutStream(b"a\r\n\r\n", (3,))) is None
    assert parting(late, reference, CutStream(b"a\n\n...", (3,))) is None  # early, and right
    never = parting(reference, Reading(("end",), (3,)), CutStream(b""))
    assert never and (never.step, never.wanted, never.seen) == (1, "a", "end")


def test_a_probe_that_shows_nothing(tracing: Tracing) -> None:
    tracing.hand_in()
    with pytest.raises(WrongUsage, match="nothing to trace"):
        tracing.probe("fenced-answer/gateway-kept-out")
    with pytest.raises(WrongUsage, match="are for streams"):
        tracing.probe("fenced-answer/cursor-stays-visible", beside=True)


def test_a_delta_that_comes_late_is_the_step_that_is_shown(tracing: Tracing) -> None:
    tracing.hand_in(sse=WAITS)
    shown = tracing.probe("framing/delivered-at-once", beside=True)
    assert "They part in step 1" in shown
