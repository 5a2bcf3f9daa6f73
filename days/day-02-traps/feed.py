"""The program: feeds a stream to the parser, chunk after chunk, and prints what each chunk gave.

    python feed.py                        the first of the recorded streams, as the network would cut it
    python feed.py crlf --chunk 14        another one, in chunks of 14 bytes
    python feed.py answer.sse --json      a file of your own, its payloads as JSON
    some-program | python feed.py -       what another program writes

Exit status: 0; 1 if the stream cannot be read or the parser refuses it; 2 for an option that is none.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from sse import EventTooLarge, JSONEventStream, SSEParser

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "offline_scripts"

CHUNK = 64  # bytes, unless somebody says otherwise
LARGEST = 1 << 20  # of a chunk


class StreamError(Exception):
    """The stream cannot be read. The message is one plain sentence."""


def recorded() -> list[str]:
    return sorted(file.stem for file in RECORDED.glob("*.sse"))


def chunks_of(name: str, size: int) -> Iterator[bytes]:
    """The stream of this name: `-`, a recorded one, or a file. Raises `StreamError`."""
    try:
        with contextlib.ExitStack() as clean_up:
            if name == "-":
                file = sys.stdin.buffer
            else:
                path = RECORDED / f"{name}.sse" if name in recorded() else Path(name)
                file = clean_up.enter_context(path.open("rb", buffering=0))  # type: ignore[arg-type]
            while chunk := file.read(size):
                yield chunk
    except OSError as error:
        known = ", ".join(recorded())
        raise StreamError(f"{name} cannot be read ({error.strerror}). Recorded streams: {known}.") from None


def feed(parser: SSEParser | JSONEventStream, chunks: Iterator[bytes]) -> None:
    """Print each chunk and what it gave; at the end what was left."""
    given = 0
    for chunk in chunks:
        print(f"{visible(chunk)}")
        for item in parser.feed(chunk):
            given += 1
            print(f"    {item!r}")
    print(f"The stream is over; {given} came out of it.")
    left = parser.close() if isinstance(parser, SSEParser) else []
    for item in left:
        print(f"    {item!r}")


def visible(chunk: bytes) -> str:
    """Bytes on one line, line ends as signs."""
    return repr(chunk)[2:-1]


def one_line(error: BaseException) -> str:
    """An exception that left the student's code, and the line of this directory that it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == HERE]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "feed.py"
    return " ".join(f"{type(error).__name__} in {where}: {str(error)[:500]}".split())


def main() -> int:
    parser = argparse.ArgumentParser(prog="feed.py", description="Feed a stream to the parser, chunk after chunk.")
    parser.add_argument("stream", nargs="?", default="answer", help="a recorded stream, a file, or -")
    parser.add_argument("--chunk", type=int, default=CHUNK, help=f"bytes in a chunk ({CHUNK})")
    parser.add_argument("--json", action="store_true", help="ask JSONEventStream for payloads")
    parser.add_argument("--limit", type=int, default=None, help="the largest event, in bytes")
    options = parser.parse_args()
    if not 0 < options.chunk <= LARGEST:
        parser.error(f"--chunk must be from 1 to {LARGEST}")
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        stream = (JSONEventStream if options.json else SSEParser)(max_event_bytes=options.limit)
        feed(stream, chunks_of(options.stream, options.chunk))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (StreamError, EventTooLarge) as problem:
        print(f"feed.py: {problem}", file=sys.stderr)
        return 1
    except Exception as error:
        print(f"feed.py: {one_line(error)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
