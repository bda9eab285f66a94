"""A game at this keyboard: its table, the chance that decides it, and the bots that sit at it."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from random import Random, SystemRandom
from typing import Final

from cartagena.bots import random_bot
from cartagena.fairness.commitment import commit
from cartagena.fairness.opening import shuffler
from cartagena.fairness.record import headers_of_shuffle, shuffle_of_headers
from cartagena.fairness.shuffle import Shuffle
from cartagena.notation.record import Headers, Record
from cartagena.notation.replay import begin, record_of, replay
from cartagena.notation.ruleset_text import format_ruleset
from cartagena.rules.game import Game, Shuffler
from cartagena.rules.happenings import Happening
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.view import view

BOT: Final = "bot"
"""The name of a seat that a bot plays, as it stands in the record."""


class Match:
    """A game with its headers, ready to go on."""

    def __init__(self, headers: Headers, game: Game, chance: Random) -> None:
        self.headers = headers
        self.game = game
        self._chance = chance
        self._shuffle = _shuffler(headers, game.position.renewals)

    @property
    def position(self) -> Position:
        """The table as it is."""
        return self.game.position

    def people(self) -> list[int]:
        """The seats that no bot plays."""
        return [seat for seat, name in enumerate(self.headers.names) if name != BOT]

    def act(self, code: int) -> list[Happening]:
        """Do as the code says, with the cards shuffled where that is due."""
        return self.game.act(code, self._shuffle)

    def choose_for(self, seat: int) -> int:
        """What the bot on a seat chooses; it sees no more than that seat does."""
        return random_bot.choose(view(self.position, seat), self._chance)

    def record(self) -> Record:
        """The game so far."""
        return record_of(self.game, self.headers)


def fresh(ruleset: Ruleset, names: Sequence[str], seed: str | None) -> Match:
    """A new game; the same seed gives the same board, the same deal and the same bots."""
    secret = secrets.token_bytes() if seed is None else hashlib.sha256(seed.encode()).digest()
    shuffle = Shuffle(
        game_id=f"local-{commit(secret)[:16]}",
        ruleset=format_ruleset(ruleset),
        nonces=(None,) * len(names),
        secret=secret,
    )
    headers = headers_of_shuffle(shuffle, ruleset, names)
    return Match(headers, begin(headers), Random(seed))


def resumed(record: Record, names: Sequence[str]) -> Match:
    """A recorded game taken up again, perhaps with other bots; raises ReplayError if it cannot have been."""
    return Match(replace(record.headers, names=tuple(names)), replay(record), Random())


def names_of_seats(seats: int, bots: int) -> tuple[str, ...]:
    """Nameless people first, then the bots."""
    return ("",) * (seats - bots) + (BOT,) * bots


def _shuffler(headers: Headers, renewals: int) -> Shuffler:
    """The fair shuffle of the record; a record without its secret goes on with new chance."""
    shuffle = shuffle_of_headers(headers)
    if shuffle is None:
        return lambda due: SystemRandom().sample(due, len(due))
    return shuffler(shuffle, renewals)
