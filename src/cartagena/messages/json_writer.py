"""JSON written straight from the engine: byte for byte the structs of this package, several times sooner."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from cartagena.messages.cards import WORDS, letters_of
from cartagena.messages.happenings import happening_json
from cartagena.messages.memories import log_text
from cartagena.messages.views import ENDINGS, ruleset_message
from cartagena.notation.names import place_word
from cartagena.rules.actions import ACTIONS, Action
from cartagena.rules.board import Board, spaces_of
from cartagena.rules.explain import Explanation, Run, explanations, refused
from cartagena.rules.families.facts import facts_of
from cartagena.rules.families.retreat import refusal_of_retreat
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.legality import legal
from cartagena.rules.places import PLACES, START, bit
from cartagena.rules.position import CHANCE, NOBODY, Position
from cartagena.rules.refusals import PositionError, Refusal
from cartagena.rules.ruleset import Ruleset

QUOTED: Final = {family: [f'"{word}"' for word in words] for family, words in WORDS.items()}
"""The words of a family's cards by number, as JSON."""

ENDINGS_JSON: Final = {ending: f'"{word}"' if word else "null" for ending, word in ENDINGS.items()}


class ViewJson:
    """A view in three pieces, between which its seat and its choices belong.

    A spectator of a game with open hands sees all that a seat sees, so one view serves every audience.
    """

    def __init__(self, view: View) -> None:
        self.public = _between_seat_and_choices(view)
        self.memory = _memory(view)

    def seen_by(self, seat: int | None, choices: Iterable[int] | None) -> str:
        """The view of one audience."""
        legal = "null" if choices is None else numbers(choices)
        return f'{{"seat":{or_null(seat)}{self.public},"legal":{legal}{self.memory}'


def _between_seat_and_choices(view: View) -> str:
    words, facts = QUOTED[view.ruleset.family], facts_of(view.ruleset.family)
    hands = [listed(words, hand) for hand in view.hands]
    trims = [f'{{"seat":{seat},"card":{word(words, card)}}}' for seat, card in view.trimmed]
    return (
        f',"ruleset":{_ruleset(view.ruleset)}'
        f',"board":{_board(view.board)}'
        f',"pirates":[{",".join([numbers(places) for places in view.pirates])}]'
        f',"most_home":{numbers(view.most_home)}'
        f',"dock":{view.dock if facts.has_crossing else "null"}'
        f',"hand_sizes":{numbers(view.hand_sizes)}'
        f',"hands":[{",".join(hands)}]'
        f',"row":{listed(words, view.row)}'
        f',"stock_size":{view.stock_size}'
        f',"stock":{listed(words, view.stock)}'
        f',"discard":{listed(words, view.discard)}'
        f',"renewals":{view.renewals}'
        f',"to_act":{_party(view.to_act)}'
        f',"turn_seat":{view.turn_seat}'
        f',"actions_used":{view.actions_used}'
        f',"crossing_open":{"true" if view.crossing_open else "false"}'
        f',"owed":{view.owed}'
        f',"trimmed":[{",".join(trims)}]'
        f',"surplus":{numbers(view.surplus)}'
        f',"turn":{view.turn}'
        f',"last_progress":{view.last_progress}'
        f',"quiet_turns":{view.quiet_turns}'
        f',"ending":{ENDINGS_JSON[view.ending]}'
        f',"winner":{or_null(view.winner)}'
    )


def _memory(view: View) -> str:
    memory = view.memory
    hands = ["null" if hand is None else f'"{letters_of(hand)}"' for hand in memory.hands]
    return (
        f',"memory":{{"discard":"{letters_of(memory.discard)}"'
        f',"hands":[{",".join(hands)}]'
        f',"log":"{log_text(memory.log) if memory.log else ""}"}}}}'
    )


def _party(to_act: int) -> str:
    if to_act == CHANCE:
        return '"chance"'
    return "null" if to_act == NOBODY else str(to_act)


@lru_cache(maxsize=256)
def _ruleset(ruleset: Ruleset) -> str:
    return msgspec.json.encode(ruleset_message(ruleset)).decode()


def _board(board: Board) -> str:
    """What is at each place; not cached by value, since there are too many games."""
    words = QUOTED[board.family]
    signs = iter([words[sign] for sign in board.signs])
    return f"[{','.join([other or next(signs) for other in _OTHER_PLACES[board.family]])}]"


def _other_places(family: str) -> list[str]:
    """The word of each place that is no space, as JSON; nothing for a space."""
    spaces = spaces_of(family)
    return ["" if spaces & bit(place) else f'"{place_word(family, place)}"' for place in range(PLACES)]


_OTHER_PLACES: Final = {family: _other_places(family) for family in WORDS}


# Pieces of JSON.


def numbers(values: Iterable[int]) -> str:
    """A list of numbers."""
    return f"[{','.join([str(value) for value in values])}]"


