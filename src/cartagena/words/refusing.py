"""Refusals told as sentences."""

from typing import Protocol

from cartagena.rules.refusals import Refusal
from cartagena.words.naming import Names


class Reason(Protocol):
    """Why something is refused: one of the rules' own reasons, or one that a message tells of."""

    @property
    def code(self) -> str:
        """The public code."""

    @property
    def rule(self) -> str:
        """The number of the rule that says so."""


def refusal_lines(names: Names, reason: Reason, card: int | None = None) -> tuple[str, str]:
    """Why something is refused, and the sentence of the rulebook; `card` is the one that was wished for."""
    say = names.words.say
    quoted = say("rules.quoted", number=reason.rule, sentence=say(f"rule.{reason.rule}"))
    return refusal_sentence(names, reason.code, card), quoted


def refusal_sentence(names: Names, code: str, card: int | None = None) -> str:
    """Why something is refused; a card that is not held is named where `card` says which was wished for."""
    if code == Refusal.CARD_NOT_HELD.code and card is not None:
        return names.words.say("refusal.card_not_held.sign", card=names.no_card(card))
    return names.words.say(f"refusal.{code}")
