from deltas import StreamTruncatedError, parse_chunk


class Framer:
    def __init__(self):
        self.bytes = b""
        self.values = []

    def payloads(self, chunk):
        self.bytes += chunk
        while (end := self.bytes.find(b"\n")) >= 0:
            line, self.bytes = self.bytes[:end].rstrip(b"\r"), self.bytes[end + 1 :]
            if line.startswith(b"data:"):
                value = line[len(b"data:") :]
                self.values.append(value[1:] if value[:1] == b" " else value)
            elif not line and self.values:
                yield b"\n".join(self.values).decode("utf-8", "replace")
                self.values = []


async def read_deltas(chunks):
    framer = Framer()
    async for chunk in chunks:
        for payload in framer.payloads(chunk):
            if payload == "[DONE]":
                return
            for delta in parse_chunk(payload):
                yield delta
    raise StreamTruncatedError
