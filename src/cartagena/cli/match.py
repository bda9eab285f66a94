"""A game at this keyboard: its table, the chance that decides it, and the bots that sit at it."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from random import Random, SystemRandom
from typing import Final

from cartagena.bots.players.interface import Budget
from cartagena.bots.players.registry import make
from cartagena.cli.table_flags import LEVEL, level_of, seat_name
from cartagena.fairness.record import headers_of_shuffle, shuffle_of_headers
from cartagena.fairness.shuffle import lone_shuffle, shuffler
from cartagena.notation.record import Headers, Record
from cartagena.notation.replay import begin, record_of, replay
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import Game, Shuffler

PATIENCE: Final = Budget(seconds=5)
"""How long a person waits for a bot; only the strongest levels on the interpreted engine need it."""


class Match:
    """A game with its headers, ready to go on; raises BotError if a bot that is named cannot be made."""

    def __init__(self, headers: Headers, game: Game, chance: Random) -> None:
        self.headers = headers
        self.game = game
        self._chance = chance
        self._shuffle = _shuffler(headers, game.position.renewals)
        levels = [(seat, level_of(name)) for seat, name in enumerate(headers.names)]
        self._bots = {seat: make(level) for seat, level in levels if level is not None}

    @property
    def position(self) -> Position:
        """The table as it is."""
        return self.game.position

    def people(self) -> list[int]:
        """The seats that no bot plays."""
        return [seat for seat in range(self.headers.seats) if not self.is_bot(seat)]

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays a seat."""
        return seat in self._bots

    def act(self, code: int) -> list[Happening]:
        """Do as the code says, with the cards shuffled where that is due."""
        return self.game.act(code, self._shuffle)

    def choose_for(self, seat: int) -> int:
        """What the bot on a seat chooses; it sees no more than that seat does."""
        return self._bots[seat].choose(view(self.position, seat), self._chance, PATIENCE)

    def record(self) -> Record:
        """The game so far."""
        return record_of(self.game, self.headers)


def fresh(ruleset: Ruleset, names: Sequence[str], seed: str | None) -> Match:
    """A new game; the same seed gives the same board, the same deal and the same bots."""
    secret = secrets.token_bytes() if seed is None else hashlib.sha256(seed.encode()).digest()
    shuffle = lone_shuffle("local", secret, ruleset, len(names))
    headers = headers_of_shuffle(shuffle, ruleset, names)
    return Match(headers, begin(headers), Random(seed))


def resumed(record: Record, names: Sequence[str]) -> Match:
    """A recorded game resumed, perhaps with other bots; raises ReplayError if the record is impossible."""
    return Match(replace(record.headers, names=tuple(names)), replay(record), Random())


def names_of_seats(seats: int, bots: int, level: str = LEVEL) -> tuple[str, ...]:
    """Nameless people first, then the bots."""
    return ("",) * (seats - bots) + (seat_name(level),) * bots


def _shuffler(headers: Headers, renewals: int) -> Shuffler:
    """The fair shuffle of the record; a record without its secret goes on with new chance."""
    shuffle = shuffle_of_headers(headers)
    if shuffle is None:
        return lambda due: SystemRandom().sample(due, len(due))
    return shuffler(shuffle, renewals)
