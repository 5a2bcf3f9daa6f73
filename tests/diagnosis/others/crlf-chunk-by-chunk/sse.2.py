from deltas import FinishDelta, StreamTruncatedError, parse_chunk


class Reader:
    def __init__(self):
        self.line = b""
        self.data = []

    def push(self, chunk):
        chunk = chunk.replace(b"\r\n", b"\n")
        out = []
        self.line += chunk
        *lines, self.line = self.line.split(b"\n")
        for line in lines:
            if line == b"":
                if self.data:
                    out.append(b"\n".join(self.data).decode("utf-8", "replace"))
                self.data = []
            elif line[:5] == b"data:":
                v = line[5:]
                self.data.append(v[1:] if v[:1] == b" " else v)
        return out


async def read_deltas(chunks):
    r = Reader()
    done = False
    async for chunk in chunks:
        for payload in r.push(chunk):
            if payload == "[DONE]":
                return
            for d in parse_chunk(payload):
                done |= isinstance(d, FinishDelta)
                yield d
    if not done:
        raise StreamTruncatedError
