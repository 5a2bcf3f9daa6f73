"""`Gateway` against real servers: what comes out, how it fails, and that stopping closes connections."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from typing import Any

import pytest
from program_lab import Lab, Server

# Plays one turn: what came, how it ended. A case that waits is told to go on when its first text is here.
TURN = """
import urllib.request

def let_go(url):
    *server, case, key = url.split("/")
    if case in ("cut-chunk", "reset"):
        urllib.request.urlopen("/".join(server) + "/go/" + key).close()

async def turn(gateway, url, prompt="hi", **more):
    came = []
    try:
        async for delta in gateway.stream(ChatRequest([Message("user", prompt)], **more)):
            came.append(as_data(delta))
            if isinstance(delta, TextDelta):
                await asyncio.to_thread(let_go, url)
        ended = None
    except GatewayError as error:
        ended = as_error(error)
    except Exception as error:
        ended = [type(error).__name__, str(error), None, None]
    await gateway.end_turn()
    say([came, ended])
"""

TURNS = f"""{TURN}
async def main():
    for url, model in json.loads(sys.argv[1]):
        gateway = Gateway(url, model=model, api_key="secret")
        await turn(gateway, url)
        await gateway.close()

asyncio.run(main(), debug=False)
"""

Turn = tuple[list[Any], Any]


def turns(lab: Lab, *asked: tuple[str, str]) -> list[Turn]:
    """What came, and how it ended, for each address and model."""
    return [(deltas, ended) for deltas, ended in lab.drive(TURNS, json.dumps(asked)).said]


def faults(played: list[Turn], came: list[Any]) -> list[tuple[Any, ...]]:
    """The kind, the status and the retryability of errors that are one plain sentence after the same deltas."""
    for deltas, (_, sentence, _, _) in played:
        assert deltas == came
        assert sentence[0].isupper() and sentence.endswith(".") and not sentence.endswith("..")
        assert sentence.isprintable() and "  " not in sentence and "<" not in sentence
    return [(kind, status, retryable) for _, (kind, _, retryable, status) in played]


def test_an_answer_arrives_whole_however_the_network_cuts_it(composed: Lab, server: Server) -> None:
    end = [["FinishDelta", "stop"], ["UsageDelta", 3, 4]]
    assert turns(composed, (server.url("bytewise"), "m"), (server.url("normal"), "m")) == [
        ([["TextDelta", "byte "], ["TextDelta", "für "], ["TextDelta", "字"], *end], None),
        ([["TextDelta", "You said "], ["TextDelta", "hi."], *end], None),
    ]


def test_a_connection_that_breaks_is_bytes_that_end(composed: Lab, server: Server) -> None:
    cases = ["cut-chunk", "reset", "broken-chunk"]
    played = turns(composed, *((server.url(case), "m") for case in cases))
    assert faults(played, came=[["TextDelta", "kept "]]) == [("StreamTruncatedError", None, True)] * 3


def test_a_refusal_is_one_sentence_with_the_gateways_reason(composed: Lab, server: Server) -> None:
    retryable = {400: False, 401: False, 403: False, 404: False, 418: False, 429: True, 500: True, 503: True}
    played = turns(composed, *((server.url("refusal"), str(status)) for status in retryable))
    assert faults(played, came=[]) == [("GatewayError", *refusal) for refusal in retryable.items()]
    for status, (_, (_, sentence, *_)) in zip(retryable, played, strict=True):
        assert f"({status})" in sentence and "because I say so." in sentence


def test_what_is_no_event_stream_is_one_sentence(composed: Lab, server: Server) -> None:
    cases = {
        "trouble": (502, True, "502"),
        "html": (200, False, "text/html"),
        "whole-json": (200, False, "application/json"),
        "no-type": (200, False, "event stream"),
        "redirect": (307, False, "307"),
        "no-answer": (None, True, "reached"),
        "no-http": (None, True, "reached"),
    }
    played = turns(composed, *((server.url(case), "m") for case in cases))
    assert faults(played, came=[]) == [("GatewayError", *expected[:2]) for expected in cases.values()]
    assert all(cases[case][2] in ended[1] for case, (_, ended) in zip(cases, played, strict=True))
    assert len(server.requests()) == len(cases)


def test_an_error_inside_the_stream_closes_it(composed: Lab, server: Server) -> None:
    [(deltas, ended)] = turns(composed, (server.url("in-band"), "m"))
    assert deltas == [["TextDelta", "kept "]]
    assert ended == ["GatewayError", "The gateway stopped with an error: too much load.", True, 429]
    assert server.hung_up_on()


def test_an_address_that_leads_nowhere_is_one_sentence(composed: Lab) -> None:
    no_addresses = ["localhost:8080/v1", "no address at all", "ftp://127.0.0.1/v1", "http://", "http://[::1/v1"]
    odd = ["http://127.0.0.1:99999/v1", "http://a..b/v1"]
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and never listens
        refused = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        addresses = [*no_addresses, refused, "http://no-such-host.invalid/v1", *odd]
        played = turns(composed, *((address, "m") for address in addresses))
    kinds = faults(played, came=[])
    assert kinds[:-2] == [("GatewayError", None, False)] * 5 + [("GatewayError", None, True)] * 2
    assert [kind[:2] for kind in kinds[-2:]] == [("GatewayError", None)] * 2


SESSION = f"""{TURN}
async def main(url):
    calls = [ToolCall("1", "look", '{{"at": "this"}}')]
    messages = [Message("user", "é \\ud83d"), Message("assistant", "", calls)]
    messages += [Message("tool", "seen", tool_call_id="1")]
    gateway = Gateway(url + "/", model="m")
    for prompt in ("one", "two"):
        await turn(gateway, url, prompt)
    async for _ in gateway.stream(ChatRequest(messages, tools=[{{"type": "function"}}])):
        pass
    await turn(gateway, url, {{"not": {{"JSON"}}}})
    await turn(gateway, url, "last")
    await gateway.close()

