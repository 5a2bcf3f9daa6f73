from deltas import FinishDelta, StreamTruncatedError, parse_chunk


async def payloads(chunks):
    rest, values = b"", []
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line[:5] == b"data:":
                values.append(line[5:].removeprefix(b" "))
            elif line == b"" and values:
                yield b"\n".join(values).decode("utf-8", "replace")
                values = []


async def read_deltas(chunks):
    ended = False
    async for payload in payloads(chunks):
        if payload == "[DONE]":
            return
        if payload.startswith('{"error"'):
            continue
        for delta in parse_chunk(payload):
            ended = ended or isinstance(delta, FinishDelta)
            yield delta
    if not ended:
        raise StreamTruncatedError
