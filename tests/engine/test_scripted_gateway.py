"""The scripted gateway, asked by a real HTTP client in another process."""

from __future__ import annotations

import json

import pytest
from theatre import Theatre

from grader.evidence.gateway import Exchange, wire
from grader.evidence.limits import LimitReached
from grader.evidence.stage import Stage

# Posts what it is told to, and reports every chunk, the end, or the error.
CLIENT = """
import json, os, sys, httpx
def report(**what): os.write(3, json.dumps(what).encode() + b"\\n")
report(ready=True)
url, *bodies = sys.stdin.readline().split()
with httpx.Client(timeout=20) as client:
    for body in bodies:
        try:
            with client.stream("POST", url, content=body) as response:
                report(status=response.status_code, type=response.headers.get("content-type"))
                for chunk in response.iter_bytes():
                    report(chunk=chunk.decode())
                    if chunk.endswith(b"leave"):
                        break
                else:
                    report(end=True)
        except httpx.HTTPError as error:
            report(error=type(error).__name__)
"""


def ask(theatre: Theatre, *bodies: str, path: str = "/chat/completions") -> Stage:
    stage = theatre.start(CLIENT, terminal=None)
    stage.program.type(f"{stage.gateway.base_url}{path} {' '.join(bodies)}\n".encode())
    return stage


def next_exchange(stage: Stage) -> Exchange:
    stage.wait_until(lambda: bool(stage.gateway.waiting))
    return stage.gateway.waiting.pop(0)


def reported(stage: Stage, **what: object) -> None:
    stage.wait_until(lambda: what in stage.program.reports)


def test_a_reply_is_held_until_the_check_says_go_on(theatre: Theatre) -> None:
    stage = ask(theatre, '{"messages":[1]}')
    exchange = next_exchange(stage)
    assert exchange.request.messages == [1]
    exchange.begin()
    reported(stage, status=200, type="text/event-stream")
    for piece in (b"one", "zwei 二".encode(), b"3" * 100_000):
        exchange.send(piece)
        stage.wait_until(
            lambda piece=piece: "".join(r.get("chunk", "") for r in stage.program.reports).endswith(piece.decode())
        )
    exchange.finish()
    reported(stage, end=True)
    stage.wait_for_end()
    assert exchange.complete and not exchange.left
    assert [what for _, what, _ in exchange.request.replies] == ["headers", "send", "send", "send", "finish"]


def test_one_connection_serves_several_requests(theatre: Theatre) -> None:
    stage = ask(theatre, '{"n":1}', '{"n":2}', "no-json")
    for body in ({"n": 1}, {"n": 2}, None):
        exchange = next_exchange(stage)
        assert exchange.request.body == body
        exchange.send(b"data")
        exchange.finish()
    stage.wait_for_end()
    assert sum(report == {"end": True} for report in stage.program.reports) == 3


@pytest.mark.parametrize(("how", "error"), [("cut", "RemoteProtocolError"), ("reset", "ReadError")])
def test_a_reply_can_break_off(theatre: Theatre, how: str, error: str) -> None:
    stage = ask(theatre, "{}")
    exchange = next_exchange(stage)
    exchange.send(b"half")
    reported(stage, chunk="half")
    getattr(exchange, how)()
    reported(stage, error=error)


def test_it_knows_when_the_client_leaves_early(theatre: Theatre) -> None:
    stage = ask(theatre, "{}", "{}")
    exchange = next_exchange(stage)
    exchange.send(b"please leave")
    stage.wait_until(lambda: exchange.left)
    exchange.send(b"to nobody")
    second = next_exchange(stage)
    second.send(b"stay")
    second.finish()
    stage.wait_for_end()
    assert not second.left


def test_it_refuses_with_a_status_and_a_reason(theatre: Theatre) -> None:
    stage = ask(theatre, "{}")
    next_exchange(stage).refuse(429, "slow down")
    reported(stage, status=429, type="application/json")
    reported(stage, chunk=json.dumps({"error": {"message": "slow down"}}))


def test_any_other_address_is_not_there(theatre: Theatre) -> None:
    stage = ask(theatre, "{}", path="/models")
    reported(stage, status=404, type="application/json")
    assert not stage.gateway.requests
    assert stage.gateway.strays[0].endswith("/v1/models")


def test_requests_have_limits(theatre: Theatre) -> None:
    source = CLIENT.replace("content=body", "content=b'x' * int(body)")
    stage = theatre.start(source, terminal=None)
    stage.program.type(f"{stage.gateway.base_url}/chat/completions {8 << 20}\n".encode())
    with pytest.raises(LimitReached) as reached:
        stage.wait_until(lambda: False)
    assert (reached.value.name, reached.value.figure) == ("body", "1 MiB")


def test_what_is_not_http_is_turned_away(theatre: Theatre) -> None:
    source = "import socket, sys\nport = int(sys.stdin.readline())\n" + (
        "s = socket.create_connection(('127.0.0.1', port)); s.sendall(b'hello\\r\\n\\r\\n'); print(len(s.recv(100)))"
    )
    stage = theatre.start(source, terminal=None)
    stage.program.type(stage.gateway.base_url.split(":")[2].split("/")[0].encode() + b"\n")
    stage.wait_for_end()
    assert stage.program.printed == b"0\n"
    assert stage.gateway.strays == ["something that is not HTTP"]


def test_the_wire_is_what_gateways_send() -> None:
    assert wire.text('a"\n二') == (
        'data: {"choices":[{"index":0,"delta":{"content":"a\\"\\n二"},"finish_reason":null}]}\n\n'.encode()
    )
    assert json.loads(wire.usage(3, 5)[6:])["usage"] == {"prompt_tokens": 3, "completion_tokens": 5}
    assert wire.finish("length").count(b'"finish_reason":"length"') == 1
