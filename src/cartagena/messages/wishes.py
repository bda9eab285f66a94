"""The wish table on the wire: every choice with what it would do, or why not."""

from msgspec import Struct

from cartagena.messages.cards import word_of, words_of
from cartagena.rules.actions import code_of
from cartagena.rules.explain import Explanation, Wish


class ActionMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A choice by its kind and what it names; `code` is what to send, null for a choice without one."""

    kind: str
    code: int | None = None
    card: str | None = None
    crew: int | None = None
    place: int | None = None


class ExplanationMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a legal choice would do; `reveals` says that it cannot be undone."""

    start: int | None = None
    target: int | None = None
    jumped: tuple[int, ...] = ()
    gains: int = 0
    cards: tuple[str, ...] = ()
    reveals: bool = False
    dock: int | None = None
    wins: bool = False


class RefusalMessage(Struct, frozen=True, kw_only=True):
    """Why a choice is refused: a code for programs, and the rule that says so."""

    code: str
    rule: str


class WishMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the wish table: either an explanation or a refusal."""

    action: ActionMessage
    explanation: ExplanationMessage | None = None
    refusal: RefusalMessage | None = None


def wish_message(wish: Wish, family: str) -> WishMessage:
    """A line of the wish table as it is sent."""
    action, refusal = wish.action, wish.refusal
    return WishMessage(
        action=ActionMessage(
            kind=action.kind.value,
            code=code_of(action),
            card=word_of(family, action.card),
            crew=action.crew,
            place=action.place,
        ),
        explanation=None if wish.explanation is None else explanation_message(wish.explanation, family),
        refusal=None if refusal is None else RefusalMessage(code=refusal.code, rule=refusal.rule),
    )


def explanation_message(explanation: Explanation, family: str) -> ExplanationMessage:
    """An explanation as it is sent."""
    return ExplanationMessage(
        start=explanation.start,
        target=explanation.target,
        jumped=explanation.jumped,
        gains=explanation.gains,
        cards=words_of(family, explanation.cards),
        reveals=explanation.reveals,
        dock=explanation.dock,
        wins=explanation.wins,
    )
