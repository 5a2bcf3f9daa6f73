    def __init__(self, *, max_event_bytes: int | None = None) -> None:
        self._buffer = b""
        self._at_start = True
        self._data: list[bytes] = []  # of the event that has not ended yet, like the next three
        self._event = ""
        self._retry: int | None = None
        self._size = 0
        self._id = ""
        self._limit = max_event_bytes

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this chunk completes.

        It keeps what has come in one buffer, and takes out what ends with a blank line. That is right where lines end
        with a line feed. Where they end otherwise it depends on where the network cuts, and a large event is gone
        through again with each chunk.
        """
        self._buffer += chunk.replace(b"\r\n", b"\n")
        *blocks, self._buffer = self._buffer.split(b"\n\n")
        events: list[ServerSentEvent] = []
        for block in blocks:
            events += self._read([*block.split(b"\n"), b""])
        return events

