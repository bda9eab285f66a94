"""The sloop of the Nest: who may sail it, and its captain."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.board import ISLAND_ONE
from cartagena.rules.crew import Crew
from cartagena.rules.families.facts import SLOOP_LIMIT
from cartagena.rules.happenings import Sailed
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal

DOCK_ONE: Final = 1
DOCK_TWO: Final = 2


def may_board(crew: Crew, dock: i64) -> bool:
    """R10.5, R11.7: whether the sloop waits at dock one and has room for one more of the crew."""
    return dock == DOCK_ONE and crew.aboard < SLOOP_LIMIT


def other_dock(dock: i64) -> i64:
    """R12.1: the dock across the sea."""
    return DOCK_ONE + DOCK_TWO - dock


def is_captain(position: Position, crew: Crew) -> bool:
    """R12.7, R12.8: whether nobody has more pirates aboard than this crew."""
    if not crew.aboard and position.ruleset.captain_needs_aboard:
        return False
    for other in position.crews:
        if other.aboard > crew.aboard:
            return False
    return True


def may_sail(position: Position, crew: Crew) -> bool:
    """R12.2, R12.3, R12.4: whether a crew may sail: over needs a pirate aboard, back one on island one."""
    if position.dock == DOCK_ONE:
        return crew.aboard > 0
    return crew.first & ISLAND_ONE != 0 or (crew.at_start > 0 and position.ruleset.start_is_island1)


def refusal_of_sail(position: Position, crew: Crew) -> Refusal | None:
    """Why a crew may not sail."""
    if may_sail(position, crew):
        return None
    return Refusal.NOBODY_ABOARD if position.dock == DOCK_ONE else Refusal.NOBODY_ON_ISLAND_ONE


def may_cross(position: Position, crew: Crew) -> bool:
    """Whether a crew could cross, paying for it or as captain."""
    if may_sail(position, crew):
        return True
    return not position.ruleset.captain_needs_precondition and is_captain(position, crew)


def refusal_of_captain_sail(position: Position) -> Refusal | None:
    """R12.9, R12.10, R12.11: why the free crossing is not possible."""
    if position.actions_used:
        return Refusal.CROSSING_CLOSED
    if not position.crossing_open:
        return Refusal.CROSSING_CLOSED if is_captain(position, position.mover) else Refusal.NOT_CAPTAIN
    if position.ruleset.captain_needs_precondition:
        return refusal_of_sail(position, position.mover)
    return None


def sail(position: Position, *, free: bool) -> None:
    """R12.1, R12.5: the sloop crosses with everybody aboard."""
    position.dock = other_dock(position.dock)
    if position.told is not None:
        position.told.append(Sailed(position.seat, position.dock, free))
