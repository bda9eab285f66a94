"""The wish table as JSON, written straight from the engine: byte for byte a WishesMessage, but sooner."""

from typing import Final

from cartagena.messages.view_json import QUOTED, listed, numbers
from cartagena.rules.actions import Action, action_of
from cartagena.rules.codes import CODES
from cartagena.rules.escape import refusal_of_retreat
from cartagena.rules.explain import Explanation, Run, explanations, refused
from cartagena.rules.places import START
from cartagena.rules.play import legal
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal


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
        f"{'' if position.in_nest else _retreat_from_start(position)}}}"
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
    family: {
        code: _head(family, code, action)
        for code in range(CODES[family])
        if (action := action_of(family, code)) is not None
    }
    for family in QUOTED
}
_REASONS: Final = {reason.value: f'{{"code":"{reason.code}","rule":"{reason.rule}"' for reason in Refusal}
"""How a refusal begins, by the value of its reason."""
