"""Explanations and the wish table: what each choice would do, or why it is refused."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from cartagena.rules import escape
from cartagena.rules.actions import Action, Kind, action_of
from cartagena.rules.board import SLOOP
from cartagena.rules.codes import (
    CODES,
    FIRST_PLAY,
    FIRST_PUSH,
    FIRST_TRIM,
    NEST_CARDS,
    line_of,
    play_code,
    push_code,
)
from cartagena.rules.crew import Crew
from cartagena.rules.happenings import Drew, Happening, Moved, Sailed, Won
from cartagena.rules.places import HOME, START, above, below, bit, places_in
from cartagena.rules.play import apply, refusal
from cartagena.rules.position import Bookmark, Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import GOLD

Run: TypeAlias = tuple[int, int]
"""Neighbouring codes, from the first to the last."""


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
    return _explanation(position, after, apply(after, code), code)


def explanations(position: Position, codes: Iterable[int]) -> list[Explanation]:
    """What each of several legal choices would do; raises IllegalAction if one is refused."""
    # One copy serves all: it tries a choice, and goes back.
    trial = position.copy()
    moment = Bookmark(trial)
    explained = []
    for code in codes:
        explained.append(_explanation(position, trial, apply(trial, code), code))
        moment.restore(trial)
    return explained


def _explanation(before: Position, after: Position, told: list[Happening], code: int) -> Explanation:
    start = target = dock = None
    gains = min(after.owed, after.row_size + len(after.discard)) if after.owed else 0
    wins = False
    for happening in told:
        if isinstance(happening, Moved):
            start, target = happening.start, happening.target
        elif isinstance(happening, Drew):
            gains += 1
        elif isinstance(happening, Sailed):
            dock = happening.dock
        elif isinstance(happening, Won):
            wins = True
    return Explanation(
        code=code,
        start=start,
        target=target,
        jumped=() if start is None or target is None else _jumped(before, code, start, target),
        gains=gains,
        cards=before.row()[:gains] if gains else (),
        reveals=after.barriers > before.barriers,
        dock=dock,
        wins=wins,
    )


def _jumped(position: Position, code: int, start: int, target: int) -> tuple[int, ...]:
    """The occupied spaces of the card's sign, or the full spaces, between the two ends of a move."""
    if FIRST_PLAY <= code < FIRST_PUSH:
        in_the_way = position.board.roads[(line_of(code) - 1) % GOLD].spaces
    else:
        in_the_way = position.crowd.third
    first, last = (start, target) if start < target else (target, start)
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


def refused(position: Position) -> dict[Refusal, list[Run]]:
    """The refused choices of the wish table by their reason, in runs of codes; each code is in one run."""
    if position.to_act < 0:
        return {}
    runs: dict[Refusal, list[Run]] = {}
    known: dict[int, list[tuple[Refusal, int, int]]] = {}
    for line, twin, cells in _lines(position):
        if twin not in known:
            known[twin] = _stretches(position, twin, cells)
        for reason, first, last in known[twin]:
            _add_run(runs.setdefault(reason, []), line + first, line + last)
    return runs


def _lines(position: Position) -> Iterator[tuple[int, int, list[Run]]]:
    """Each line of codes: its first code, that of a line which is refused alike, and its cells.

    R3.1, R10.1: cards that are not held are refused alike. R3.6: in Cartagena so are those that are held,
    for any card can be played.
    """
    cells = _cells(position, position.mover)
    yield 0, 0, [(code, code) for code in range(FIRST_TRIM + NEST_CARDS)] if position.in_nest else cells
    twins: dict[bool, int] = {}
    for card in range(NEST_CARDS if position.in_nest else len(position.ruleset.signs)):
        line = play_code(card, START)
        held = position.mover.holds(card)
        yield line, line if held and position.in_nest else twins.setdefault(held, line), cells
    if position.in_nest:
        for number, crew in enumerate(position.crews):
            line = push_code(number, START)
            yield line, line, _cells(position, crew)


def _cells(position: Position, crew: Crew) -> list[Run]:
    """The places in travel order, together where no choice for the crew's pirates can tell them apart.

    Those are neighbouring spaces on which none of them stands (R3.1, R4.6, R10.1, R11.2).
    """
    apart = crew.first | bit(START) | bit(HOME) | (bit(SLOOP) if position.in_nest else 0)
    cells = []
    after = START
    for place in places_in(apart):
        if place > after:
            cells.append((after, place - 1))
        cells.append((place, place))
        after = place + 1
    return cells


def _stretches(position: Position, line: int, cells: list[Run]) -> list[tuple[Refusal, int, int]]:
    """The stretches of a line that are refused for one reason, by their first and last number in the line."""
    stretches: list[tuple[Refusal, int, int]] = []
    last_reason = None
    for first, last in cells:
        reason = refusal(position, line + first)
        if reason is not None:
            begun = stretches.pop()[1] if reason is last_reason else first
            stretches.append((reason, begun, last))
        last_reason = reason
    return stretches


def _add_run(runs: list[Run], first: int, last: int) -> None:
    """One run more, joined to the one before if that ends where this begins."""
    if runs and runs[-1][1] == first - 1:
        first = runs.pop()[0]
    runs.append((first, last))
