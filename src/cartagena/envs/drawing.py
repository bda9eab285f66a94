"""The table as plain text, in the words of the notation."""

from collections.abc import Iterator
from typing import Final

from cartagena.notation.names import COLOURS, format_cards, place_word
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, PLACES, SLOOP, START
from cartagena.rules.position import DEAD, QUIET, WON
from cartagena.rules.ruleset import ACTIONS_PER_TURN, SIGNS, SPACE_LIMIT

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
