"""The provider: one streaming request to an OpenAI-compatible gateway.

The network side runs in a task of its own, the *pump*. It alone touches the connection, so it can be stopped at any
moment: before the headers, while the stream is silent, and when nobody reads. To the reader the bytes then simply
end, as they do when the connection breaks; whether that was the end of an answer is for `sse.read_deltas` to say.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import httpx

from deltas import CancelSignal, ChatRequest, Delta, GatewayError, Message, is_retryable
from sse import read_deltas

# A model may think for a minute before its first token, so silence is given more time than a connection.
TIMEOUT = httpx.Timeout(connect=10, write=30, read=120, pool=10)

# For what a gateway still sends behind `[DONE]`.
LAST_BYTES_S = 0.05


class Gateway:
    """A chat-completions endpoint. One object serves a whole session and keeps its connections."""

    def __init__(
        self,
        base_url: str,
        *,
        model: str,
        api_key: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._model = model
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=TIMEOUT,
            transport=transport,
            # Loading the certificates is slow, and plain http needs none.
            verify=not base_url.lower().startswith("http:"),
        )
        self._open: set[_Pump] = set()

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Ask, and yield the deltas of the answer as they arrive. Raises `GatewayError`."""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [_message(message) for message in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.tools:
            body["tools"] = list(request.tools)
        # ASCII JSON: half of a surrogate pair, which a model can send, has no UTF-8 form.
        content = json.dumps(body).encode("ascii")
        pump = _Pump(self._client, self._url, content, request.signal)
        self._open.add(pump)
        try:
            await pump.started()
            async for delta in read_deltas(pump.chunks()):
                yield delta
        finally:
            await pump.close()
            self._open.discard(pump)

    async def end_turn(self) -> None:
        """Close whatever a turn has left open, e.g. the stream of a loop that broke off and went away."""
        for pump in tuple(self._open):
            await pump.close()
        self._open.clear()

    async def close(self) -> None:
        """End the session."""
        await self.end_turn()
        await self._client.aclose()


class _Pump:
    """One request: a task that carries its bytes into a queue of one chunk, until the end or until it is stopped."""

    def __init__(self, client: httpx.AsyncClient, url: str, content: bytes, signal: CancelSignal | None) -> None:
        self._signal = signal or CancelSignal()
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)
        self._answered = asyncio.Event()  # the headers are here, or never will be
        self._ended = False
        self._error: GatewayError | None = None
        # anyio's scope and not `task.cancel()`: httpx shields the closing of a connection from the one only.
        self._scope = anyio.CancelScope()
        self._task = asyncio.create_task(self._carry(client, url, content))
        self._watch = asyncio.create_task(self._stop_on_abort())

    async def started(self) -> None:
        """Wait for the headers. Raises `GatewayError` if there is no stream behind them."""
        await self._answered.wait()
        if self._error:
            raise self._error

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body's bytes, cut as the network cut them. They end; they never raise."""
        while not self._signal.aborted and not (self._ended and self._queue.empty()):
            if chunk := await self._queue.get():
                yield chunk

    async def close(self) -> None:
        """Let go of the connection, and return when that is done."""
        if not self._signal.aborted:
            # A body that is over but for its last bytes leaves a connection for the next turn.
            await asyncio.wait([self._task], timeout=LAST_BYTES_S)
        self._scope.cancel()
        self._watch.cancel()
        await asyncio.wait([self._task, self._watch])

    async def _stop_on_abort(self) -> None:
        await self._signal.wait()
        self._scope.cancel()

    async def _carry(self, client: httpx.AsyncClient, url: str, content: bytes) -> None:
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        try:
            with self._scope:
                async with client.stream("POST", url, content=content, headers=headers) as response:
                    await _require_event_stream(response)
                    self._answered.set()
                    async for chunk in response.aiter_bytes():
                        await self._queue.put(chunk)
        except GatewayError as error:
            self._error = error
        except Exception as error:  # httpx lets some through as they are, e.g. what a port above 65535 raises
            # After the headers this is a broken connection: the bytes end, and that is all.
            if not self._answered.is_set():
                self._error = _unreachable(error)
        finally:
            self._ended = True
            self._answered.set()
            with contextlib.suppress(asyncio.QueueFull):
                self._queue.put_nowait(b"")  # wakes a reader that waits; with a full queue none does


def _message(message: Message) -> dict[str, Any]:
    """The wire form of one message."""
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


_REFUSALS = {
    400: "The gateway did not understand the request (400)",
    401: "The gateway did not accept the API key (401)",
    403: "The gateway does not allow this request (403)",
    404: "The gateway knows no such address or model (404)",
    429: "The gateway has too many requests at the moment (429)",
}


async def _require_event_stream(response: httpx.Response) -> None:
    """Raise a `GatewayError` unless an event stream follows these headers."""
    status = response.status_code
    if status == 200:
        kind = response.headers.get("content-type", "nothing it has a name for").partition(";")[0].strip()
        if kind.lower() == "text/event-stream":
            return
        raise GatewayError(
            f"The gateway answered with {kind[:60]} where an event stream was expected; check its address.",
            retryable=False,
            status=status,
        )
    sentence = _REFUSALS.get(status)
    if sentence is None:
        sentence = f"The gateway {'is in trouble' if status >= 500 else 'refused the request'} ({status})"
    reason = await _reason(response)
    raise GatewayError(
        f"{sentence}: {reason}." if reason else f"{sentence}.", retryable=is_retryable(status), status=status
    )


async def _reason(response: httpx.Response) -> str:
    """What the gateway says of its refusal, on one line; empty if it says nothing that can be read."""
    body = b""
    with contextlib.suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(5):
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > 65_536:
                    break
    try:
        error = json.loads(body)["error"]
        said = error["message"] if isinstance(error, dict) else error
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""
    return " ".join(said.split())[:200].rstrip(".") if isinstance(said, str) else ""


def _unreachable(error: Exception) -> GatewayError:
    match error:
        case httpx.TimeoutException():
            return GatewayError("The gateway did not answer in time.", retryable=True)
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return GatewayError("The gateway's address is not a web address; check OPENAI_BASE_URL.", retryable=False)
        case _:
            return GatewayError("The gateway could not be reached.", retryable=True)
