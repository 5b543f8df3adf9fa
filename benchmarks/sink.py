"""An SMTP server in a process of its own that takes every mail and forgets it: `python -m benchmarks.sink`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from types import TracebackType
from typing import Self


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 sink\r\n")
    while line := await reader.readline():
        verb = line[:4].upper()
        if verb == b"EHLO":
            writer.write(b"250-sink\r\n250 SIZE 99999999\r\n")
        elif verb == b"DATA":
            writer.write(b"354 go on\r\n")
            await writer.drain()
            await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"250 taken\r\n")
        elif verb == b"QUIT":
            writer.write(b"221 bye\r\n")
            break
        else:
            writer.write(b"250 OK\r\n")
        await writer.drain()
    writer.close()


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, limit=10_000_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)  # until the parent closes it


class Sink:
    """The server as a child process; `port` is where it listens."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "benchmarks.sink"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()


if __name__ == "__main__":
    asyncio.run(_main())
