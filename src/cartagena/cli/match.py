"""A game at this keyboard: its table, and the bots that sit at it."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from cartagena.bots.players.interface import Budget
from cartagena.bots.players.registry import make
from cartagena.cli.table_flags import LEVEL, level_of, seat_name
from cartagena.game import Game
from cartagena.notation.record import Headers, Record
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import UndoableGame

PATIENCE: Final = Budget(seconds=5)
"""How long a person waits for a bot; only the strongest levels on the interpreted engine need it."""


class Match(Game):
    """A game whose seats have names; raises BotError if a bot that is named cannot be made."""

    def __init__(
        self, line: UndoableGame, headers: Headers | None, chance: Random, salt: int | None = None
    ) -> None:
        super().__init__(line, headers, chance, salt)
        levels = [(seat, level_of(name)) for seat, name in enumerate(self.headers.names)]
        self._bots = {seat: make(level) for seat, level in levels if level is not None}

    @property
    def headers(self) -> Headers:
        """Rules, board, names and deal, as a record has them."""
        headers = super().headers
        assert headers is not None
        return headers

    def people(self) -> list[int]:
        """The seats that no bot plays."""
        return [seat for seat in range(self.headers.seats) if not self.is_bot(seat)]

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays a seat."""
        return seat in self._bots

    def choose_for(self, seat: int) -> int:
        """What the bot on a seat chooses."""
        return self._bots[seat].choose(self.view(seat), self._chance, PATIENCE)


def fresh(ruleset: Ruleset, names: Sequence[str], seed: str | None) -> Match:
    """A new game; the same seed gives the same board, the same deal and the same bots."""
    return Match.start(ruleset, seats=len(names), seed=seed, names=names)


def resumed(record: Record, names: Sequence[str]) -> Match:
    """A recorded game resumed, perhaps with other bots; raises ReplayError if the record is impossible."""
    return Match.of_record(replace(record, headers=replace(record.headers, names=tuple(names))))


def names_of_seats(seats: int, bots: int, level: str = LEVEL) -> tuple[str, ...]:
    """Nameless people first, then the bots."""
    return ("",) * (seats - bots) + (seat_name(level),) * bots
