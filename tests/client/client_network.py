"""A network that can be made bad: a proxy before the service that cuts, swallows, freezes and refuses."""

import asyncio
import contextlib
import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

LENGTH = re.compile(rb"content-length: *([0-9]+)", re.IGNORECASE)


class BadNetwork:
    """Passes bytes between a client and a port, unless it is told otherwise.

    `refusals` are whole answers given instead of asking the service; the next `swallowed` answers of the
    service are lost on their way back, with the connection; `cut_after` says after how many bytes from
    the service each new connection breaks, None for never. While `flows` is not set nothing comes back.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.requests: list[bytes] = []
        self.refusals: deque[bytes] = deque()
        self.swallowed = 0
        self.cut_after: Callable[[], int | None] = lambda: None
        self.flows = asyncio.Event()
        self.flows.set()
        self.connections = 0
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Where a client finds it."""
        return f"http://127.0.0.1:{self.port}"

    def cut_all(self) -> None:
        """Break every connection now."""
        for writer in list(self._writers):
            writer.transport.abort()

    def heads(self) -> list[str]:
        """The first line of every request."""
        return [request.split(b"\r\n", 1)[0].decode() for request in self.requests]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a client."""
        self.connections += 1
        self._writers.add(writer)
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.add(up_writer)
        back = asyncio.create_task(self._back(up_reader, writer))
        try:
            await self._forth(reader, writer, up_writer)
        except (OSError, EOFError):
            pass
        finally:
            back.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await back
            for one in (writer, up_writer):
                one.transport.abort()
                self._writers.discard(one)

    async def _forth(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, up_writer: asyncio.StreamWriter
    ) -> None:
        while True:
            request = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(request)
            if length is not None:
                request += await reader.readexactly(int(length[1]))
            self.requests.append(request)
            if self.refusals:
                writer.write(self.refusals.popleft())
                await writer.drain()
                return
            up_writer.write(request)
            await up_writer.drain()

    async def _back(self, up_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = self.cut_after()
        with contextlib.suppress(OSError):
            while chunk := await up_reader.read(65536):
                await self.flows.wait()
                if self.swallowed:
                    self.swallowed -= 1
                    break
                if left is not None and len(chunk) >= left:
                    writer.write(chunk[:left])
                    await writer.drain()
                    break
                left = None if left is None else left - len(chunk)
                writer.write(chunk)
                await writer.drain()
            # Closed, not aborted: what was written before the cut must arrive.
            writer.close()


def refusal(status: int, body: bytes = b"no", **headers: str) -> bytes:
    """An answer that something on the way, such as a proxy, gives instead of the service."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join(
        [f"HTTP/1.1 {status} Trouble", f"content-length: {len(body)}", "connection: close", *lines]
    )
    return head.encode() + b"\r\n\r\n" + body


@asynccontextmanager
async def bad_network(target: int) -> AsyncIterator[BadNetwork]:
    """A proxy to a port, good until it is told otherwise."""
    network = BadNetwork(target)
    serving: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            await network.serve(reader, writer)
        finally:
            serving.discard(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    network.port = server.sockets[0].getsockname()[1]
    try:
        yield network
    finally:
        server.close()
        network.flows.set()
        network.cut_all()
        if serving:
            await asyncio.wait(list(serving), timeout=5)
        await server.wait_closed()
