"""Explanations and the wish table: what each choice would do, or why it is refused."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from mypy_extensions import i64

from cartagena.rules.actions import ACTIONS, Action, Kind
from cartagena.rules.codes import (
    FIRST_PLAY,
    FIRST_PUSH,
    FIRST_TRIM,
    codes_of,
    decline_code,
    line_of,
    place_in,
    play_code,
    push_code,
)
from cartagena.rules.crew import Crew
from cartagena.rules.families.retreat import refusal_of_retreat
from cartagena.rules.families.table import rules_of
from cartagena.rules.legality import advance, refusal
from cartagena.rules.places import HOME, START, above, below, bit, place_of, places_in
from cartagena.rules.position import WON, Bookmark, Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import GOLD

Run: TypeAlias = tuple[int, int]
"""Neighbouring codes, from the first to the last."""


class Explanation(NamedTuple):
    """What a legal choice would do, without giving away a hidden card.

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


class Wish(NamedTuple):
    """One line of the wish table: an action and what would come of it, or the reason why not."""

    action: Action
    explanation: Explanation | None
    refusal: Refusal | None


def explain(position: Position, code: int) -> Explanation:
    """What a legal choice would do; raises IllegalAction if it is refused."""
    after = position.copy()
    advance(after, code)
    return _explanation(position, after, code)


def explanations(position: Position, codes: Iterable[int]) -> list[Explanation]:
    """What each of several legal choices would do; raises IllegalAction if one is refused."""
    # One copy serves all: it tries a choice, and goes back.
    trial = position.copy()
    moment = Bookmark(trial)
    explained = []
    for code in codes:
        advance(trial, code)
        explained.append(_explanation(position, trial, code))
        moment.restore(trial)
    return explained


def _explanation(before: Position, after: Position, code: i64) -> Explanation:
    target = rules_of(before).target_of(before, code)
    gains = _gains(before, after) if target and _draws(before, code) else 0
    return Explanation(
        code=code,
        start=place_in(code) if target else None,
        target=place_of(target) if target else None,
        jumped=_jumped(before, code, place_in(code), place_of(target)) if target else (),
        gains=gains,
        cards=before.row()[:gains] if gains else (),
        reveals=after.barriers > before.barriers,
        dock=after.dock if after.dock != before.dock else None,
        wins=after.ending == WON,
    )


def _draws(position: Position, code: i64) -> bool:
    """R4.1, R11.1: whether a choice that moves a pirate brings cards: a retreat or a push."""
    return code >= FIRST_PUSH or (code < FIRST_PLAY and not position.facts.has_crossing)


def _gains(before: Position, after: Position) -> i64:
    """R5.17: the cards that were drawn, and those still to come from what there is when chance has spoken."""
    drawn = after.crews[before.seat].hand_size() - before.mover.hand_size()
    return drawn + min(after.owed, after.row_size + len(after.discard)) if after.owed else drawn


def _jumped(position: Position, code: i64, start: i64, target: i64) -> tuple[int, ...]:
    """The occupied spaces of the card's sign, or the full spaces, between the two ends of a move."""
    if position.facts.is_play(code):
        in_the_way = position.board.roads[(line_of(code) - 1) % GOLD].spaces
    else:
        in_the_way = position.crowd.third
    between = above(start) & below(target) if start < target else above(target) & below(start)
    jumped = in_the_way & between
    return tuple(places_in(jumped)) if jumped else ()


def wishes(position: Position) -> list[Wish]:
    """Every choice that can be named, each with its explanation or its refusal.

    A screen answers every click from it without asking; it is empty when no seat is to act.
    """
    if position.to_act < 0:
        return []
    table = [
        _wish(position, action, code)
        for code, action in ACTIONS[position.ruleset.family].items()
        if code < codes_of(position.ruleset) and (action.crew is None or action.crew < position.seats)
    ]
    if not position.facts.has_crossing:
        from_start = Action(kind=Kind.RETREAT, place=START)
        table.append(Wish(action=from_start, explanation=None, refusal=refusal_of_retreat(position, START)))
    return table


def _wish(position: Position, action: Action, code: int) -> Wish:
    reason = refusal(position, code)
    explanation = explain(position, code) if reason is None else None
    return Wish(action=action, explanation=explanation, refusal=reason)


def refused(position: Position) -> list[tuple[Refusal, list[Run]]]:
    """The refused choices of the wish table by their reason, in runs of codes; each code is in one run."""
    if position.to_act < 0:
        return []
    found: list[tuple[Refusal, list[Run]]] = []
    known: dict[int, list[tuple[Refusal, int, int]]] = {}
    for line, twin, cells in _lines(position):
        if twin not in known:
            known[twin] = _stretches(position, twin, cells)
        for reason, first, last in known[twin]:
            _add_run(_runs_of(reason, found), line + first, line + last)
    return found


def _runs_of(reason: Refusal, found: list[tuple[Refusal, list[Run]]]) -> list[Run]:
    """The runs of a reason. There are a handful, and comparing them is quicker than hashing one."""
    for other, runs in found:
        if other is reason:
            return runs
    found.append((reason, []))
    return found[-1][1]


def _lines(position: Position) -> list[tuple[int, int, list[Run]]]:
    """Each line of codes: its first code, the first code of a line refused for the same reasons, its cells.

    R3.1, R10.1: cards that are not held are refused alike. R3.6: in Cartagena so are those that are held,
    because any card can be played.
    """
    cells = _cells(position, position.mover)
    facts = position.facts
    without_place = (
        [(code, code) for code in range(FIRST_TRIM + facts.cards)] if facts.has_crossing else cells
    )
    lines: list[tuple[int, int, list[Run]]] = [(0, 0, without_place)]
    twins: dict[bool, int] = {}
    for card in range(facts.cards):
        line = play_code(card, START)
        held = position.mover.holds(card)
        lines.append((line, line if held and facts.has_crossing else twins.setdefault(held, line), cells))
    if facts.has_crossing:
        for number, crew in enumerate(position.crews):
            line = push_code(number, START)
            lines.append((line, line, _cells(position, crew)))
    if position.ruleset.may_decline:
        lines.append((decline_code(START), decline_code(START), cells))
    return lines


def _cells(position: Position, crew: Crew) -> list[Run]:
    """The places in travel order, together where no choice for the crew's pirates can tell them apart.

    Those are neighbouring spaces on which none of them stands (R3.1, R4.6, R10.1, R11.2).
    """
    apart = crew.first | bit(START) | bit(HOME) | bit(position.facts.sloop)
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
    """Add a run, joined to the one before if that ends where this begins."""
    if runs and runs[-1][1] == first - 1:
        first = runs.pop()[0]
    runs.append((first, last))
