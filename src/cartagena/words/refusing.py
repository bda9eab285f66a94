"""Refusals told as sentences."""

from cartagena.rules.refusals import Refusal
from cartagena.words.naming import Names


def refusal_sentence(names: Names, code: str, card: int | None = None) -> str:
    """Why something is refused; a card that is not held is named where `card` says which was wished for."""
    if code == Refusal.CARD_NOT_HELD.code and card is not None:
        return names.words.say("refusal.card_not_held.sign", card=names.no_card(card))
    return names.words.say(f"refusal.{code}")
