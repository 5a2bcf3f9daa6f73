from deltas import FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks):
    tail, payload, seen_data, ended = bytearray(), b"", False, False
    async for chunk in chunks:
        for byte in chunk:
            if byte != 0x0A:
                tail.append(byte)
                continue
            line = bytes(tail)
            tail.clear()
            if line.endswith(b"\r"):
                line = line[:-1]
            if not line:
                if seen_data:
                    text, payload, seen_data = payload.decode(errors="replace"), b"", False
                    if text == "[DONE]":
                        return
                    for delta in parse_chunk(text):
                        ended = ended or isinstance(delta, FinishDelta)
                        yield delta
                continue
            name, _, value = line.partition(b":")
            if name == b"data":
                seen_data = True
                payload += value[1:] if value.startswith(b" ") else value
    if not ended:
        raise StreamTruncatedError()
