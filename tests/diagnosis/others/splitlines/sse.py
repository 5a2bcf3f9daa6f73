from deltas import FinishDelta, StreamTruncatedError, parse_chunk


async def events(chunks):
    rest = b""
    async for chunk in chunks:
        rest = (rest + chunk).replace(b"\r\n", b"\n")
        while b"\n\n" in rest:
            event, _, rest = rest.partition(b"\n\n")
            yield event.decode("utf-8", "replace")


async def read_deltas(chunks):
    saw_finish = False
    async for event in events(chunks):
        values = [line[5:].removeprefix(" ") for line in event.splitlines() if line[:5] == "data:"]
        if not values:
            continue
        if (payload := "\n".join(values)) == "[DONE]":
            return
        for delta in parse_chunk(payload):
            saw_finish |= type(delta) is FinishDelta
            yield delta
    if not saw_finish:
        raise StreamTruncatedError()
