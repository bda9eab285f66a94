"""Just enough HTTP for the clients of `make faults`, on bare sockets: hundreds of them share one process."""

import asyncio
import ssl
from asyncio import sslproto
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import msgspec

CONNECT_SECONDS: Final = 20.0
SILENCE_SECONDS: Final = 40.0
"""A stream without even a heartbeat for this long is dead."""

# Thousands of connections in one process: a buffer of 256 KiB for each would be gigabytes.
sslproto.SSLProtocol.max_size = 16 * 1024

Pipe = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Broken(Exception):
    """No answer came: whether the request arrived is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a node said."""

    status: int
    headers: Mapping[str, str]
    content: bytes = field(repr=False, default=b"")

    @property
    def word(self) -> str:
        """Status and code, for counting."""
        if self.status < 400:  # noqa: PLR2004 - where refusals begin
            return str(self.status)
        try:
            return f"{self.status} {msgspec.json.decode(self.content)['error']['code']}"
        except (msgspec.MsgspecError, KeyError, TypeError):
            return f"{self.status} ?"


class Node:
    """A web node as clients reach it; connections are kept and used again.

    Each player has their own address, as in real life: a node limits how many streams one address may hold.
    """

    def __init__(self, name: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        self.name = name
        self.port = port
        self._tls = tls
        self.last_answer = 0.0
        self._idle: list[Pipe] = []

    async def ask(
        self, method: str, path: str, *, token: str, content: bytes | None = None, seconds: float
    ) -> Answer:
        """Ask and wait at most `seconds` for the answer; raises Broken."""
        pipe: Pipe | None = None
        try:
            async with asyncio.timeout(seconds):
                pipe = self._idle.pop() if self._idle else await self._connect()
                pipe[1].write(_request(method, path, token, content))
                await pipe[1].drain()
                answer = await _read_head(pipe[0])
                size = int(answer.headers.get("content-length", "0"))
                content = await pipe[0].readexactly(size)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            if pipe is not None:
                pipe[1].transport.abort()
            raise Broken(type(error).__name__) from error
        self.last_answer = asyncio.get_running_loop().time()
        self._idle.append(pipe)
        return Answer(status=answer.status, headers=answer.headers, content=content)

    async def _connect(self, address: str | None = None) -> Pipe:
        local = None if address is None else (address, 0)
        host = "localhost" if self._tls else None
        return await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=local, ssl=self._tls, server_hostname=host
        )

    @asynccontextmanager
    async def stream(
        self, path: str, *, token: str, address: str, headers: Mapping[str, str]
    ) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        """Open a stream: the head of the answer, and the pieces of what follows; raises Broken."""
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await self._connect(address)
                writer.write(_request("GET", path, token, None, headers))
                head = await _read_head(reader)
            if head.headers.get("transfer-encoding") != "chunked":
                size = int(head.headers.get("content-length", "0"))
                content = await reader.readexactly(size)
                head = Answer(status=head.status, headers=head.headers, content=content)
            yield head, _chunks(reader)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Broken(type(error).__name__) from error
        finally:
            if writer is not None:
                writer.transport.abort()

    def forget(self) -> None:
        """Close all idle connections."""
        for _, writer in self._idle:
            writer.transport.abort()
        self._idle.clear()


def _request(
    method: str, path: str, token: str, content: bytes | None, headers: Mapping[str, str] | None = None
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if content is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (content or b"")


async def _read_head(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Answer(status=int(first.split()[1]), headers=headers)


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while True:
        async with asyncio.timeout(SILENCE_SECONDS):
            size = int(await reader.readline() or b"0", 16)
            chunk = await reader.readexactly(size + 2)
        if size == 0:
            return
        yield chunk[:-2]
