"""The sending half of the load generator: moves that were chosen ahead, over connections that stay open."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, MutableSequence
from random import Random
from typing import Final

from benchmarks.server_listening import HOST

_HEAD_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length: "
_OK: Final = b"HTTP/1.1 200 "


class Play:
    """A prepared game while it is played: which move is next, and when each was due."""

    __slots__ = ("_first_key", "_heads", "_moves", "_seq", "due", "made")

    def __init__(
        self,
        table_id: str,
        tokens: tuple[str, ...],
        seq: int,
        moves: tuple[tuple[int, int], ...],
        number: int,
    ) -> None:
        self._seq = seq
        self._moves = moves
        self._first_key = number << 32
        self._heads = [_head_of(table_id, token) for token in tokens]
        self.made = 0
        self.due: list[float] = []

    @property
    def is_over(self) -> bool:
        """Whether every prepared move was sent."""
        return self.made == len(self._moves)

    def next_request(self, due: float) -> bytes:
        """The next move as bytes."""
        seat, code = self._moves[self.made]
        body = b'{"key":"00000000-0000-4000-8000-%012x","seq":%d,"code":%d}' % (
            self._first_key | self.made,
            self._seq + self.made,
            code,
        )
        self.made += 1
        self.due.append(due)
        return b"%b%d\r\n\r\n%b" % (self._heads[seat], len(body), body)

    def due_of(self, seq: int) -> float:
        """When the move that became event `seq` was due."""
        return self.due[seq - self._seq - 1]

    def mover_of(self, seq: int) -> int:
        """The seat that made the move which became event `seq`."""
        return self._moves[seq - self._seq - 1][0]


def _head_of(table_id: str, token: str) -> bytes:
    lines = (
        f"POST /api/tables/{table_id}/actions HTTP/1.1",
        f"Host: {HOST}",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        "Content-Length: ",
    )
    return "\r\n".join(lines).encode()


class Post(asyncio.Protocol):
    """One connection: a move is sent, and the next one when it is answered."""

    __slots__ = ("_left", "_posts", "_rest", "_transport", "play")

    def __init__(self, posts: "Posts") -> None:
        self._posts = posts
        self._rest = b""
        self._left = 0
        self._transport: asyncio.Transport | None = None
        self.play: Play | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # a stream's
        """Ready to send."""
        self._transport = transport

    def send(self, play: Play, due: float) -> None:
        """Send the next move of a game."""
        assert self._transport is not None
        self.play = play
        self._transport.write(play.next_request(due))

    def data_received(self, data: bytes) -> None:
        """Read one answer, which may come in pieces."""
        if self._left:
            self._left -= len(data)
        else:
            data = self._rest + data
            end = data.find(_HEAD_END)
            if end < 0:
                self._rest = data
                return
            self._rest = b""
            at = data.index(_LENGTH) + len(_LENGTH)
            length = int(data[at : data.index(b"\r", at)])
            self._left = length - (len(data) - end - len(_HEAD_END))
            if not data.startswith(_OK):
                self._posts.refused.append(data[:300].decode("latin-1"))
        if not self._left:
            self._posts.answered(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - what matters is that it ended
        """Tell the `Posts` that this connection belongs to."""
        self._posts.lose(self)

    def close(self) -> None:
        """Hang up."""
        assert self._transport is not None
        self._transport.abort()


class Posts:
    """The connections to one web node, and its games in the order in which they are played on.

    As behind a balancer that knows tables by their ids, all moves of a game go to the same node.
    """

    def __init__(self, port: int, number: int, plays: Iterable[Play]) -> None:
        self._port = port
        self._number = number
        self._plays = deque(plays)
        self._idle: list[Post] = []
        self._waiting: deque[float] = deque()
        self._next: Callable[[], None] = lambda: None
        self.posted = 0
        self.done = 0
        self.lost = 0
        self.has_run_out = False
        self.refused: list[str] = []
        self.latencies: MutableSequence[float] | None = None
        """Where the time from a move to its answer is noted, if no client listens to the streams."""

    def close(self) -> None:
        """Hang up."""
        idle, self._idle = self._idle, []
        for post in idle:
            post.close()

    async def connect(self) -> None:
        """Open the connections, and reopen those that the server has closed because they were idle."""
        loop = asyncio.get_running_loop()
        while len(self._idle) < self._number:
            _, post = await loop.create_connection(lambda: Post(self), HOST, self._port)
            self._idle.append(post)

    def lose(self, post: Post) -> None:
        """A connection has ended; while a move is under way that must not happen."""
        if post in self._idle:
            self._idle.remove(post)
        self.lost += post.play is not None

    def check(self) -> None:
        """Give up if anything went wrong: then the figures mean nothing."""
        if self.refused or self.lost or self.has_run_out:
            trouble = f"{self.refused[:1]} refused, {self.lost} cut off, run out: {self.has_run_out}"
            raise SystemExit(f"the moves were not all carried out: {trouble}")

    async def flood(self, seconds: float) -> None:
        """Keep every connection busy for `seconds`."""
        self._next = self._send_at_once
        for _ in range(len(self._idle)):
            self._send_at_once()
        await asyncio.sleep(seconds)
        self._next = lambda: None

    async def drip(self, rate: float, seconds: float, chance: Random) -> None:
        """Send `rate` moves a second on average, at random moments, whether or not the answers keep up."""
        self._next = self._send_waiting
        due = time.perf_counter()
        end = due + seconds
        while due < end:
            due += chance.expovariate(rate)
            pause = due - time.perf_counter()
            if pause > 0:
                await asyncio.sleep(pause)
            self._waiting.append(due)
            self._send_waiting()
        while self._waiting:  # noqa: ASYNC110 - an event would be one more thing to do for every move
            await asyncio.sleep(0.01)

    def send_one(self, play: Play) -> None:
        """Send the next move of one game now."""
        self._next = lambda: None
        self.posted += 1
        self._idle.pop().send(play, time.perf_counter())

    def answered(self, post: Post) -> None:
        """A move was answered: its game may go on, its connection is free."""
        assert post.play is not None
        if self.latencies is not None:
            self.latencies.append(time.perf_counter() - post.play.due[-1])
        if not post.play.is_over:
            self._plays.append(post.play)
        post.play = None
        self.done += 1
        self._idle.append(post)
        self._next()

    def _send_at_once(self) -> None:
        self._send(time.perf_counter())

    def _send_waiting(self) -> None:
        while self._waiting and self._idle:
            self._send(self._waiting.popleft())

    def _send(self, due: float) -> None:
        if not self._plays:
            self.has_run_out = True
            return
        self.posted += 1
        self._idle.pop().send(self._plays.popleft(), due)
