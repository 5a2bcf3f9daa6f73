"""What six small files between a provider's bytes and a person's eyes must do.

Six checks, one for each file, which is asked by itself through `probe.py`; the last probe of all looks at the whole
program on a terminal. Every text is made up anew.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.checks import Call, Desk, Failure, Turn, probe
from grader.checks.labfile import load

formats = load(Path(__file__).with_name("formats.py"))
CUT_OFF = load(Path(__file__).with_name("turn.py")).CUT_OFF

ERROR = "ProviderError"


def latin(data: bytes) -> str:
    """Bytes as `probe.py` takes them: one character for each."""
    return data.decode("latin-1")


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


# --- utf8: bytes to text, half characters kept ---


def decoding(chunks: Sequence[bytes]) -> Call:
    """The text that is whole after each chunk, and what is left at the end: as Python's own decoder has it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = [decoder.decode(chunk) for chunk in chunks]
    request = {"file": "utf8.py", "chunks": [latin(chunk) for chunk in chunks]}
    return Call(
        request, f"Utf8Decoder().feed, {list(chunks)!r}, then close()", [*texts, decoder.decode(b"", final=True)]
    )


@probe("utf8", exercise=1)
def cut_characters(desk: Desk) -> None:
    text = f"é {desk.fresh.han(3)} {desk.fresh.emoji()}{desk.fresh.word()} Ω".encode()
    halves = [[text[:place], text[place:]] for place in range(1, len(text))]
    desk.calls.expect_answers(
        *(decoding(chunks) for chunks in [[text], *halves, *(cut(text, size) for size in (1, 2, 3))])
    )


@probe("utf8", exercise=1)
def broken_bytes(desk: Desk) -> None:
    before, after = desk.fresh.word().encode(), desk.fresh.word().encode()
    for broken in (b"\xff", b"\xc3", b"\xe5\xad", b"\xed\xa0\x80"):
        desk.calls.expect_answers(decoding([before + broken + after, after]))


@probe("utf8", exercise=1)
def half_at_the_end(desk: Desk) -> None:
    desk.calls.expect_answers(decoding([desk.fresh.word().encode(), desk.fresh.emoji().encode()[:2]]))


# --- transport: chunks, or all that came so far, and the same text in the same order ---


