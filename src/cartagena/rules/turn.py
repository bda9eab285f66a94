"""The turn: who is next, and forced passes."""

from mypy_extensions import i64

from cartagena.rules.crew import Crew
from cartagena.rules.families.table import rules_of
from cartagena.rules.happenings import Dead, Passed, Quiet, TurnEnded
from cartagena.rules.position import DEAD, NOBODY, OVER, QUIET, Position
from cartagena.rules.refusals import Refusal

# Endings without all pirates of a crew home: dead positions (stalemate), and too many quiet rounds.


def is_dead(position: Position) -> bool:
    """R6.7, R6.8, R6.10: whether nobody can ever act again."""
    return rules_of(position).is_dead(position)


def end_dead(position: Position) -> None:
    """R6.11, R6.12: a dead game has no winner, unless most pirates home decide and one crew leads."""
    winner: i64 = NOBODY
    if position.ruleset.stalemate == "most_home":
        winner = leader(position)
    position.finish(DEAD, winner)
    if position.told is not None:
        position.told.append(Dead(None if winner == NOBODY else winner))


def leader(position: Position) -> i64:
    """The seat with most pirates home, NOBODY when it shares that number."""
    most = max([crew.home for crew in position.crews])
    leaders = [seat for seat, crew in enumerate(position.crews) if crew.home == most]
    return leaders[0] if len(leaders) == 1 else NOBODY


def quiet_rounds(position: Position) -> i64:
    """R6.13: how many full rounds have gone since a seat last had more pirates home than ever before."""
    return (position.turn - position.last_progress) // len(position.crews)


def is_quiet(position: Position) -> bool:
    """R6.14: whether the game has gone on too long without progress."""
    limit = position.ruleset.quiet_rounds
    return limit > 0 and quiet_rounds(position) >= limit


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
    position.seat = (ended + 1) % len(position.crews)
    position.mover = position.crews[position.seat]
    position.actions_used = 0
    position.crossing_open = rules_of(position).opens_crossing(position, position.mover)
    if position.told is not None:
        position.told.append(TurnEnded(ended, position.seat))
