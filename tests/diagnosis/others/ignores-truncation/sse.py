from deltas import parse_chunk


async def read_deltas(chunks):
    buffer = b""
    async for chunk in chunks:
        buffer += chunk
        while True:
            buffer = buffer.replace(b"\r\n", b"\n")
            head, blank, tail = buffer.partition(b"\n\n")
            if not blank:
                break
            buffer = tail
            data = []
            for line in head.split(b"\n"):
                if line.startswith(b"data:"):
                    data.append(line[5:].removeprefix(b" "))
            if data:
                payload = b"\n".join(data).decode("utf-8", "replace")
                if payload == "[DONE]":
                    return
                for delta in parse_chunk(payload):
                    yield delta
