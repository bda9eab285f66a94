"""A seat of `cartagena bot`: what thinks there, and what it sees of the others at its table."""

import asyncio
import random
from collections.abc import Callable
from time import monotonic
from typing import TypeAlias, TypeVar

from cartagena.bots.players.interface import Bot, Budget, close
from cartagena.client import Player, Told
from cartagena.client.table_state import TableState
from cartagena.rules.hidden.view import View
from cartagena.rules.refusals import CartagenaError

Chair: TypeAlias = tuple[int, str | None]
"""The number of a seat, and the player who sits there."""

_Value = TypeVar("_Value")


class IllegalChoice(CartagenaError):
    """What thinks has chosen a code that is not legal."""


class BotSeat:
    """A bot at one table. What thinks, thinks in a thread of its own."""

    def __init__(self, player: Player, bot: Bot, budget: Budget) -> None:
        self.player = player
        self._bot = bot
        self._budget = budget
        self._chance = random.Random()
        self._chosen: tuple[int, int] | None = None
        self._silent_since: dict[Chair, float] = {}
        player.choose = self._choice

    def _choice(self, standing: TableState) -> int | None:
        return self._chosen[1] if self._chosen is not None and self._chosen[0] == standing.seq else None

    def hear(self, told: Told) -> None:
        """Take note of what was told, and since when others are silent."""
        self.player.hear(told)
        now = monotonic()
        self._silent_since = {chair: self._silent_since.get(chair, now) for chair in self._silent()}

    def forget_choice(self) -> None:
        """Think anew, even where a choice was made already."""
        self._chosen = None

    async def think(self) -> None:
        """Choose, if this seat is asked for a choice; raises whatever what thinks raises."""
        standing = self.player.standing
        if not self.player.is_asked or (self._chosen is not None and self._chosen[0] == standing.seq):
            return
        code = await asyncio.to_thread(_guarded, lambda: self._legal_choice(standing.sight))
        self._chosen = standing.seq, code

    def _legal_choice(self, view: View) -> int:
        code = self._bot.choose(view, self._chance, self._budget)
        if code not in view.legal:
            raise IllegalChoice(code)
        return code

    async def close(self) -> None:
        """End what thinks; raises whatever that raises."""
        await asyncio.to_thread(_guarded, lambda: close(self._bot))

    def silent_for(self, seconds: float) -> list[Chair]:
        """Who has sat for so long at a full table of this seat's without promising a number."""
        now = monotonic()
        return [chair for chair, since in self._silent_since.items() if now - since >= seconds]

    def _silent(self) -> list[Chair]:
        table, own = self.player.standing.table, self.player.chair
        is_full = table.stage == "open" and all(chair.kind != "open" for chair in table.chairs)
        if not is_full or own is None or not own.is_host:
            return []
        others = (chair for chair in table.chairs if chair.kind == "person" and chair.seat != own.seat)
        return [(chair.seat, chair.player) for chair in others if chair.nonce_hash is None]

    @property
    def waits_alone(self) -> bool:
        """Whether this is a table that nobody else has come to."""
        table = self.player.standing.table
        people = [chair.player for chair in table.chairs if chair.player is not None]
        return table.stage == "open" and people == [str(self.player.player_id)]


def _guarded(work: Callable[[], _Value]) -> _Value:
    """Let the code of another author raise only what a thread can hand over: no wish to end the process."""
    try:
        return work()
    except BaseException as error:
        if isinstance(error, Exception) and not isinstance(error, StopIteration):
            raise
        raise RuntimeError(f"{type(error).__name__} {error}") from error
