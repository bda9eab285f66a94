"""Choices told as advice: what a tip suggests."""

from typing import Final

from cartagena.rules.actions import Kind, action_of
from cartagena.words.naming import Names

ADVICE: Final = {
    Kind.PLAY: "advice.play",
    Kind.RETREAT: "advice.retreat",
    Kind.PUSH: "advice.push",
    Kind.SAIL: "advice.sail",
    Kind.CAPTAIN_SAIL: "advice.captain_sail",
    Kind.TRIM: "advice.trim",
    Kind.END_TURN: "advice.end_turn",
}
"""The key of each kind of choice."""


def advice(names: Names, code: int) -> str:
    """What a code says, as a suggestion."""
    action = action_of(names.ruleset.family, code)
    assert action is not None, f"{code} is a choice of {names.ruleset.family}"
    named: dict[str, str] = {}
    if action.card is not None:
        named["card"] = names.card_with_article(action.card)
    if action.crew is not None:
        named["crew"] = names.crew(action.crew)
    if action.place is not None:
        named["place"] = names.from_place(action.place)
    return names.words.say(ADVICE[action.kind], **named)


def tip_words(names: Names, codes: tuple[int, ...], chance: float) -> str:
    """What the seat to act might do, in this order, and its chance to win with that."""
    actions = ", ".join(advice(names, code) for code in codes)
    return names.words.say("terminal.tip", actions=actions, chance=round(100 * chance))