def listed(words: list[str], cards: tuple[int, ...] | None) -> str:
    """A list of cards, null if they are hidden."""
    return "null" if cards is None else f"[{','.join([words[card] for card in cards])}]"


def word(words: list[str], card: int | None) -> str:
    """A card, null if it is hidden."""
    return "null" if card is None else words[card]


def or_null(value: int | None) -> str:
    """A number, or null."""
    return "null" if value is None else str(value)


def wishes_json(position: Position) -> str:
    """The wish table of the seat to act."""
    family = position.ruleset.family
    heads, words = _HEADS[family], QUOTED[family]
    choices = [
        _choice(heads[choice.code], words, choice) for choice in explanations(position, legal(position))
    ]
    reasons = [_refused(reason, runs) for reason, runs in refused(position)]
    return (
        f'{{"legal":[{",".join(choices)}],"refused":[{",".join(reasons)}]'
        f"{'' if position.facts.has_crossing else _retreat_from_start(position)}}}"
    )


def _choice(head: str, words: list[str], choice: Explanation) -> str:
    """Write one choice; absent and empty values are left out."""
    moves = "" if choice.start is None else f',"start":{choice.start},"target":{choice.target}'
    jumped = f',"jumped":{numbers(choice.jumped)}' if choice.jumped else ""
    gains = f',"gains":{choice.gains}' if choice.gains else ""
    cards = f',"cards":{listed(words, choice.cards)}' if choice.cards else ""
    reveals = ',"reveals":true' if choice.reveals else ""
    dock = "" if choice.dock is None else f',"dock":{choice.dock}'
    wins = ',"wins":true' if choice.wins else ""
    return f"{head}{moves}{jumped}{gains}{cards}{reveals}{dock}{wins}}}"


def _refused(reason: Refusal, runs: list[Run]) -> str:
    actions = ",".join([f"[{first},{last}]" for first, last in runs])
    return f'{_REASONS[reason.value]},"actions":[{actions}]}}'


def _retreat_from_start(position: Position) -> str:
    reason = refusal_of_retreat(position, START)
    return "" if reason is None else f',"retreat_from_start":{_REASONS[reason.value]}}}'


def _head(family: str, code: int, action: Action) -> str:
    """How a choice begins: its code and what it names."""
    card = "" if action.card is None else f',"card":{QUOTED[family][action.card]}'
    crew = "" if action.crew is None else f',"crew":{action.crew}'
    place = "" if action.place is None else f',"place":{action.place}'
    return f'{{"code":{code},"kind":"{action.kind.value}"{card}{crew}{place}'


_HEADS: Final = {
    family: {code: _head(family, code, action) for code, action in ACTIONS[family].items()}
    for family in QUOTED
}
_REASONS: Final = {reason.value: f'{{"code":"{reason.code}","rule":"{reason.rule}"' for reason in Refusal}
"""How a refusal begins, by the value of its reason."""


def play_json(
    position: Position,
    told: Sequence[Happening],
    audiences: Iterable[int | None],
    *,
    awaited: int,
    undo: bool,
) -> dict[int | None, str]:
    """For each audience: what happened, its view and, if its choice is awaited, its wish table and undo."""
    family = position.ruleset.family
    in_public = [seen(happening, None) for happening in told]
    # All audiences are told what spectators are told, unless a card is hidden from spectators.
    to_all = _told(in_public, family) if in_public == list(told) else None
    open_view = ViewJson(view(position, None)) if position.ruleset.hands_open else None
    play: dict[int | None, str] = {}
    for audience in audiences:
        heard = _told([seen(each, audience) for each in told], family) if to_all is None else to_all
        looked = _look(position, audience) if open_view is None else _open_look(open_view, position, audience)
        choices = _choices(position, undo=undo) if audience == awaited else ""
        play[audience] = f'"happened":[{heard}],"view":{looked}{choices}'
    return play


def _choices(position: Position, *, undo: bool) -> str:
    end = ',"undo":true' if undo else ""
    return f',"wishes":{wishes_json(position)}{end}'


def _told(happenings: Sequence[Happening], family: str) -> str:
    return ",".join([happening_json(happening, family) for happening in happenings])


def _look(position: Position, audience: int | None) -> str:
    sight = view(position, audience)
    return ViewJson(sight).seen_by(audience, sight.legal or None)


def _open_look(public: ViewJson, position: Position, audience: int | None) -> str:
    """A view of a game with open hands, made from what a spectator sees, who knows least.

    R7.3: no hand is hidden, so there is nothing for a memory to keep, and a game with open hands has
    no trim: a seat's view is the spectator's, but for its number and the choices it has.
    """
    if audience is not None and audience not in range(position.seats):
        raise PositionError(f"there is no seat {audience!r} to look from")
    return public.seen_by(audience, legal(position) if audience == position.to_act else None)
