from collections.abc import AsyncIterator

from deltas import Delta, parse_chunk


async def read_deltas(chunks: AsyncIterator[bytes]) -> AsyncIterator[Delta]:
    """Yield the deltas of an event stream."""
    buffer = b""
    async for chunk in chunks:
        buffer += chunk
        while b"\n" in buffer:
            line, buffer = buffer.split(b"\n", 1)
            text = line.decode().strip()
            if not text.startswith("data: "):
                continue
            payload = text[len("data: ") :]
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                yield delta