def carrying(transport: str, received: Sequence[bytes], *, after: Sequence[bytes] = ()) -> Call:
    """The texts that each notification hands on, and `end`; nothing that comes after that is handed on."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    handed_on: list[list[str]] = []
    known = 0
    for data in received:
        new = data if transport == "chunks" else data[known:]
        known = max(known, len(data))
        handed_on.append([text] if (text := decoder.decode(new)) else [])
    handed_on.append([rest] if (rest := decoder.decode(b"", final=True)) else [])
    steps = [*(["receive", latin(data)] for data in received), ["end"], *(["receive", latin(data)] for data in after)]
    name = {"chunks": "ChunkTransport", "growing": "GrowingTransport"}[transport]
    request = {"file": "transport.py", "transport": transport, "steps": steps}
    return Call(request, f"{name}.receive, {list(received)!r}, then end()", [*handed_on, *([] for _ in after)])


@probe("transport", exercise=2)
def chunks_and_growth(desk: Desk) -> None:
    text = f"{desk.fresh.word()} é{desk.fresh.han(2)}{desk.fresh.emoji()} {desk.fresh.word()}".encode()
    for size in (1, 2, 3, 7, len(text)):
        chunks = cut(text, size)
        desk.calls.expect_answers(carrying("chunks", chunks), carrying("growing", list(itertools.accumulate(chunks))))


@probe("transport", exercise=2)
def repeated_and_late_growth(desk: Desk) -> None:
    words = desk.fresh.words(9).encode()
    steps = [words[:end] for end in (4, 9, 9, 4, 15, 9, 0, len(words), 15)]
    desk.calls.expect_answers(carrying("growing", steps))


@probe("transport", exercise=2)
def nothing_after_the_end(desk: Desk) -> None:
    whole, more = desk.fresh.words(2).encode(), desk.fresh.words(2).encode()
    desk.calls.expect_answers(
        carrying("chunks", [whole, b"\xe5\xad"], after=[more]),
        carrying("growing", [whole, whole + b"\xe5\xad"], after=[whole + b"\xe5\xad" + more]),
    )


# --- providers: four formats, two channels, one error ---


def translating(
    provider: str, events: Sequence[tuple[str, str]], pieces: Sequence[tuple[str, str]], error: str | None = None
) -> Call:
    """The listener's calls for these events: each piece of a channel, with that channel's text so far."""
    so_far = {"answer": "", "reasoning": ""}
    calls = []
    for channel, text in pieces:
        so_far[channel] += text
        calls.append([channel, text, so_far[channel]])
    request = {"file": "providers.py", "provider": provider, "events": [list(event) for event in events]}
    return Call(request, f"Translator({provider!r}), {[data for _, data in events]}", calls, error)


def made_up(desk: Desk) -> list[tuple[str, str]]:
    reasoning = [("reasoning", f"{desk.fresh.words(2)} ") for _ in range(3)]
    return [*reasoning, *(("answer", f"{desk.fresh.word()} {desk.fresh.han(2)}é ") for _ in range(3))]


@probe("providers", exercise=3)
def two_channels(desk: Desk) -> None:
    for provider in formats.PROVIDERS:
        pieces = made_up(desk)
        events = [formats.piece(provider, *piece) for piece in pieces]
        events[1:1] = formats.others(provider)
        desk.calls.expect_answers(translating(provider, [*events, formats.closings(provider)[0]], pieces))


@probe("providers", exercise=3)
def closing_events(desk: Desk) -> None:
    for provider in formats.PROVIDERS:
        pieces = made_up(desk)[-2:]
        events = [formats.piece(provider, *piece) for piece in pieces]
        for closing in formats.closings(provider):
            desk.calls.expect_answers(translating(provider, [*events, closing], pieces))


@probe("providers", exercise=3)
def cut_before_it_closes(desk: Desk) -> None:
    for provider in formats.PROVIDERS:
        pieces = made_up(desk)[-2:]
        events = [*(formats.piece(provider, *piece) for piece in pieces), *formats.others(provider)]
        desk.calls.expect_answers(translating(provider, events, pieces, ERROR), translating(provider, [], [], ERROR))


@probe("providers", exercise=3)
def errors_in_the_stream(desk: Desk) -> None:
    for provider in formats.PROVIDERS:
        pieces = made_up(desk)[-2:]
        for passing in (True, False):
            event = formats.error(provider, desk.fresh.words(3), passing=passing)
            call = translating(provider, [*(formats.piece(provider, *piece) for piece in pieces), event], pieces, ERROR)
            desk.calls.expect_answers(call)
            _, error = desk.calls.ask(call.request, call.shown)
            if error and error.get("retryable") is not passing:
                shown = str(error.get("retryable"))
                raise Failure(desk.say("words.wrong-retryable", call=call.shown), expected=str(passing), actual=shown)


@probe("providers", exercise=3)
def what_follows_no_format(desk: Desk) -> None:
    for provider in formats.PROVIDERS:
        pieces = made_up(desk)[-2:]
        events, closing = [formats.piece(provider, *piece) for piece in pieces], formats.closings(provider)[0]
        for broken in ("{oops", "[1, 2]"):
            desk.calls.expect_answers(translating(provider, [*events, ("message", broken), closing], pieces, ERROR))


# --- policy: whole sentences, or nothing until the end ---


def letting_out(mode: str, sentences: Sequence[str], size: int, rest: str = "") -> Call:
    """What may be shown after each delta. A sentence is out when the character behind it is there; a line at once."""
    text = "".join(sentences) + rest
    ends = list(itertools.accumulate(map(len, sentences))) if mode == "sentences" else []
    pieces, shown = [], 0
    for place in range(0, len(text), size):
        arrived = min(place + size, len(text))
        out = max((end for end in ends if end < arrived or (end == arrived and text[end - 1] == "\n")), default=0)
        pieces.append(text[shown : max(shown, out)])
        shown = max(shown, out)
    deltas = [text[place : place + size] for place in range(0, len(text), size)]
    request = {"file": "policy.py", "mode": mode, "deltas": deltas}
    return Call(request, f"Policy({mode!r}).feed, {deltas!r}, then end()", [*pieces, text[shown:]])


@probe("policy", exercise=4)
def sentences_of_both_languages(desk: Desk) -> None:
    w, han = desk.fresh.words, desk.fresh.han
    english = [f"{w(3)}.", f" {w(2)}!", f" “{w(2)}?”", f" ({w(2)}…)", f" {w(3)}?!"]
    chinese = [f"{han(6)}。", f"{han(5)}！", f"“{han(4)}？”", f"{han(3)}。"]
    lines = [f"# {w(2)}\n", f"- {w(2)}\n", "\n", f"{w(2)}\n"]
    last = f" {w(1)}\n"  # the end of a line is out at once, so nothing is left
    for sentences in ([*english, last], [*chinese, last], lines, [*english, last, *chinese, last]):
        for size in (1, 2, 7):
            desk.calls.expect_answers(letting_out("sentences", sentences, size))


@probe("policy", exercise=4)
def no_ends(desk: Desk) -> None:
    w = desk.fresh.words
    sentences = [
        f"{w(1)} 3.14 {w(1)} v1.2.3 {w(1)}.py {w(1)}.", f" Dr. {w(1)} e.g. {w(1)} vs. {w(1)} U.S. {w(1)}!",
        f" {w(1)}: etc. {w(1)} J. {w(1)}.", "\n", f"1. {w(2)}\n", f"2. {w(2)}\n",
    ]  # fmt: skip
    for size in (1, 3):
        desk.calls.expect_answers(letting_out("sentences", sentences, size))


@probe("policy", exercise=4)
def the_rest(desk: Desk) -> None:
    for rest in (desk.fresh.words(3), f"{desk.fresh.word()}.", desk.fresh.han(5), f" {desk.fresh.word()} e.g."):
        desk.calls.expect_answers(letting_out("sentences", [f"{desk.fresh.words(3)}."], 5, rest=f" {rest}"))


@probe("policy", exercise=4)
def nothing_until_the_end(desk: Desk) -> None:
    sentences = [f"{desk.fresh.words(2)}.", f" {desk.fresh.han(4)}。", f" {desk.fresh.word()}\n"]
    desk.calls.expect_answers(letting_out("whole", sentences, 4, rest=desk.fresh.word()))


# --- paint: at most one picture in 40 ms, each of the newest text ---


def painting(steps: Sequence[list[Any]], *paints: tuple[float, str]) -> Call:
    """The pictures, and when each was painted, in milliseconds of a clock that the probe owns."""
    return Call({"file": "paint.py", "steps": list(steps)}, f"Painter, {list(steps)!r}", [list(one) for one in paints])


@probe("paint", exercise=5)
def what_waited(desk: Desk) -> None:
    a, b, c = (desk.fresh.words(count) for count in (1, 2, 3))
    steps = [[0, "changed", a], [10, "changed", b], [100, "wait"], [101, "changed", c], [200, "wait"]]
    desk.calls.expect_answers(painting(steps, (0, a), (40, b), (101, c)))


MANY, SECOND, MOST = 10_000, 1000, 26  # changes, milliseconds, pictures


@probe("paint", exercise=5)
def ten_thousand_deltas(desk: Desk) -> None:
    steps = [*([SECOND * n / MANY, "changed", str(n)] for n in range(MANY)), [SECOND, "finished", str(MANY)]]
    shown = desk.say("words.ten-thousand")
    paints, _ = desk.calls.ask({"file": "paint.py", "steps": steps}, shown)
    if not MOST - 6 <= len(paints) <= MOST:
        wanted, seen = f"{MOST - 6} … {MOST}", str(len(paints))
        raise Failure(desk.say("words.wrong-paints", most=MOST, call=shown), expected=wanted, actual=seen)
    newest = [[when, str(round(when * MANY / SECOND))] for when, _ in paints]
    if paints != newest:
        raise Failure(desk.say("words.old-paints", call=shown), expected=str(newest), actual=str(paints))


@probe("paint", exercise=5)
def cleared_at_once(desk: Desk) -> None:
    a, b, c = (desk.fresh.words(count) for count in (1, 2, 3))
    steps = [[0, "changed", a], [10, "changed", b], [20, "cleared"], [70, "changed", c], [200, "wait"]]
    desk.calls.expect_answers(painting(steps, (0, a), (20, ""), (70, c)))


@probe("paint", exercise=5)
def finished_at_once(desk: Desk) -> None:
    a, b, c = (desk.fresh.words(count) for count in (1, 2, 3))
    steps = [[0, "changed", a], [10, "changed", b], [20, "finished", c], [200, "wait"]]
    desk.calls.expect_answers(painting(steps, (0, a), (20, c)))


# --- conversation: drafts, answers and errors ---


def seen(prompt: str, answer: str = "", reasoning: tuple[str, bool] | None = None, **rest: Any) -> dict[str, Any]:
    block = None if reasoning is None else {"text": reasoning[0], "open": reasoning[1]}
    return {
        "prompt": prompt,
        "reasoning": block,
        "answer": answer,
        "done": False,
        "error": None,
        "retryable": False,
        **rest,
    }


def talking(*steps: tuple[list[Any], list[dict[str, Any]], list[list[str]]]) -> Call:
    """After each step the turns that are to be seen, and what the provider will be told."""
    asked = [step for step, _, _ in steps]
    answer = [{"turns": turns, "history": history} for _, turns, history in steps]
    return Call({"file": "conversation.py", "steps": asked}, f"Conversation, {asked!r}", answer)


@probe("conversation", exercise=6)
def a_retry_clears_the_draft(desk: Desk) -> None:
    prompt, first, thought, second = (desk.fresh.words(2) for _ in range(4))
    desk.calls.expect_answers(
        talking(
            (["ask", prompt], [seen(prompt)], []),
            (["add", "reasoning", thought], [seen(prompt, reasoning=(thought, True))], []),
            (["restart"], [seen(prompt)], []),
            (["add", "answer", first], [seen(prompt, first)], []),
            (["restart"], [seen(prompt)], []),
            (["add", "answer", second], [seen(prompt, second)], []),
            (["finish"], [seen(prompt, second, done=True)], [["user", prompt], ["assistant", second]]),
        )
    )


@probe("conversation", exercise=6)
def a_cut_answer_is_not_kept(desk: Desk) -> None:
    prompt, half, other, answer = (desk.fresh.words(2) for _ in range(4))
    failed = seen(prompt, error=CUT_OFF, retryable=True)
    desk.calls.expect_answers(
        talking(
            (["ask", prompt], [seen(prompt)], []),
            (["add", "answer", half], [seen(prompt, half)], []),
            (["fail", CUT_OFF, True], [failed], []),
            (["ask", other], [failed, seen(other)], []),
            (["add", "answer", answer], [failed, seen(other, answer)], []),
            (["finish"], [failed, seen(other, answer, done=True)], [["user", other], ["assistant", answer]]),
        )
    )


@probe("conversation", exercise=6)
def reasoning_folds(desk: Desk) -> None:
    prompt, thought, more, answer = (desk.fresh.words(2) for _ in range(4))
    desk.calls.expect_answers(
        talking(
            (["ask", prompt], [seen(prompt)], []),
            (["add", "reasoning", thought], [seen(prompt, reasoning=(thought, True))], []),
            (["add", "reasoning", more], [seen(prompt, reasoning=(thought + more, True))], []),
            (["add", "answer", answer], [seen(prompt, answer, (thought + more, False))], []),
            (
                ["finish"],
                [seen(prompt, answer, (thought + more, False), done=True)],
                [["user", prompt], ["assistant", answer]],
            ),
        )
    )


# The frozen front of the program: a block of at most so many rows that folds to one line.
ROWS = 5


@probe("conversation", exercise=6)
def on_the_terminal(desk: Desk) -> None:
    for provider in formats.PROVIDERS:
        chat = desk.chat(arguments=["--provider", provider])
        thoughts = [desk.fresh.words(2) for _ in range(ROWS + 3)]
        folded = f"▸ thought, {len(chr(10).join(thoughts))} characters"
        first, second = f"{desk.fresh.words(3)}.", f" {desk.fresh.words(3)} é{desk.fresh.emoji()}."
        turn = chat.ask(desk.fresh.words(3))
        send(turn, provider, "reasoning", "\n".join(thoughts))
        turn.expect_shown("\n".join(f"│ {thought}" for thought in thoughts[-ROWS:]))
        send(turn, provider, "answer", f"{first} ")
        turn.expect_shown(f"{folded}\n{first}")
        send(turn, provider, "answer", second[1:])
        close(turn, provider)
        turn.expect_shown(f"{folded}\n{first}{second}\n>")
        chat.wait_for_prompt_sign()
    tried_again(desk)
    cut_off(desk)


def tried_again(desk: Desk) -> None:
    """The connection breaks, and the same question is asked again: nothing of the first beginning stays."""
    gone, whole = f"{desk.fresh.words(2)}.", f"{desk.fresh.words(3)}."
    with desk.program(desk.fresh.words(3)) as chat:
        send(chat.turn, "openai", "answer", f"{gone} ")
        chat.turn.expect_shown(gone)
        chat.turn.cut()
        chat.turn.expect_asked_again()
        send(chat.turn, "openai", "answer", f"{whole} ")
        chat.turn.expect_shown(whole)
        close(chat.turn, "openai")
        chat.expect_exit(0)
        chat.turn.expect_shown(whole)


def cut_off(desk: Desk) -> None:
    """The reply ends before the answer is closed: an error stands in its place."""
    half = f"{desk.fresh.words(2)}."
    with desk.program(desk.fresh.words(3)) as chat:
        send(chat.turn, "openai", "answer", f"{half} ")
        chat.turn.expect_shown(half)
        chat.turn.end_reply()
        chat.expect_exit(1)
        chat.turn.expect_shown(CUT_OFF)


def send(turn: Turn, provider: str, channel: str, text: str) -> None:
    turn.send_event(formats.on_the_wire([formats.piece(provider, channel, text)]))


def close(turn: Turn, provider: str) -> None:
    turn.send_event(formats.on_the_wire([formats.closings(provider)[0]]))
    turn.end_reply()
