"""What every environment has in common: tables by name, chance by a seed, and points."""

import hashlib
import secrets
from collections.abc import Iterator
from typing import Final

from cartagena.notation.names import COLOURS, format_cards, place_word
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, PLACES, SLOOP, START
from cartagena.rules.position import DEAD, QUIET, WON
from cartagena.rules.ruleset import ACTIONS_PER_TURN, FEWEST_SEATS, MOST_SEATS, SIGNS, SPACE_LIMIT

ILLEGAL_REWARD: Final = -1.0
"""The reward of a seat that chooses an action its mask forbids; the others get nothing."""


class Seeds:
    """One secret after the other, all decided by the first seed; without a seed they are unpredictable.

    The first game of a seed is the one that `cartagena new --seed` deals. `games` is how many were begun.
    """

    def __init__(self, seed: int | str | None = None, games: int = 0) -> None:
        self.seed = secrets.token_hex() if seed is None else str(seed)
        self.games = games

    def next_secret(self) -> bytes:
        """The secret of the next game."""
        self.games += 1
        text = self.seed if self.games == 1 else f"{self.seed} game {self.games}"
        return hashlib.sha256(text.encode()).digest()


def points(winner: int, seats: int) -> list[float]:
    """One point for the winner, which the others pay for in equal shares.

    >>> points(1, seats=3)
    [-0.5, 1.0, -0.5]
    """
    return [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]


# What may be asked of an environment.


def checked_seats(seats: int) -> int:
    """The number of seats, if a game can have it."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise ValueError(f"{FEWEST_SEATS} to {MOST_SEATS} seats play, not {seats}")
    return seats


def checked_limit(max_actions: int | None) -> int | None:
    """The number of choices after which a game is truncated, if there can be such a limit."""
    if max_actions is not None and max_actions < 1:
        raise ValueError(f"max_actions is at least 1, or None for no limit, not {max_actions}")
    return max_actions


def checked_mode(render_mode: str | None, modes: list[str]) -> str | None:
    """The way to draw, if there is such a way."""
    if render_mode is not None and render_mode not in modes:
        raise ValueError(f"render_mode is {' or '.join(modes)} or None, not {render_mode!r}")
    return render_mode


# The table as plain text, in the words of the notation.

ENDINGS: Final = {WON: "won", DEAD: "dead", QUIET: "quiet"}
"""How a game ended, in one word."""

LETTERS: Final = 3
"""How many letters of a sign's word tell it from the others."""


def draw(view: View) -> str:
    """Everything that a view shows of the present position."""
    return "\n".join([_turn(view), *_way(view), *_cards(view)]) + "\n"


def _turn(view: View) -> str:
    table = f"{view.ruleset.key}, turn {view.turn}"
    if view.over:
        winner = "no winner" if view.winner is None else f"the winner is {COLOURS[view.winner]}"
        return f"{table}, {ENDINGS[view.ending]}: {winner}"
    actor = COLOURS[view.to_act]
    if view.trimming:
        return f"{table}, {actor}: cards to trim {view.surplus[view.to_act]}"
    crossing = ", crossing open" if view.crossing_open else ""
    return f"{table}, {actor}: actions left {ACTIONS_PER_TURN - view.actions_used}{crossing}"


def _way(view: View) -> Iterator[str]:
    """The places in travel order, with as many spaces on a line as there are signs."""
    family = view.ruleset.family
    spaces: list[str] = []
    for place in range(PLACES):
        if place in {START, HOME, facts_of(family).sloop}:
            dock = f" (dock {view.dock})" if place == SLOOP else ""
            yield f"{place_word(family, place)}{dock}: {_crowd(view, place, ' ')}".rstrip()
            continue
        sign = SIGNS[family][view.board.sign_at(place)][:LETTERS]
        spaces.append(f"{place_word(family, place):>2} {sign} {_crowd(view, place):<{SPACE_LIMIT}}")
        if len(spaces) == len(SIGNS[family]):
            yield " ".join(spaces).rstrip()
            spaces = []


def _crowd(view: View, place: int, between: str = "") -> str:
    """The pirates on a place, each by the first letter of its colour."""
    crews = zip(COLOURS, view.pirates, strict=False)
    letters = [colour[0].upper() * places.count(place) for colour, places in crews]
    return between.join(filter(None, letters))


def _cards(view: View) -> Iterator[str]:
    family = view.ruleset.family
    if view.ruleset.row_length:
        yield f"row: {format_cards(family, view.row)}"
    yield f"stock: {view.stock_size}"
    yield f"discard: {format_cards(family, sorted(view.discard))}"
    for colour, hand, size in zip(COLOURS, view.hands, view.hand_sizes, strict=False):
        yield f"{colour}: {format_cards(family, (None,) * size if hand is None else hand)}"
