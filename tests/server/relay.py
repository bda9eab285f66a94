"""A relay between a node and PostgreSQL that can lose the answer to what it has carried over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit


class Relay:
    """Carries bytes both ways; with `cut_after_request` the next request arrives and its answer does not."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._tasks: set[asyncio.Task[None]] = set()
        self.cut_after_request = False
        self.cuts = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side ends it."""
        there_reader, there_writer = await asyncio.open_connection(*self._target)
        answers = asyncio.create_task(self._carry(there_reader, writer))
        self._tasks.add(answers)
        try:
            while data := await reader.read(65536):
                if self.cut_after_request:
                    await _ended(answers)
                there_writer.write(data)
                await there_writer.drain()
                if self.cut_after_request:
                    self.cut_after_request = False
                    self.cuts += 1
                    # PostgreSQL answers when it has committed.
                    await there_reader.read(65536)
                    break
        finally:
            await _ended(answers)
            writer.transport.abort()
            there_writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@asynccontextmanager
async def relayed(dsn: str) -> AsyncIterator[tuple[Relay, str]]:
    """A relay before a database, and the address that leads through it."""
    parts = urlsplit(dsn)
    relay = Relay(parts.hostname or "127.0.0.1", parts.port or 5432)
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    user = f"{parts.username}@" if parts.username else ""
    try:
        yield relay, parts._replace(netloc=f"{user}127.0.0.1:{port}").geturl()
    finally:
        server.close()
