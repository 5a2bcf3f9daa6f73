"""What each file is asked by itself, to tell one idea from another: fixed scenarios of `probe.py`.

Where two ideas give the same answers to all of them, the kit cannot tell them apart, and says nothing.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from grader.checks.labfile import load
from grader.diagnosis.battery import Input

formats = load(Path(__file__).with_name("formats.py"))


def answered(answer: dict[str, Any]) -> object:
    """What came, the class of what was raised, and whether it said that asking again may help."""
    error = answer["error"]
    return [answer["answer"], error and error["class"][0], error and error["retryable"]]


def scenario(file: str, name: str, **request: Any) -> Input:
    return Input(file, name, {"file": file, **request}, answered)


def latin(chunks: list[bytes]) -> list[str]:
    return [chunk.decode("latin-1") for chunk in chunks]


# --- utf8.py ---

TEXT = "né 字 🧵".encode()

UTF8 = [
    scenario("utf8.py", name, chunks=latin(chunks))
    for name, chunks in {
        "whole": [TEXT],
        "byte-by-byte": [TEXT[place : place + 1] for place in range(len(TEXT))],
        "cut-in-two-bytes": [TEXT[:2], TEXT[2:]],
        "cut-in-four-bytes": [TEXT[:-2], TEXT[-2:]],
        "broken": [b"a\xffb", b"c"],
        "broken-half": [b"a\xc3b", b"c"],
        "half-at-the-end": [b"a\xe5\xad"],
        "empty-chunks": [b"", b"a", b""],
    }.items()
]

# --- transport.py ---

CHUNKS = [b"one ", b"t", b"wo \xc3", b"\xa9 three"]
GROWTH = list(itertools.accumulate(CHUNKS))


def received(name: str, transport: str, chunks: list[bytes], *after: list[str]) -> Input:
    steps = [*(["receive", text] for text in latin(chunks)), ["end"], *after]
    return scenario("transport.py", name, transport=transport, steps=steps)


TRANSPORT = [
    received("chunks", "chunks", CHUNKS),
    received("growth", "growing", GROWTH),
    received("repeated", "growing", [GROWTH[0], GROWTH[0], GROWTH[1], GROWTH[1]]),
    received("late", "growing", [GROWTH[1], GROWTH[0], GROWTH[2], GROWTH[1], GROWTH[3]]),
    received("half-at-the-end", "growing", [GROWTH[2]]),
    received("after-the-end", "chunks", CHUNKS[:1], ["receive", "more"]),
    received("growth-after-the-end", "growing", GROWTH[:1], ["receive", "one more"]),
]

# --- providers.py ---


def provided(name: str, provider: str, *events: tuple[str, str], end: bool = True) -> Input:
    return scenario("providers.py", f"{provider}-{name}", provider=provider, events=events, end=end)


def of_a_provider(provider: str) -> list[Input]:
    thought, text = formats.piece(provider, "reasoning", "hm"), formats.piece(provider, "answer", "hi")
    closings, others = formats.closings(provider), formats.others(provider)
    passing, final = (formats.error(provider, "no", passing=passing) for passing in (True, False))
    return [
        provided("answer", provider, thought, thought, text, text, closings[0]),
        *(provided(f"closing-{number}", provider, text, closing) for number, closing in enumerate(closings)),
        *(provided(f"other-{number}", provider, text, other, closings[0]) for number, other in enumerate(others)),
        *(provided(f"only-other-{number}", provider, text, other) for number, other in enumerate(others)),
        provided("cut", provider, text),
        provided("nothing", provider),
        provided("passing-error", provider, text, passing),
        provided("final-error", provider, text, final),
        provided("not-json", provider, text, ("message", "{oops"), closings[0]),
        provided("no-object", provider, text, ("message", "[1]"), closings[0]),
        provided("done", provider, text, ("message", "[DONE]")),
    ]


PROVIDERS = [one for provider in formats.PROVIDERS for one in of_a_provider(provider)]

# --- policy.py ---

TEXTS = {
    "english": "One two. Three four! “Five?” (Six…) Seven?! Eight",
    "chinese": "一二三。四五！“六七？”八九。十",
    "lines": "# head\n- a\n\nb\n",
    "abbreviations": "See Dr. Who, e.g. in U.S. shows. J. Doe etc. went on.",
    "numbers": "It is 3.14 in v1.2.3 of sse.py. 1. no\n2. yes.\n",
    "rest": "No end here",
    "ends-in-a-mark": "An end. And one more.",
}

POLICY = [
    scenario(
        "policy.py",
        f"{name}-{mode}-{size}",
        mode=mode,
        deltas=[text[at : at + size] for at in range(0, len(text), size)],
    )
    for name, text in TEXTS.items()
    for mode, size in (("sentences", 1), ("sentences", 9), ("whole", 9))
]

# --- paint.py ---

FLOW = [[n * 3, "changed", "x" * n] for n in range(40)]

PAINT = [
    scenario("paint.py", name, steps=steps)
    for name, steps in {
        "one": [[0, "changed", "a"], [100, "wait"]],
        "soon": [[0, "changed", "a"], [10, "changed", "b"], [30, "changed", "c"], [100, "wait"]],
        "at-the-same-time": [[5, "changed", "a"], [5, "changed", "b"], [100, "wait"]],
        "flow": [*FLOW, [200, "wait"]],
        "slow": [[n * 50, "changed", str(n)] for n in range(5)],
        "cleared": [[0, "changed", "a"], [10, "changed", "b"], [20, "cleared"], [30, "changed", "c"], [99, "wait"]],
        "cleared-alone": [[0, "changed", "a"], [10, "cleared"], [99, "wait"]],
        "finished": [[0, "changed", "a"], [10, "changed", "b"], [20, "finished", "c"], [99, "wait"]],
        "after-the-end": [[0, "finished", "a"], [10, "changed", "b"], [20, "cleared"], [99, "wait"]],
    }.items()
]

# --- conversation.py ---

THINK, SAY, ASK = ["add", "reasoning", "hm "], ["add", "answer", "hi "], ["ask", "?"]
FAIL, FINISH, RESTART = ["fail", "no", True], ["finish"], ["restart"]

CONVERSATION = [
    scenario("conversation.py", name, steps=steps)
    for name, steps in {
        "answer": [ASK, SAY, SAY, FINISH],
        "reasoning": [ASK, THINK, THINK, SAY, FINISH],
        "reasoning-again": [ASK, THINK, SAY, THINK, FINISH],
        "reasoning-alone": [ASK, THINK, FINISH],
        "empty-answer": [ASK, FINISH],
        "retry": [ASK, SAY, RESTART, SAY, FINISH],
        "retry-of-reasoning": [ASK, THINK, RESTART, THINK, SAY, FINISH],
        "failed": [ASK, THINK, SAY, FAIL],
        "failed-and-asked-again": [ASK, SAY, FAIL, ASK, SAY, FINISH],
        "two-turns": [ASK, SAY, FINISH, ASK, SAY, FINISH],
        "too-late": [ASK, SAY, FINISH, SAY, RESTART],
    }.items()
]

BATTERY = [*UTF8, *TRANSPORT, *PROVIDERS, *POLICY, *PAINT, *CONVERSATION]