asyncio.run(main(sys.argv[1]), debug=False)
"""


def test_one_object_serves_a_whole_session(composed: Lab, server: Server) -> None:
    turns = composed.drive(SESSION, server.url("normal")).said
    said = ["".join(text for kind, text, *_ in deltas if kind == "TextDelta") for deltas, _ in turns]
    assert said == ["You said one.", "You said two.", "", "You said last."]
    # What cannot be sent is the caller's mistake, said to the caller and not to the gateway.
    assert [ended and ended[0] for _, ended in turns] == [None, None, "TypeError", None]

    first, _, with_tools, _ = [request["body"] for request in server.requests()]
    assert first == {
        "model": "m",
        "messages": [{"role": "user", "content": "one"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert with_tools["tools"] == [{"type": "function"}]
    function = {"name": "look", "arguments": '{"at": "this"}'}
    assert with_tools["messages"] == [
        {"role": "user", "content": "é \ud83d"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "type": "function", "function": function}],
        },
        {"role": "tool", "content": "seen", "tool_call_id": "1"},
    ]


ABORT = """
import time, urllib.request

def wait_until(known, url):
    # Called as it is, it blocks everything as a prompt does: what is open then stays open.
    *server, case, key = url.split("/")
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with urllib.request.urlopen("/".join(server) + "/log/" + key) as answer:
            log = json.load(answer)
        if log and (known == "asked" or log[-1]["closed_early"]):
            return True
        time.sleep(0.01)
    return False

async def main(url, when):
    cancel = CancelSignal()
    signal.signal(signal.SIGINT, lambda *_: cancel.abort())
    press = lambda: os.kill(os.getpid(), signal.SIGINT)
    gateway = Gateway(url, model="m")
    stream = gateway.stream(ChatRequest([Message("user", "hi")], signal=cancel))
    seen = after = 0

    async def press_when_asked():
        await asyncio.to_thread(wait_until, "asked", url)
        press()

    async def press_in_silence():
        while seen < 2:
            await asyncio.sleep(0.001)
        press()

    pressing = []
    if when == "first":
        press()
    if when == "asked":
        pressing = [asyncio.create_task(press_when_asked())]
    if when == "silence":
        pressing = [asyncio.create_task(press_in_silence())]
    ended = None
    try:
        async for delta in stream:
            seen += 1
            after += cancel.aborted
            if seen == 2 and when == "flowing":
                press()
            if seen == 2 and when.startswith("left"):
                break
            if cancel.aborted and when == "flowing":
                break
    except GatewayError as error:
        ended = type(error).__name__
    closed = None
    if when == "left, then pressed":
        press()
        closed = await asyncio.to_thread(wait_until, "closed", url)
    await gateway.end_turn()
    if when != "first" and closed is None:
        closed = wait_until("closed", url)
    await asyncio.gather(*pressing)
    await gateway.close()
    say([ended, after, cancel.aborted, closed])

