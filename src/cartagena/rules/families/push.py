"""Pushing: a pirate of another crew goes ahead, and the seat draws for the company that it will have."""

from mypy_extensions import i64

from cartagena.rules.board import ISLAND_ONE
from cartagena.rules.choices import Choices
from cartagena.rules.codes import (
    FIRST_PUSH,
)
from cartagena.rules.crew import Crew
from cartagena.rules.draw import draw
from cartagena.rules.families.islands import LEG_ONE, SLOOP_BIT, move, refusal_to_walk, walkers
from cartagena.rules.families.sloop import (
    may_board,
)
from cartagena.rules.places import PLACES, SLOOP, above, behind_last, lowest
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal


def target_of_push(position: Position, crew: Crew, start: i64) -> i64:
    """R11.3 to R11.9: the first space ahead on this island with one or two pirates, else the sloop.

    The answer is a set of one place, or none; never the nest.
    """
    company = position.crowd.company() & above(start)
    if start >= SLOOP:
        return lowest(company)
    company &= ISLAND_ONE
    if company:
        return lowest(company)
    return SLOOP_BIT if may_board(crew, position.dock) else 0


def sources_of_pushes(position: Position, crew: Crew, dock: i64) -> i64:
    """The places from which a pirate of the crew can be pushed."""
    sources = walkers(crew, dock)
    company = position.crowd.company()
    on_leg_one: i64 = LEG_ONE
    if not may_board(crew, dock):
        on_leg_one = behind_last(company & ISLAND_ONE)
    return sources & (on_leg_one | (behind_last(company & ~LEG_ONE) & ~LEG_ONE))


def list_pushes(position: Position, choices: Choices) -> None:
    """Add the pushes of every other crew."""
    line: i64 = FIRST_PUSH
    for crew in position.crews:
        if crew is not position.mover:
            choices.add_line(line, sources_of_pushes(position, crew, position.dock))
        line += PLACES


def refusal_of_push(position: Position, crew_number: i64, start: i64) -> Refusal | None:
    """R11.1, R11.2, R11.8, R11.9: why not push a pirate of that crew."""
    if crew_number >= len(position.crews):
        return Refusal.NO_SUCH_CREW
    if crew_number == position.seat:
        return Refusal.OWN_PIRATE
    crew = position.crews[crew_number]
    reason = refusal_to_walk(position, crew, start)
    if reason is not None:
        return reason
    if target_of_push(position, crew, start):
        return None
    return Refusal.NO_COMPANY_AHEAD if start >= SLOOP else Refusal.NO_PUSH_ABOARD


def push(position: Position, crew_number: i64, start: i64) -> None:
    """R11.1: another crew's pirate goes ahead, and the seat draws its reward."""
    target = target_of_push(position, position.crews[crew_number], start)
    reward = reward_of_push(position, target)
    move(position, crew_number, start, target)
    draw(position, reward)


def reward_of_push(position: Position, target: i64) -> i64:
    """R11.10, R11.11: a card for each pirate that the pushed one will join, two for the sloop."""
    if target == SLOOP_BIT:
        return 2
    return position.crowd.count(target)
