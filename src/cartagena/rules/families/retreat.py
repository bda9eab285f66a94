"""Retreating: a pirate goes back to company, and its seat draws a card for each pirate found there."""

from mypy_extensions import i64

from cartagena.rules.crew import Crew
from cartagena.rules.draw import draw
from cartagena.rules.happenings import Moved
from cartagena.rules.places import (
    HOME,
    HOME_BIT,
    START,
    ahead_of_first,
    below,
    highest,
    place_of,
)
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal


def target_of_retreat(position: Position, start: i64) -> i64:
    """R4.2, R4.3, R4.4: the nearest space behind with one or two pirates; as a set of one or none."""
    return highest(position.crowd.company() & below(start))


def sources_of_retreats(position: Position, crew: Crew) -> i64:
    """R4.6, R4.7, R4.8, R4.9: the places from which a crew can retreat: those with company behind."""
    sources = crew.first
    if crew.home and position.ruleset.retreat_from_sloop:
        sources |= HOME_BIT
    return sources & ahead_of_first(position.crowd.company())


def refusal_of_retreat(position: Position, start: i64) -> Refusal | None:
    """R4.1, R4.6, R4.7, R4.8: why that pirate may not retreat."""
    if start == START:
        return Refusal.NO_RETREAT_FROM_START
    if not position.mover.stands_on(start):
        return Refusal.RETREAT_NO_PIRATE_THERE
    if start == HOME and not position.ruleset.retreat_from_sloop:
        return Refusal.NO_RETREAT_FROM_SLOOP
    if not target_of_retreat(position, start):
        return Refusal.NO_COMPANY_BEHIND
    return None


def retreat(position: Position, start: i64, *, draws: bool) -> None:
    """R4.1, R4.5, R4.10: the pirate goes back to company, for a card for each pirate it finds there."""
    target = target_of_retreat(position, start)
    found = position.crowd.count(target)
    position.lift(position.mover, start)
    position.land(position.mover, target)
    if position.told is not None:
        position.told.append(Moved(position.seat, position.seat, start, place_of(target)))
    if draws:
        draw(position, found)