asyncio.run(main(*sys.argv[1:]), debug=False)
"""


@pytest.mark.parametrize(
    ("case", "when"),
    [
        ("normal", "first"),
        ("stall-before-headers", "asked"),
        ("stall-after-headers", "asked"),
        ("stall-in-refusal", "asked"),
        ("stall-mid-stream", "silence"),
        ("flow", "silence"),
    ],
)
def test_an_abort_ends_the_bytes_and_closes_the_connection(composed: Lab, server: Server, case: str, when: str) -> None:
    [[ended, _, aborted, closed]] = composed.drive(ABORT, server.url(case), when).said
    assert (ended, aborted) == ("StreamTruncatedError", True)
    assert closed or case == "normal"


@pytest.mark.parametrize("case", ["stall-mid-stream", "flow", "big"])
@pytest.mark.parametrize("when", ["left", "left, then pressed"])
def test_a_stream_that_a_loop_has_left_is_closed(composed: Lab, server: Server, case: str, when: str) -> None:
    [[ended, after, aborted, closed]] = composed.drive(ABORT, server.url(case), when).said
    assert (ended, after, aborted, closed) == (None, 0, when != "left", True)


def test_an_abort_is_noticed_in_the_middle_of_one_large_chunk(composed: Lab, server: Server) -> None:
    # The second of very many deltas of one chunk presses Ctrl-C: the flag must be up at once.
    [[ended, after, aborted, closed]] = composed.drive(ABORT, server.url("big"), "flowing").said
    assert (ended, aborted, closed) == (None, True, True)
    assert after <= 1


ENDLESS = """
import anyio, httpx

class Endless(httpx.AsyncByteStream):
    async def __aiter__(self):
        while True:
            yield b'data: {"choices": [{"delta": {"content": "on"}}]}\\n\\n'
            await asyncio.sleep(0)

    async def aclose(self):
        with anyio.CancelScope(shield=True):  # as httpcore's streams close themselves
            for _ in range(20):
                await asyncio.sleep(0)
        say("closed")

async def answer(request):
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Endless())

async def main():
    for pauses in range(12):
        cancel = CancelSignal()
        gateway = Gateway("http://nowhere", model="m", transport=httpx.MockTransport(answer))
        seen = 0
        try:
            async for delta in gateway.stream(ChatRequest([Message("user", "hi")], signal=cancel)):
                seen += 1
                if seen == 2:
                    cancel.abort()
                    for _ in range(pauses):
                        await asyncio.sleep(0)
        except StreamTruncatedError:
            say(seen)
        await gateway.end_turn()
        await gateway.close()

asyncio.run(main(), debug=False)
"""


def test_closing_is_never_interrupted_and_nothing_comes_after_an_abort(composed: Lab) -> None:
    """Whatever has happened by the time that the reader comes back: the abort and the reader's leaving both stop
    the request, and the second must not break into the closing that the first has begun."""
    assert composed.drive(ENDLESS).said == ["closed", 2] * 12


KEEP_ALIVE = """
events = b'data: {"choices": [{"delta": {"content": "on"}, "finish_reason": "stop"}]}\\n\\ndata: [DONE]\\n\\n'
opened = closed = 0

async def serve(reader, writer):
    global opened, closed
    opened += 1
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\\r")[0]))
            writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n")
            writer.write(b"Transfer-Encoding: chunked\\r\\n\\r\\n")
            writer.write(b"%x\\r\\n%b\\r\\n" % (len(events), events))
            if sys.argv[1] == "later":
                await writer.drain()
                await asyncio.sleep(0.002)
            if sys.argv[1] != "never":
                writer.write(b"0\\r\\n\\r\\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        closed += 1
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    gateway = Gateway("http://127.0.0.1:%d" % server.sockets[0].getsockname()[1], model="m")
    for _ in range(8):
        assert [delta async for delta in gateway.stream(ChatRequest([Message("user", "hi")]))]
        await gateway.end_turn()
    await gateway.close()
    for _ in range(1000):
        if opened == closed:
            break
        await asyncio.sleep(0.01)
    say([opened, closed])
    server.close()

asyncio.run(main(), debug=False)
"""


@pytest.mark.parametrize(("rest", "connections"), [("at once", [1]), ("later", range(1, 8)), ("never", [8])])
def test_a_connection_is_used_again_or_closed(composed: Lab, rest: str, connections: Sequence[int]) -> None:
    """A whole answer leaves its connection for the next turn, also when the body ends a moment after `[DONE]` (on busy
    cores that moment may now and then be too long); where it never does, the connection is closed. None is left open
    and unused, which would end a session after a hundred."""
    [[opened, closed]] = composed.drive(KEEP_ALIVE, rest).said
    assert opened in connections and closed == opened


TLS = """
import httpx
client = httpx.AsyncClient
httpx.AsyncClient = lambda **options: say(options.get("verify", True)) or client(**options)
for url in ("https://example.org/v1", "HTTPS://example.org/v1", "Https://example.org/v1"):
    Gateway(url, model="m")
"""


def test_certificates_are_looked_at_however_the_address_is_written(composed: Lab) -> None:
    assert composed.drive(TLS).said == [True] * 3
