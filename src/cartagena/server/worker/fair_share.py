"""Turns: who may think next. The share that has had the least time goes first, not the first to ask.

Households are treated alike, and so are the players of each. A newcomer starts level with the last one
served: idle time cannot be saved up, and time used while alone costs nothing later.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from cartagena.rules.refusals import CartagenaError
from cartagena.tables.sheet import Share

GUESS: Final = 1.0
"""How many seconds a thought counts for until it has ended."""
MOST_REMEMBERED: Final = 10_000


class NoShareLeft(CartagenaError):
    """The worker is about to end: callers that have not begun to think must do so elsewhere."""


class FairShare:
    """Hands out at most `places` turns at once."""

    def __init__(self, places: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = places
        self._clock = clock
        self._waiting: dict[Share, deque[asyncio.Future[None]]] = {}
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
        return sum(len(line) for share, line in self._waiting.items() if share.household == household)

    @asynccontextmanager
    async def of(self, share: Share) -> AsyncIterator[None]:
        """Wait for a turn and hold it; raises NoMoreTurns."""
        if self._is_over:
            raise NoShareLeft("the worker ends")
        self._enter(share)
        try:
            await self._next(share)
            began = self._clock()
            try:
                yield
            finally:
                self._charge(share, self._clock() - began - GUESS)
                self._hand_on()
        finally:
            self._leave(share)

    async def _next(self, share: Share) -> None:
        if self._free and not self._waiting:
            self._take(share)
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(share, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled() and mine.exception() is None:
                # It was this caller's turn already, but the caller is gone.
                self._charge(share, -GUESS)
                self._hand_on()
            elif share in self._waiting:
                self._drop(share, mine)
            raise

    def _take(self, share: Share) -> None:
        self._free -= 1
        self._households.serve(share.household)
        self._players[share.household].serve(share.player)

    def _hand_on(self) -> None:
        self._free += 1
        if self._waiting:
            share = min(self._waiting, key=self._standing)
            first = self._waiting[share][0]
            self._drop(share, first)
            self._take(share)
            first.set_result(None)

    def _standing(self, share: Share) -> tuple[float, float]:
        household, player = share
        return self._households.had[household], self._players[household].had[player]

    def _drop(self, share: Share, mine: "asyncio.Future[None]") -> None:
        line = self._waiting[share]
        line.remove(mine)
        if not line:
            del self._waiting[share]

    # What each has had.

    def _charge(self, share: Share, seconds: float) -> None:
        self._households.had[share.household] += seconds
        self._players[share.household].had[share.player] += seconds

    def _enter(self, share: Share) -> None:
        self._active[share] += 1
        self._households.enter(share.household)
        self._players.setdefault(share.household, _Had()).enter(share.player)

    def _leave(self, share: Share) -> None:
        self._active[share] -= 1
        if not self._active[share]:
            del self._active[share]
        if not self._active:
            self._households = _Had()
            self._players.clear()
        elif len(self._households.had) > MOST_REMEMBERED:
            self._forget_the_idle()

    def _forget_the_idle(self) -> None:
        active = {share.household for share in self._active}
        self._households.had = {name: had for name, had in self._households.had.items() if name in active}
        self._players = {name: had for name, had in self._players.items() if name in active}


class _Had:
    """How many seconds each name has had."""

    def __init__(self) -> None:
        self.had: dict[str, float] = {}
        self._served_at = 0.0

    def enter(self, name: str) -> None:
        self.had[name] = max(self.had.get(name, 0.0), self._served_at)

    def serve(self, name: str) -> None:
        self._served_at = max(self._served_at, self.had[name])
        self.had[name] += GUESS
