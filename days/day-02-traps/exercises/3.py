    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._parser = SSEParser(max_event_bytes=max_event_bytes)

    def feed(self, chunk: bytes) -> list[Any]:
        """The payloads that this chunk completes. One that is not JSON raises, and the rest of the chunk is lost."""
        return [json.loads(event.data) for event in self._parser.feed(chunk) if event.data != "[DONE]"]

