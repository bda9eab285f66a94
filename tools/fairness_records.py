"""The shuffle, the games and the seat that the vectors of `tools.fairness_vectors` use."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cartagena.client.fairness import shown_of
from cartagena.fairness import Kept, Moves, Shown, Shuffle, commit
from cartagena.fairness.opening import opening, shuffler
from cartagena.fairness.record import headers_of_shuffle
from cartagena.messages.views import view_message
from cartagena.notation import Ending, Record, Result, format_ruleset, record_of
from cartagena.rules.game import Game
from cartagena.rules.hidden.view import view
from cartagena.rules.play import legal
from cartagena.rules.ruleset import JAMAICA, Ruleset

TABLE: Final = "01a1de9f-b2ad-71aa-b5a4-ea52740ae735"
NAMES: Final = ("Honest", "Friend", "", "Late")


def number(name: str) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(f"vector {name}".encode()).digest()


HONEST, FRIEND, OTHER, SECRET = map(number, ("honest", "friend", "other", "secret"))
SHUFFLE: Final = Shuffle(
    game_id=f"{TABLE}.1",
    ruleset=format_ruleset(JAMAICA),
    nonces=(HONEST, FRIEND, None),
    secret=SECRET,
)
"""The shuffle that was promised: two people and a bot."""
PROMISED: Final = (commit(HONEST), commit(FRIEND), None)
NEVER_ASKED: Final = Kept(commitment=commit(SECRET), nonce=HONEST)
"""What the first seat kept if it was never asked to show its number and saw nothing of the game."""


def by_rules(rules: Ruleset) -> Shuffle:
    """The promised shuffle for other rules."""
    return replace(SHUFFLE, ruleset=format_ruleset(rules))


# --- What was seen ---------------------------------------------------------------------------------


def shown(shuffle: Shuffle = SHUFFLE, rules: Ruleset = JAMAICA, seat: int = 0) -> Shown:
    """What a seat sees when these cards are dealt."""
    return shown_of(view_message(view(opening(shuffle, rules, len(shuffle.nonces)), seat)))


KEPT: Final = Kept(
    game_id=SHUFFLE.game_id,
    ruleset=SHUFFLE.ruleset,
    commitment=commit(SECRET),
    nonce_hashes=PROMISED,
    nonce=HONEST,
    seat=0,
    shown=shown(),
    moves=(),
)
"""What the first seat kept when it showed its number and saw the deal; it made no choice."""


def seen(shuffle: Shuffle, rules: Ruleset = JAMAICA) -> Kept:
    """What the first seat kept of the promise if these cards were dealt to it."""
    return replace(KEPT, shown=shown(shuffle, rules))


def moves_of(record: Record, seat: int = 0) -> Moves:
    """What a seat chose, as it would have kept it."""
    return tuple((step.turn, step.code or 0) for step in record.steps if step.seat == seat)


# --- Records ---------------------------------------------------------------------------------------


def dealt(shuffle: Shuffle = SHUFFLE, rules: Ruleset = JAMAICA, **changed: object) -> Record:
    """A game that was abandoned after the deal; headers may be changed afterwards."""
    headers = headers_of_shuffle(shuffle, rules, NAMES[: len(shuffle.nonces)])
    # The headers check their own types.
    headers = replace(headers, **changed)  # type: ignore[arg-type]
    return Record(headers=headers, steps=(), result=Result(Ending.ABANDONED))


def renewed() -> Record:
    """A game that was abandoned after the first renewal of the stock."""
    return _played(lambda game: bool(game.events and game.events[-1].orders))


def turns(most: int, rules: Ruleset = JAMAICA) -> Record:
    """A game by these rules that was abandoned after `most` turns."""
    return _played(lambda game: game.position.turn > most, rules)


def _played(is_left: Callable[[Game], bool], rules: Ruleset = JAMAICA) -> Record:
    shuffle = by_rules(rules)
    game = Game(opening(shuffle, rules, len(shuffle.nonces)))
    order, choices = shuffler(shuffle), shuffle.stream("choices")
    while not is_left(game):
        codes = legal(game.position)
        game.act(codes[choices.number(len(codes))], order)
    return record_of(game, dealt(shuffle, rules).headers, Result(Ending.ABANDONED))


def stacked(record: Record) -> Record:
    """The record with its last renewal in reverse order."""
    *steps, last = record.steps
    return replace(record, steps=(*steps, replace(last, orders=(last.orders[0][::-1],))))
