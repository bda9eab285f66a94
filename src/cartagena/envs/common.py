"""What every environment has in common: tables by name, chance by a seed, and points."""

import hashlib
import secrets
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from cartagena.notation.names import COLOURS, format_cards, place_word
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, PLACES, SLOOP, START
from cartagena.rules.position import DEAD, QUIET, WON
from cartagena.rules.ruleset import ACTIONS_PER_TURN, PRESETS, SIGNS, SPACE_LIMIT, Ruleset


class Seeds:
    """One secret after the other, all decided by the first seed; without a seed they are unpredictable.

    The first game of a seed is the one that `cartagena new --seed` deals.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._seed = secrets.token_hex() if seed is None else str(seed)
        self._games = 0

    def next_secret(self) -> bytes:
        """The secret of the next game."""
        self._games += 1
        text = self._seed if self._games == 1 else f"{self._seed} game {self._games}"
        return hashlib.sha256(text.encode()).digest()


def preset(ruleset: str | Ruleset) -> Ruleset:
    """The ruleset of a key, or the ruleset itself; raises ValueError that lists the known keys."""
    if isinstance(ruleset, Ruleset):
        return ruleset
    if ruleset not in PRESETS:
        raise ValueError(f"no ruleset is called {ruleset!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[ruleset]


def points(winner: int, seats: int) -> list[float]:
    """One point for the winner, which the others pay for in equal shares.

    >>> points(1, seats=3)
    [-0.5, 1.0, -0.5]
    """
    return [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]


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


# PettingZoo's own wrappers, all in one and with a short way to the environment.
#
# Stacked as usual, a wrapper asks the next one for every attribute it lacks, through `__getattr__`, dozens
# of times a step: three of them cost several times as much as the step itself. They call each other by
# `super`, so one class can be all three, and it reads the environment's attributes without a detour.

ILLEGAL_REWARD: Final = -1.0
"""The reward of a seat that chooses an action its mask forbids; the others get nothing."""


class TerminateIllegal(TerminateIllegalWrapper[str, Any, Any]):
    """A choice against the mask ends the game."""

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        super().__init__(env, ILLEGAL_REWARD)


class Wrapped(
    OrderEnforcingWrapper[str, Any, Any], AssertOutOfBoundsWrapper[str, Any, Any], TerminateIllegal
):
    """An environment as PettingZoo's own board games come: in order, within bounds, ended by illegal choices.

    Before the first reset the attributes below find nothing, and `__getattr__` says why.
    """

    agents: Any = property(attrgetter("env.agents"))
    agent_selection: Any = property(attrgetter("env.agent_selection"))
    rewards: Any = property(attrgetter("env.rewards"))
    terminations: Any = property(attrgetter("env.terminations"))
    truncations: Any = property(attrgetter("env.truncations"))
    infos: Any = property(attrgetter("env.infos"))
    _cumulative_rewards: Any = property(attrgetter("env._cumulative_rewards"))

    def __str__(self) -> str:
        return str(self.env)
