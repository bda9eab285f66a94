"""The turn: who is next, and forced passes."""

from cartagena.rules.crew import Crew
from cartagena.rules.endings import end_dead, is_dead, is_quiet, quiet_rounds
from cartagena.rules.families.table import rules_of
from cartagena.rules.happenings import Passed, Quiet, TurnEnded
from cartagena.rules.position import NOBODY, OVER, QUIET, Position
from cartagena.rules.refusals import Refusal


def has_action(position: Position, crew: Crew) -> bool:
    """Whether a crew could do anything that counts as an action if it were its turn."""
    return rules_of(position).has_action(position, crew)


def refusal_of_end_turn(position: Position) -> Refusal | None:
    """R2.7, R2.8, R2.9, R2.10: why the seat may not end its turn: it must act once if it can."""
    if position.actions_used or position.ruleset.pass_allowed or not has_action(position, position.mover):
        return None
    return Refusal.MUST_ACT


def end_turn(position: Position) -> None:
    """R2.11, R2.12, R2.13, R12.12: the turn passes on, over every seat that can do nothing."""
    if not position.actions_used and position.told is not None:
        position.told.append(Passed(position.seat, must_pass(position)))
    pass_on(position)
    while position.phase != OVER and must_pass(position):
        if position.told is not None:
            position.told.append(Passed(position.seat, forced=True))
        pass_on(position)


def must_pass(position: Position) -> bool:
    """R2.13: whether ending the turn is the only choice of a seat that has not acted in it."""
    rules = rules_of(position)
    return not (rules.has_action(position, position.mover) or rules.may_cross_free(position))


def pass_on(position: Position) -> None:
    """R6.6: end the game if it is dead or too quiet; else the turn goes to the next seat."""
    if is_dead(position):
        end_dead(position)
    elif is_quiet(position):
        position.finish(QUIET, NOBODY)
        if position.told is not None:
            position.told.append(Quiet(quiet_rounds(position)))
    else:
        next_seat(position)


def next_seat(position: Position) -> None:
    """R2.1, R2.14: the next seat clockwise begins its turn."""
    ended = position.seat
    position.turn += 1
    # A division would take longer than all the rest.
    position.seat = ended + 1
    if position.seat == len(position.crews):
        position.seat = 0
    position.mover = position.crews[position.seat]
    position.actions_used = 0
    position.crossing_open = rules_of(position).opens_crossing(position, position.mover)
    if position.told is not None:
        position.told.append(TurnEnded(ended, position.seat))
