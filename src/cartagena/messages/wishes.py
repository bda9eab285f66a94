"""The wish table on the wire: every choice with what it would do, or why not.

A screen answers every click from it without asking. Each code that the game has, with the crews that
play, is in exactly one place: a legal choice stands alone, refused ones stand together by their reason.
"""

from functools import cache

from msgspec import Struct

from cartagena.messages.cards import word_of, words_of
from cartagena.rules.actions import ACTIONS, Action, Kind
from cartagena.rules.explain import Explanation, explanations, refused
from cartagena.rules.families.retreat import refusal_of_retreat
from cartagena.rules.legality import legal
from cartagena.rules.places import START
from cartagena.rules.position import Position


class LegalMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A legal choice: `code` is what to send, then what it names, then what it would do.

    `jumped` are the places passed because they are taken or full, `gains` the number of cards to come and
    `cards` those of them that lie open in the row; `reveals` says that the choice cannot be undone.
    """

    code: int
    kind: Kind
    card: str | None = None
    crew: int | None = None
    place: int | None = None
    start: int | None = None
    target: int | None = None
    jumped: tuple[int, ...] = ()
    gains: int = 0
    cards: tuple[str, ...] = ()
    reveals: bool = False
    dock: int | None = None
    wins: bool = False


class RefusalMessage(Struct, frozen=True, kw_only=True):
    """Why something is refused: a code for programs, and the rule that says so."""

    code: str
    rule: str


class RefusedMessage(Struct, frozen=True, kw_only=True):
    """The choices that are refused for one reason, as pairs of the first and the last code of each run."""

    code: str
    rule: str
    actions: tuple[tuple[int, int], ...]


class WishesMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The whole wish table; in Cartagena no code names a retreat from the start, so it has its own answer."""

    legal: tuple[LegalMessage, ...]
    refused: tuple[RefusedMessage, ...]
    retreat_from_start: RefusalMessage | None = None


def wishes_message(position: Position) -> WishesMessage:
    """The wish table of the seat to act as it is sent."""
    return WishesMessage(
        legal=legal_messages(position),
        refused=tuple(
            [
                RefusedMessage(code=reason.code, rule=reason.rule, actions=tuple(runs))
                for reason, runs in refused(position)
            ]
        ),
        retreat_from_start=None if position.facts.has_crossing else _retreat_from_start(position),
    )


def legal_messages(position: Position) -> tuple[LegalMessage, ...]:
    """The choices of the seat to act, each with what it would do."""
    family = position.ruleset.family
    return tuple([_legal_message(choice, family) for choice in explanations(position, legal(position))])


def answer_to(wishes: WishesMessage, code: int) -> LegalMessage | RefusedMessage | None:
    """What the table says to a click: what it would do, or why not; None if it has no such code."""
    for choice in wishes.legal:
        if choice.code == code:
            return choice
    for group in wishes.refused:
        if any(first <= code <= last for first, last in group.actions):
            return group
    return None


def _legal_message(choice: Explanation, family: str) -> LegalMessage:
    action, card = _actions(family)[choice.code]
    return LegalMessage(
        code=choice.code,
        kind=action.kind,
        card=card,
        crew=action.crew,
        place=action.place,
        start=choice.start,
        target=choice.target,
        jumped=choice.jumped,
        gains=choice.gains,
        cards=words_of(family, choice.cards) if choice.cards else (),
        reveals=choice.reveals,
        dock=choice.dock,
        wins=choice.wins,
    )


@cache
def _actions(family: str) -> dict[int, tuple[Action, str | None]]:
    """What each code of a family says, with the word of its card."""
    return {code: (action, word_of(family, action.card)) for code, action in ACTIONS[family].items()}


def _retreat_from_start(position: Position) -> RefusalMessage | None:
    reason = refusal_of_retreat(position, START)
    return None if reason is None else RefusalMessage(code=reason.code, rule=reason.rule)
