"""The scripted gateway: real HTTP on loopback, played step by step by a check.

It answers nothing by itself. A request is kept and handed to the check, which decides what is sent, what is held back,
and how it ends. `h11` is the protocol; descriptors are served by the reactor while a check waits.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import h11

from ..reactor import Reactor, now

# Far more than any honest session needs; a body is counted while it is read.
BODY_LIMIT = 1 << 20
REQUEST_LIMIT = 500


@dataclass
class Request:
    """One request as it arrived. `body` is the JSON object that it carried, or None."""

    at: float
    method: str
    path: str
    headers: list[tuple[str, str]]
    raw: bytes
    replies: list[tuple[float, str, bytes]] = field(default_factory=list)  # when, what was done, the bytes

    @property
    def body(self) -> dict[str, Any] | None:
        with contextlib.suppress(ValueError, RecursionError):
            if isinstance(body := json.loads(self.raw), dict):
                return body
        return None

    @property
    def messages(self) -> list[Any] | None:
        """The conversation that the program sent, if that is what it is."""
        messages = (self.body or {}).get("messages")
        return messages if isinstance(messages, list) else None


class Gateway:
    """A server on a port of its own. `waiting` are the requests that no check has taken yet.

    It answers POST below its base URL at `paths`, which are patterns as of a shell.
    """

    def __init__(self, reactor: Reactor, paths: Sequence[str] = ("/chat/completions",)) -> None:
        self.requests: list[Request] = []
        self.waiting: list[Exchange] = []
        self.strays: list[str] = []  # requests for any other address
        self.excess: tuple[str, str] | None = None  # the limit that a request went over, and its figure
        self._reactor = reactor
        self._connections: list[_Connection] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        reactor.on_readable(self._listener, self._accept)
        # A token that nobody can guess: another program on this machine that tries ports finds nothing.
        token = secrets.token_hex(8)
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/{token}/v1"
        self._paths = paths
        self._root = f"/{token}/v1"

    def close(self) -> None:
        for connection in self._connections:
            connection.close()
        self._reactor.forget(self._listener)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(BlockingIOError):
            peer, _ = self._listener.accept()
            self._connections.append(_Connection(self, self._reactor, peer))

    def arrived(self, exchange: Exchange) -> None:
        """A whole request is here."""
        request = exchange.request
        if len(self.requests) + len(self.strays) >= REQUEST_LIMIT:
            self.excess = "requests", str(REQUEST_LIMIT)
            exchange.reset()
        elif not (request.method == "POST" and self._answers(request.path)):
            self.strays.append(f"{request.method} {request.path}")
            exchange.refuse(404, f"this gateway answers POST {' or '.join(self._paths)} and nothing else")
        else:
            self.requests.append(request)
            self.waiting.append(exchange)

    def _answers(self, path: str) -> bool:
        below = path.removeprefix(self._root)
        return below != path and any(fnmatchcase(below, pattern) for pattern in self._paths)

    def too_large(self) -> None:
        self.excess = "body", f"{BODY_LIMIT >> 20} MiB"


class Exchange:
    """One request and its reply, which is sent as a check says."""

    def __init__(self, connection: _Connection, request: Request) -> None:
        self.request = request
        self.complete = False  # the reply has been sent to its end
        self.left = False  # the client closed the connection while the reply was incomplete
        self._connection = connection
        self._begun = False

    def send(self, data: bytes) -> None:
        """Send a piece of the event stream; the first brings the headers along."""
        self.begin()
        self._out("send", h11.Data(data=data), data)

    def begin(self) -> None:
        """Send the headers of an event stream and hold the rest."""
        if not self._begun:
            self._begun = True
            self._out("headers", h11.Response(status_code=200, headers=[("Content-Type", "text/event-stream")]))

    def finish(self) -> None:
        """End the reply as HTTP wants it."""
        self.begin()
        self.complete = True
        self._out("finish", h11.EndOfMessage())

    def refuse(self, status: int, message: str) -> None:
        """Answer with an error status and a JSON body."""
        body = json.dumps({"error": {"message": message}}).encode()
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        self._begun = self.complete = True
        self._out(f"refuse {status}", h11.Response(status_code=status, headers=headers))
        self._out("send", h11.Data(data=body), body)
        self._out("finish", h11.EndOfMessage())

    def cut(self) -> None:
        """Close the connection in the middle, after all that was sent has arrived."""
        self._note("cut")
        self._connection.close_when_sent()

    def reset(self) -> None:
        """Throw the connection away: the client sees a reset, and may lose what it had not read."""
        self._note("reset")
        self._connection.reset()

    def client_closed(self) -> None:
        """The client is gone; whether it left early is known here."""
        if not self.complete and not self.left:
            self.left = True
            self._note("client closed")

    def _out(self, what: str, event: h11.Event, data: bytes = b"") -> None:
        self._note(what, data)
        self._connection.send(event)

    def _note(self, what: str, data: bytes = b"") -> None:
        self.request.replies.append((now(), what, data))


class _Connection:
    """One TCP connection: bytes to requests, replies to bytes."""

    def __init__(self, gateway: Gateway, reactor: Reactor, peer: socket.socket) -> None:
        self._gateway = gateway
        self._reactor = reactor
        self._socket = peer
        self._protocol = h11.Connection(h11.SERVER)
        self._head: h11.Request | None = None
        self._body = bytearray()
        self._exchange: Exchange | None = None
        self._outbox = bytearray()
        self._blocked = False  # the socket has no room for the outbox
        self._close_when_sent = False
        self._open = True
        peer.setblocking(False)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reactor.on_readable(peer, self._readable)

    def send(self, event: h11.Event) -> None:
        if not self._open:
            return
        self._outbox += self._protocol.send(event) or b""
        self._flush()
        self._next_cycle()

    def close_when_sent(self) -> None:
        self._close_when_sent = True
        self._flush()

    def reset(self) -> None:
        if self._open:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._reactor.forget(self._socket)
            self._socket.close()

    def _flush(self) -> None:
        if not self._open:
            return
        try:
            if self._outbox:
                del self._outbox[: self._socket.send(self._outbox)]
        except BlockingIOError:
            pass
        except OSError:
            self._lost()
            return
        if bool(self._outbox) != self._blocked:
            self._blocked = bool(self._outbox)
            self._reactor.on_writable(self._socket, self._flush if self._blocked else None)
        if not self._outbox and self._close_when_sent:
            self.close()

    def _readable(self) -> None:
        try:
            data = self._socket.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        try:
            self._protocol.receive_data(data)
        except h11.RemoteProtocolError:
            self._not_http()
        else:
            self._events()

    def _not_http(self) -> None:
        self._gateway.strays.append("something that is not HTTP")
        self.close()

    def _events(self) -> None:
        while self._open:
            try:
                event = self._protocol.next_event()
            except h11.RemoteProtocolError:
                self._not_http()
                return
            if event is h11.NEED_DATA or event is h11.PAUSED:
                return
            if isinstance(event, h11.Request):
                self._head = event
                self._body.clear()
            elif isinstance(event, h11.Data):
                self._body += event.data
                if len(self._body) > BODY_LIMIT:
                    self._gateway.too_large()
                    self.reset()
            elif isinstance(event, h11.EndOfMessage) and self._head:
                self._exchange = Exchange(self, _request(self._head, bytes(self._body)))
                self._gateway.arrived(self._exchange)
            elif isinstance(event, h11.ConnectionClosed):
                return

    def _next_cycle(self) -> None:
        if self._protocol.our_state is h11.DONE and self._protocol.their_state is h11.DONE:
            self._protocol.start_next_cycle()
            self._events()

    def _lost(self) -> None:
        if self._exchange:
            self._exchange.client_closed()
        self.close()


def _request(head: h11.Request, body: bytes) -> Request:
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]
    return Request(now(), head.method.decode("latin-1"), head.target.decode("latin-1"), headers, body)
