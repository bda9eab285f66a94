"""A relay between a web node and PostgreSQL, which can lose the answer to a commit at will."""

import asyncio
import enum
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

COMMIT_MARK: Final = b"INSERT INTO shard.events"
"""Text that occurs only in the statement that writes moves."""
READ: Final = 65536
ANSWER_SECONDS: Final = 5.0
"""How long PostgreSQL may take for an answer that the relay then drops."""

_PARSE, _BIND, _EXECUTE, _READY = b"P", b"B", b"E", b"Z"
_HEADER: Final = 5


class Cut(enum.Enum):
    """Where a connection is cut, once a commit was sent."""

    BEFORE_ANSWER = "the commit was done, its answer is lost"
    AT_ONCE = "the commit was sent, and nobody knows whether it arrived"


@dataclass(slots=True)
class Messages:
    """Takes a stream of bytes apart into messages; at the start of a connection some have no letter."""

    begun: bool
    rest: bytes = b""

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The messages that these bytes complete."""
        self.rest += data
        while True:
            letter = 1 if self.begun else 0
            if len(self.rest) < letter + 4:
                return
            size = letter + int.from_bytes(self.rest[letter : letter + 4])
            if len(self.rest) < size:
                return
            message, self.rest = self.rest[:size], self.rest[size:]
            # The request for encryption has this length and nothing else; the greeting follows it.
            self.begun = self.begun or size != 8  # noqa: PLR2004
            yield message[:letter], message[letter + 4 :]


class Relay:
    """Carries bytes both ways; a cut that was asked for happens with the next commit."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._server: asyncio.Server | None = None
        self._wish: Cut | None = None
        self._is_shut = False
        self._delay = 0.0
        self._cut = asyncio.Event()
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cut everything and listen no more."""
        if self._server is not None:
            self._server.close()
        self._hang_up()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def cut(self, how: Cut, *, within: float) -> bool:
        """Cut the connection that sends the next commit; False if none is sent in `within` seconds."""
        self._wish = how
        self._cut.clear()
        try:
            async with asyncio.timeout(within):
                await self._cut.wait()
        except TimeoutError:
            self._wish = None
            return False
        return True

    async def shut(self, seconds: float) -> None:
        """Carry nothing at all for `seconds`."""
        self._is_shut = True
        self._hang_up()
        await asyncio.sleep(seconds)
        self._is_shut = False

    async def slow(self, delay: float, *, seconds: float) -> None:
        """Delay everything by `delay` seconds, for `seconds`."""
        self._delay = delay
        await asyncio.sleep(seconds)
        self._delay = 0.0

    def _hang_up(self) -> None:
        for writer in tuple(self._open):
            writer.transport.abort()

    # One connection.

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if not self._is_shut:
                await self._carry(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client reconnects
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._open |= {writer, there_writer}
        back = asyncio.create_task(self._back(there_reader, writer))
        try:
            await self._forth(reader, there_reader, there_writer, back)
        finally:
            back.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await back
            there_writer.transport.abort()
            self._open -= {writer, there_writer}

    async def _back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(READ):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def _forth(
        self,
        reader: asyncio.StreamReader,
        there_reader: asyncio.StreamReader,
        there_writer: asyncio.StreamWriter,
        back: "asyncio.Task[None]",
    ) -> None:
        messages, commits = Messages(begun=False), Commits()
        while data := await reader.read(READ):
            is_commit = commits.any_of(messages.feed(data))
            wish = self._wish if is_commit else None
            if wish is not None:
                self._wish = None
                back.cancel()
                with suppress(asyncio.CancelledError):
                    await back
            if self._delay:
                await asyncio.sleep(self._delay)
            there_writer.write(data)
            await there_writer.drain()
            if wish is not None:
                if wish is Cut.BEFORE_ANSWER:
                    await _answered(there_reader)
                self._cut.set()
                return


class Commits:
    """Recognises commits on a connection by the name of their prepared statement."""

    def __init__(self) -> None:
        self._names: set[bytes] = set()
        self._is_bound = False

    def any_of(self, messages: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether one of these messages executes a commit; reads all of them."""
        return sum(self._is_one(letter, content) for letter, content in messages) > 0

    def _is_one(self, letter: bytes, content: bytes) -> bool:
        if letter == _PARSE:
            name, query = content.split(b"\0", 2)[:2]
            if COMMIT_MARK in query and b"WITH wish" in query:
                self._names.add(name)
        elif letter == _BIND:
            self._is_bound = content.split(b"\0", 2)[1] in self._names
        return letter == _EXECUTE and self._is_bound


async def _answered(reader: asyncio.StreamReader) -> None:
    """Wait until PostgreSQL is ready for more, which it says after the commit is on disk."""
    messages = Messages(begun=True)
    with suppress(TimeoutError):
        async with asyncio.timeout(ANSWER_SECONDS):
            while data := await reader.read(READ):
                if _READY in {letter for letter, _ in messages.feed(data)}:
                    return


class Link:
    """A `Relay` that another process carries."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._process: Process | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen on a free port."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "harness.tcp_proxy", str(self._target), stdin=PIPE, stdout=PIPE
        )
        self.port = int(await self._told())

    async def stop(self) -> None:
        """Cut everything and listen no more."""
        if self._process is not None:
            await self._process.communicate(b"")

    async def cut(self, how: Cut, *, within: float) -> bool:
        """Cut the connection that sends the next commit; False if none is sent in `within` seconds."""
        return await self._do("cut", how.name, within) == "True"

    async def shut(self, seconds: float) -> None:
        """Carry nothing at all for `seconds`."""
        await self._do("shut", seconds)

    async def slow(self, delay: float, *, seconds: float) -> None:
        """Delay everything by `delay` seconds, for `seconds`."""
        await self._do("slow", delay, seconds)

    async def _do(self, *words: object) -> str:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{' '.join(map(str, words))}\n".encode())
        return await self._told()

    async def _told(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().strip()


async def carry(target: int) -> None:
    """Relay until the input ends."""
    relay = Relay(target)
    await relay.start()
    print(relay.port, flush=True)
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        print(await _obey(relay, words), flush=True)
    # There is nothing to save, and no clean shutdown is needed.
    os._exit(0)


async def _obey(relay: Relay, words: list[str]) -> bool:
    match words:
        case ["cut", how, within]:
            return await relay.cut(Cut[how], within=float(within))
        case ["shut", seconds]:
            await relay.shut(float(seconds))
        case ["slow", delay, seconds]:
            await relay.slow(float(delay), seconds=float(seconds))
    return True


if __name__ == "__main__":
    asyncio.run(carry(int(sys.argv[1])))
