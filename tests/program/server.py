"""A gateway that misbehaves on request: a program of its own, which prints its port and serves until its
standard input ends.

`POST /<case>/<key>/chat/completions` plays a case, `GET /log/<key>` tells what became of the requests of this
key, `GET /go/<key>` lets a case go on that waits for it. It knows HTTP only as far as it must to break it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import inspect
import json
import os
import socket
import struct
import sys
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

STREAM = "Content-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n"
DONE = b"data: [DONE]\n\n"
BIG = 100_000

requests: dict[str, list[dict[str, Any]]] = defaultdict(list)
gates: dict[str, asyncio.Event] = defaultdict(asyncio.Event)


def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def data(payload: object) -> bytes:
    return f"data: {json.dumps(payload)}\n\n".encode()


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(content), content)


def answer(*texts: str) -> bytes:
    usage = data({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
    pieces = b"".join(event({"content": text}) for text in texts)
    return event({"role": "assistant", "content": ""}) + pieces + event({}, "stop") + usage + DONE


class Exchange:
    """One request, and the hands that answer it."""

    def __init__(self, writer: asyncio.StreamWriter, key: str, body: dict[str, Any]) -> None:
        self.writer, self.key, self.body = writer, key, body

    async def send(self, content: bytes) -> None:
        self.writer.write(content)
        await self.writer.drain()

    async def head(self, status: int = 200, fields: str = STREAM) -> None:
        await self.send(f"HTTP/1.1 {status} Whatever\r\n{fields}\r\n".encode())

    async def whole(self, status: int, kind: str, body: bytes, more: str = "") -> None:
        type_field = f"Content-Type: {kind}\r\n" if kind else ""
        await self.head(status, f"{type_field}{more}Content-Length: {len(body)}\r\n")
        await self.send(body)

    async def stream(self, content: bytes) -> None:
        await self.send(chunk(content))

    async def told_to_go(self) -> None:
        await gates[self.key].wait()

    async def for_ever(self) -> None:
        await asyncio.Event().wait()


Case = Callable[[Exchange], Awaitable[None]]


async def normal(to: Exchange) -> None:
    await to.head()
    asked = to.body["messages"][-1]["content"]
    await to.stream(answer("You said ", f"{asked}."))
    await to.send(chunk(b""))


async def bytewise(to: Exchange) -> None:
    await to.head()
    for byte in answer("byte ", "für ", "字"):
        await to.stream(bytes([byte]))
    await to.send(chunk(b""))


async def model(to: Exchange) -> None:
    """Says what the test put into the name of the model, as JSON."""
    await to.head()
    await to.stream(answer(*json.loads(to.body["model"])))
    await to.send(chunk(b""))


async def cut_chunk(to: Exchange) -> None:
    await to.head()
    await to.stream(event({"content": "kept "}))
    await to.told_to_go()
    await to.send(b"100\r\n" + event({"content": "lost"})[:20])


async def reset(to: Exchange) -> None:
    await to.head()
    await to.stream(event({"content": "kept "}))
    await to.told_to_go()
    connection: socket.socket = to.writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def broken_chunk(to: Exchange) -> None:
    """Headers, a good chunk and one that is none, all in one packet."""
    head = f"HTTP/1.1 200 OK\r\n{STREAM}\r\n".encode()
    await to.send(head + chunk(event({"content": "kept "})) + b"no length\r\n")


async def in_band(to: Exchange) -> None:
    await to.head()
    error = data({"error": {"message": "too\nmuch  load.", "code": 429}})
    await to.stream(event({"content": "kept "}) + error)
    await to.for_ever()


async def stall_before_headers(to: Exchange) -> None:
    await to.for_ever()


async def stall_after_headers(to: Exchange) -> None:
    await to.head()
    await to.for_ever()


async def stall_mid_stream(to: Exchange) -> None:
    await to.head()
    await to.stream(event({"content": "First "}) + event({"content": "words"}))
    await to.for_ever()


async def stall_in_refusal(to: Exchange) -> None:
    await to.head(500, "Content-Type: application/json\r\nContent-Length: 100\r\n")
    await to.for_ever()


async def flow(to: Exchange) -> None:
    await to.head()
    number = 0
    while True:
        await to.stream(event({"content": f"tick {number} "}))
        number += 1
        await asyncio.sleep(0.005)


async def big(to: Exchange) -> None:
    """Very many deltas that the client unpacks from a few packets, and no end."""
    packed = gzip.compress(event({"content": "x"}) * BIG)
    await to.head(fields=f"{STREAM}Content-Encoding: gzip\r\n")
    await to.stream(packed)
    await to.for_ever()


async def half_characters(to: Exchange) -> None:
    await to.head()
    await to.stream(answer("half \ud83d", " a \udca9 pair"))
    await to.send(chunk(b""))


async def html(to: Exchange) -> None:
    await to.whole(200, "text/html; charset=utf-8", b"<h1>Log in</h1>")


async def no_type(to: Exchange) -> None:
    await to.whole(200, "", b"hello")


async def whole_json(to: Exchange) -> None:
    await to.whole(200, "application/json", b'{"choices": [{"message": {"content": "no stream"}}]}')


async def redirect(to: Exchange) -> None:
    await to.whole(307, "text/plain", b"elsewhere", "Location: /normal/elsewhere/chat/completions\r\n")


async def no_http(to: Exchange) -> None:
    await to.send(b"SSH-2.0-OpenSSH_9.6\r\n")


async def no_answer(to: Exchange) -> None:
    pass


async def refusal(to: Exchange) -> None:
    """The status is the name of the model; the reason has several lines and ends in a full stop."""
    body = {"error": {"message": "because\n  I say\tso. ", "type": "whatever"}}
    await to.whole(int(to.body["model"]), "application/json", json.dumps(body).encode())


async def trouble(to: Exchange) -> None:
    await to.whole(502, "text/html", b"<html>Bad gateway</html>")


# Every coroutine function so far is a case; what follows is none.
CASES: dict[str, Case] = {
    name.replace("_", "-"): case for name, case in list(globals().items()) if inspect.iscoroutinefunction(case)
}


async def read_request(reader: asyncio.StreamReader) -> tuple[str, str, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    method, path, _ = head.split(" ", 2)
    fields = dict(line.lower().split(": ", 1) for line in head.splitlines()[1:-1])
    return method, path, await reader.readexactly(int(fields.get("content-length", 0)))


async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: bytes) -> None:
    _, case, key, *_ = path.split("/")
    record = {"case": case, "body": json.loads(body), "closed_early": False}
    requests[key].append(record)
    playing = asyncio.ensure_future(CASES[case](Exchange(writer, key, record["body"])))
    # The client sends nothing more before it has the whole answer, so all that can come is the end.
    hung_up = asyncio.ensure_future(reader.read(1))
    await asyncio.wait([playing, hung_up], return_when=asyncio.FIRST_COMPLETED)
    record["closed_early"] = not playing.done() or isinstance(playing.exception(), OSError)
    for task in (playing, hung_up):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await task


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    async with closing(writer):
        method, path, body = await read_request(reader)
        if method == "POST":
            await play(reader, writer, path, body)
            return
        _, order, key = path.split("/")
        if order == "go":
            gates[key].set()
        log = json.dumps(requests[key]).encode()
        head = f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len(log)}\r\n\r\n"
        writer.write(head.encode() + log)


@contextlib.asynccontextmanager
async def closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        try:
            yield
        finally:
            writer.close()
            await writer.wait_closed()


def end_with_standard_input() -> None:
    sys.stdin.read()
    os._exit(0)


async def main() -> None:
    threading.Thread(target=end_with_standard_input, daemon=True).start()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
