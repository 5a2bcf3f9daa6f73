"""live.py and a provider on the network: what is asked, and what becomes of refusals."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from providers_lab import ANSWERS, PROVIDERS, recording, run

PATHS = {
    "openai": "/chat/completions",
    "responses": "/responses",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/some-model:streamGenerateContent?alt=sse",
}
VENDORS = {"openai": "OPENAI", "responses": "OPENAI", "anthropic": "ANTHROPIC", "gemini": "GEMINI"}
KEYS = {"openai": "Authorization", "responses": "Authorization", "anthropic": "x-api-key", "gemini": "x-goog-api-key"}


class Provider(ThreadingHTTPServer):
    """Answers every request with the next status and body of its list, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[tuple[int, bytes]] = []
        self.asked: list[tuple[str, Any, dict[str, Any]]] = []

    def settings(self, provider: str) -> dict[str, str]:
        vendor = VENDORS[provider]
        base_url = f"http://127.0.0.1:{self.server_port}"
        return {f"{vendor}_BASE_URL": base_url, f"{vendor}_API_KEY": "key", f"{vendor}_MODEL": "some-model"}


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers, body))
        status, content = self.server.replies.pop(0)
        self.send_response(status)
        self.send_header("Content-Type", "text/event-stream" if status == 200 else "application/json")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def network() -> Iterator[Provider]:
    with Provider() as provider:
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        yield provider
        provider.shutdown()


def said(body: dict[str, Any]) -> list[tuple[str, str]]:
    """The roles and texts that a request carries, whatever its format."""
    if "contents" in body:
        return [(entry["role"], entry["parts"][0]["text"]) for entry in body["contents"]]
    return [(entry["role"], entry["content"]) for entry in body.get("messages") or body["input"]]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_provider_is_asked_in_its_own_format(finished: Path, network: Provider, provider: str) -> None:
    stream = recording(provider, "en")
    network.replies = [(200, stream), (200, stream[:900]), (200, stream)]
    ran = run(finished, "--provider", provider, stdin="one\ntwo\nthree\n", **network.settings(provider))
    assert (ran.returncode, ran.stdout) == (0, f"{ANSWERS['en']}\n" * 2)
    model = "model" if provider == "gemini" else "assistant"
    first = [("user", "one"), (model, ANSWERS["en"])]
    # The second answer was cut, so nothing of that turn is told again.
    assert [said(body) for *_, body in network.asked] == [
        first[:1],
        [*first, ("user", "two")],
        [*first, ("user", "three")],
    ]
    for path, headers, body in network.asked:
        assert path == PATHS[provider]
        assert headers[KEYS[provider]].endswith("key")
        assert provider == "gemini" or (body["stream"], body["model"]) == (True, "some-model")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_refusal_is_retried_if_that_may_help(finished: Path, network: Provider, provider: str) -> None:
    reason = json.dumps({"error": {"message": "not now"}}).encode()
    network.replies = [(429, reason), (503, b"<html>"), (200, recording(provider, "zh"))]
    ran = run(finished, "--provider", provider, "hi", **network.settings(provider))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{ANSWERS['zh']}\n", "")

    network.replies = [(401, reason)]
    ran = run(finished, "--provider", provider, "hi", **network.settings(provider))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "The provider refused the request (401): not now.\n"


def test_nobody_there(finished: Path, network: Provider) -> None:
    ran = run(finished, "hi", OPENAI_BASE_URL="http://127.0.0.1:9", NO_PROXY="*")
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "The connection to the provider broke.\n")
    ran = run(finished, "hi", OPENAI_BASE_URL="http://[")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
