"""Catching up: how much of the past clients may ask for again, which takes far longer than what is new."""

import time
from collections.abc import Callable
from typing import Final

from cartagena.server.http.address import household_of
from cartagena.server.http.limits import Buckets, Paced, Rate, refuse_if
from cartagena.server.http.streams.ports import Visitor

OF_PLAYER: Final = Rate(1_000, 20)
OF_ADDRESS: Final = Rate(4_000, 400)
"""Both rates count updates; a whole game is about a hundred."""


class CatchingUp:
    """Counts updates that are sent again, for each player and each household; raises `too_many`."""

    def __init__(self, *, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._paced = Paced(pace)
        self._clock = clock
        self._buckets = Buckets()

    def count(self, visitor: Visitor, updates: int) -> None:
        """Count the updates that a visitor asks for again."""
        if updates <= 0:
            return
        now = self._clock()
        address = ("address", household_of(visitor.address))
        refuse_if(self._buckets.wait(address, self._paced.rate(OF_ADDRESS), now, updates))
        if visitor.player_id is not None:
            player = ("player", visitor.player_id)
            refuse_if(self._buckets.wait(player, self._paced.rate(OF_PLAYER), now, updates))
