"""The islands of the Nest: which places a crew's pirates can leave, and going from one place to another."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.crew import Crew
from cartagena.rules.families.sloop import DOCK_TWO
from cartagena.rules.happenings import Moved
from cartagena.rules.places import HOME, HOME_BIT, SLOOP, bit, place_of
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal

SLOOP_BIT: Final = 1 << 15
LEG_ONE: Final = SLOOP_BIT - 1
"""The start and island one: a pirate that stands here walks to the sloop."""


def walkers(crew: Crew, dock: i64) -> i64:
    """R10.1, R10.11, R10.12, R11.2: the places a crew's pirates can leave; the sloop only at dock two."""
    return crew.walkers() | SLOOP_BIT if crew.aboard and dock == DOCK_TWO else crew.walkers()


def refusal_to_walk(position: Position, crew: Crew, start: i64) -> Refusal | None:
    """R10.1, R10.11, R10.12: why no pirate of the crew can leave a place."""
    if start == HOME:
        return Refusal.NEST_PIRATE_IS_HOME
    if walkers(crew, position.dock) & bit(start):
        return None
    if start == SLOOP and crew.aboard:
        return Refusal.SLOOP_NOT_ACROSS
    return Refusal.NEST_NO_PIRATE_THERE


def move(position: Position, crew_number: i64, start: i64, target: i64) -> None:
    """A pirate leaves a place for a space, the sloop or the nest."""
    crew = position.crews[crew_number]
    position.lift(crew, start)
    if position.told is not None:
        position.told.append(Moved(position.seat, crew_number, start, place_of(target)))
    if target == HOME_BIT:
        position.welcome_home(crew)
    elif target == SLOOP_BIT:
        crew.aboard += 1
    else:
        position.land(crew, target)
