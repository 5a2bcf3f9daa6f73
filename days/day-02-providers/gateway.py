"""How each provider is asked, and the bytes that it answers with.

What differs between the providers' requests is in this file; what differs between their answers is in `providers.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from turn import Message, Provider, ProviderError, may_pass

# A model may think for a minute before its first token, so silence is given more time than a connection.
TIMEOUT = httpx.Timeout(connect=10, write=30, read=120, pool=10)


@dataclass(frozen=True)
class Endpoint:
    """Where a provider is reached. `vendor` begins the names of the environment variables that say so."""

    vendor: str
    path: str
    model: str  # if the environment names none

    def setting(self, name: str) -> str:
        return os.environ.get(f"{self.vendor}_{name}", "")

    @property
    def base_url(self) -> str:
        return self.setting("BASE_URL").rstrip("/")


ENDPOINTS: dict[Provider, Endpoint] = {
    "openai": Endpoint("OPENAI", "/chat/completions", "gpt-5-mini"),
    "responses": Endpoint("OPENAI", "/responses", "gpt-5-mini"),
    "anthropic": Endpoint("ANTHROPIC", "/v1/messages", "claude-sonnet-4-5"),
    "gemini": Endpoint("GEMINI", "/v1beta/models/{model}:streamGenerateContent?alt=sse", "gemini-2.5-flash"),
}


class Gateway:
    """One provider. `transport` can take the place of the network."""

    def __init__(self, provider: Provider, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._provider = provider
        endpoint = ENDPOINTS[provider]
        self._model = endpoint.setting("MODEL") or endpoint.model
        base_url = "http://offline" if transport else endpoint.base_url
        self._url = base_url + endpoint.path.format(model=self._model)
        self._client = httpx.AsyncClient(
            headers={"Content-Type": "application/json", **_key_header(provider, endpoint.setting("API_KEY"))},
            timeout=TIMEOUT,
            transport=transport,
            # Loading the certificates is slow, and plain http needs none.
            verify=not base_url.lower().startswith("http:"),
        )

    async def stream(self, messages: Sequence[Message]) -> AsyncGenerator[bytes, None]:
        """Ask, and yield the bytes of the answer as the network cuts them.

        Raises `ProviderError` if there is no answer, and if the connection breaks while it comes.
        """
        # ASCII JSON: half of a surrogate pair, which a model can send, has no UTF-8 form.
        body = json.dumps(_body(self._provider, self._model, messages)).encode("ascii")
        try:
            async with self._client.stream("POST", self._url, content=body) as response:
                if response.status_code != 200:
                    await _refused(response)
                async for chunk in response.aiter_bytes():
                    yield chunk
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            raise ProviderError("The connection to the provider broke.", retryable=True) from None

    async def close(self) -> None:
        await self._client.aclose()


def _key_header(provider: Provider, key: str) -> dict[str, str]:
    match provider:
        case "anthropic":
            return {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}
        case "gemini":
            return {"x-goog-api-key": key} if key else {}
        case _:
            return {"Authorization": f"Bearer {key}"} if key else {}


def _body(provider: Provider, model: str, messages: Sequence[Message]) -> dict[str, Any]:
    plain = [{"role": message.role, "content": message.content} for message in messages]
    match provider:
        case "openai":
            return {"model": model, "messages": plain, "stream": True, "stream_options": {"include_usage": True}}
        case "responses":
            return {"model": model, "input": plain, "reasoning": {"summary": "auto"}, "store": False, "stream": True}
        case "anthropic":
            thinking = {"type": "enabled", "budget_tokens": 1024}
            return {"model": model, "messages": plain, "max_tokens": 8192, "thinking": thinking, "stream": True}
        case "gemini":
            roles = {"user": "user", "assistant": "model"}
            contents = [{"role": roles[message.role], "parts": [{"text": message.content}]} for message in messages]
            return {"contents": contents, "generationConfig": {"thinkingConfig": {"includeThoughts": True}}}


async def _refused(response: httpx.Response) -> None:
    """Raise what a status other than 200 means."""
    try:
        said = json.loads(await response.aread())["error"]["message"]
    except (ValueError, LookupError, TypeError):
        said = ""
    reason = " ".join(str(said).split())[:200].rstrip(".")
    status = response.status_code
    sentence = f"The provider refused the request ({status})"
    raise ProviderError(f"{sentence}: {reason}." if reason else f"{sentence}.", retryable=may_pass(status))
