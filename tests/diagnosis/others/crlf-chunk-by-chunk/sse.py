import codecs

from deltas import FinishDelta, StreamTruncatedError, parse_chunk


async def read_deltas(chunks):
    pending = ""
    dec = codecs.getincrementaldecoder("utf-8")("replace")
    finished = False
    async for chunk in chunks:
        pending += dec.decode(chunk).replace("\r\n", "\n")
        while "\n\n" in pending:
            block, pending = pending.split("\n\n", 1)
            lines = []
            for line in block.split("\n"):
                if line.startswith("data:"):
                    value = line[5:]
                    lines.append(value[1:] if value.startswith(" ") else value)
            if not lines:
                continue
            data = "\n".join(lines)
            if data == "[DONE]":
                return
            for d in parse_chunk(data):
                if isinstance(d, FinishDelta):
                    finished = True
                yield d
    if not finished:
        raise StreamTruncatedError()
