"""Turns: who may think next. The share that has had the least time goes first, not the first to ask.

Households are treated alike, and so are the players of each. One that comes with nothing under way starts
level with the last one served: idle time cannot be saved up, and time that was used before costs nothing;
otherwise a bot that had thought long in a calm moment would wait until all others had as much. A bot that has
begun its turn goes on before others begin theirs, because a person waits for the whole turn; what it uses is
charged like any other time.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from cartagena.rules.refusals import CartagenaError
from cartagena.tables.sheet import Share

GUESS: Final = 1.0
"""How many seconds a thought counts for until it has ended."""


class NoShareLeft(CartagenaError):
    """The worker is about to end: callers that have not begun to think must do so elsewhere."""


class _Line(NamedTuple):
    """Those who wait for one share: with turns that have `begun`, or with new ones."""

    share: Share
    begun: bool


class FairShare:
    """Hands out at most `places` turns at once."""

    def __init__(self, places: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.places = places
        self._free = places
        self._clock = clock
        self._waiting: dict[_Line, deque[asyncio.Future[None]]] = {}
        self._active: Counter[Share] = Counter()
        self._households = _Had()
        self._players: dict[str, _Had] = {}
        self._is_over = False

    def end(self) -> None:
        """Refuse all who wait, and all who come later; those who think finish."""
        self._is_over = True
        for line in self._waiting.values():
            for waiting in line:
                waiting.set_exception(NoShareLeft("the worker ends"))
        self._waiting.clear()

    def waiting(self, household: str) -> int:
        """How many requests of a household wait."""
        return sum(len(line) for key, line in self._waiting.items() if key.share.household == household)

    def awaits(self, share: Share) -> bool:
        """Whether a request of a share waits."""
        return any(key.share == share for key in self._waiting)

    def waiting_beside(self, household: str) -> int:
        """How many wait, as far as they concern a household: no other one counts for more than this one.

        So one that floods the worker shortens the thoughts of its own bots, and those of others hardly.
        """
        lines = Counter[str]()
        for key, line in self._waiting.items():
            lines[key.share.household] += len(line)
        most = max(1, lines[household])
        return sum(min(number, most) for number in lines.values())

    @asynccontextmanager
    async def of(self, share: Share, *, begun: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and hold it; raises NoShareLeft. Turns that have `begun` go first."""
        if self._is_over:
            raise NoShareLeft("the worker ends")
        self._enter(share)
        try:
            await self._next(_Line(share, begun))
            began = self._clock()
            try:
                yield
            finally:
                self._charge(share, self._clock() - began - GUESS)
                self._hand_on()
        finally:
            self._leave(share)

    async def _next(self, key: _Line) -> None:
        if self._free and not self._waiting:
            self._take(key.share)
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled() and mine.exception() is None:
                # It was this caller's turn already, but the caller is gone.
                self._charge(key.share, -GUESS)
                self._hand_on()
            elif key in self._waiting:
                self._drop(key, mine)
            raise

    def _take(self, share: Share) -> None:
        self._free -= 1
        self._households.serve(share.household)
        self._players[share.household].serve(share.player)

    def _hand_on(self) -> None:
        self._free += 1
        if self._waiting:
            key = min(self._waiting, key=self._standing)
            first = self._waiting[key][0]
            self._drop(key, first)
            self._take(key.share)
            first.set_result(None)

    def _standing(self, key: _Line) -> tuple[bool, float, float]:
        household, player = key.share
        return not key.begun, self._households.had[household], self._players[household].had[player]

    def _drop(self, key: _Line, mine: "asyncio.Future[None]") -> None:
        line = self._waiting[key]
        line.remove(mine)
        if not line:
            del self._waiting[key]

    # What each has had.

    def _charge(self, share: Share, seconds: float) -> None:
        self._households.had[share.household] += seconds
        self._players[share.household].had[share.player] += seconds

    def _enter(self, share: Share) -> None:
        household, player = share
        if household not in self._players:
            self._households.enter(household)
            self._players[household] = _Had()
        if not self._active[share]:
            self._players[household].enter(player)
        self._active[share] += 1

    def _leave(self, share: Share) -> None:
        household, player = share
        self._active[share] -= 1
        if self._active[share]:
            return
        del self._active[share]
        del self._players[household].had[player]
        if not self._players[household].had:
            del self._players[household], self._households.had[household]
        if not self._players:
            self._households = _Had()


class _Had:
    """How many seconds each name has had since it came."""

    def __init__(self) -> None:
        self.had: dict[str, float] = {}
        self._served_at = 0.0

    def enter(self, name: str) -> None:
        self.had[name] = self._served_at

    def serve(self, name: str) -> None:
        self._served_at = max(self._served_at, self.had[name])
        self.had[name] += GUESS
