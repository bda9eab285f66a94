"""Explanations and the wish table: what each choice would do, or why it is refused."""

from dataclasses import dataclass

from cartagena.rules import escape
from cartagena.rules.actions import Action, Kind, action_of
from cartagena.rules.codes import CODES
from cartagena.rules.happenings import Drew, Moved, Sailed, Won
from cartagena.rules.places import START, above, below, places_in
from cartagena.rules.play import apply, refusal
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import GOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a legal choice would do, told without giving away a hidden card.

    `jumped` are the places passed because they are taken (play) or full (retreat, push); `gains` is the
    number of cards to come, `cards` those of them that already lie open in the row; `reveals` says that
    the choice turns up something hidden, so that it cannot be undone.
    """

    code: int
    start: int | None = None
    target: int | None = None
    jumped: tuple[int, ...] = ()
    gains: int = 0
    cards: tuple[int, ...] = ()
    reveals: bool = False
    dock: int | None = None
    wins: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One line of the wish table: an action and what would come of it, or the reason why not."""

    action: Action
    explanation: Explanation | None
    refusal: Refusal | None


def explain(position: Position, code: int) -> Explanation:
    """What a legal choice would do; raises IllegalAction if it is refused."""
    after = position.copy()
    told = apply(after, code)
    moved = next((happening for happening in told if isinstance(happening, Moved)), None)
    sailed = next((happening for happening in told if isinstance(happening, Sailed)), None)
    drawn = sum(isinstance(happening, Drew) for happening in told)
    gains = drawn + min(after.owed, after.row_size + len(after.discard))
    return Explanation(
        code=code,
        start=moved.start if moved else None,
        target=moved.target if moved else None,
        jumped=_jumped(position, code, moved) if moved else (),
        gains=gains,
        cards=position.row()[:gains],
        reveals=after.barriers > position.barriers,
        dock=sailed.dock if sailed else None,
        wins=any(isinstance(happening, Won) for happening in told),
    )


def _jumped(position: Position, code: int, moved: Moved) -> tuple[int, ...]:
    """The occupied spaces of the card's sign, or the full spaces, between the two ends of a move."""
    action = action_of(position.ruleset.family, code)
    assert action is not None
    if action.card is not None:
        in_the_way = position.board.roads[action.card % GOLD].spaces
    else:
        in_the_way = position.crowd.third
    first, last = sorted((moved.start, moved.target))
    return tuple(places_in(in_the_way & above(first) & below(last)))


def wishes(position: Position) -> list[Wish]:
    """Every choice that can be named, each with its explanation or its refusal.

    A screen answers every click from it without asking; it is empty when no seat is to act.
    """
    if position.to_act < 0:
        return []
    table = [
        _wish(position, action, code)
        for code in range(CODES[position.ruleset.family])
        if (action := action_of(position.ruleset.family, code)) is not None
        and (action.crew is None or action.crew < position.seats)
    ]
    if not position.in_nest:
        from_start = Action(kind=Kind.RETREAT, place=START)
        table.append(
            Wish(action=from_start, explanation=None, refusal=escape.refusal_of_retreat(position, START))
        )
    return table


def _wish(position: Position, action: Action, code: int) -> Wish:
    reason = refusal(position, code)
    explanation = explain(position, code) if reason is None else None
    return Wish(action=action, explanation=explanation, refusal=reason)
