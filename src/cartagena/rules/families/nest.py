"""The Pirate's Nest: where pirates can go, what a seat may do, and doing it."""

from mypy_extensions import i64

from cartagena.rules.board import ISLAND_ONE
from cartagena.rules.choices import Choices
from cartagena.rules.codes import (
    CAPTAIN_SAIL,
    END_TURN,
    FIRST_PLAY,
    FIRST_PUSH,
    FIRST_TRIM,
    NEST_CARDS,
    NEST_CODES,
    SAIL,
    line_of,
    place_in,
)
from cartagena.rules.crew import Crew, sign_of
from cartagena.rules.families.family import Family
from cartagena.rules.families.freebooter import call_freebooter, refusal_of_trim, trim, trims
from cartagena.rules.families.islands import LEG_ONE, SLOOP_BIT, move, refusal_to_walk, walkers
from cartagena.rules.families.push import (
    list_pushes,
    push,
    refusal_of_push,
    reward_of_push,
    sources_of_pushes,
    target_of_push,
)
from cartagena.rules.families.sloop import (
    DOCK_TWO,
    is_captain,
    may_board,
    may_cross,
    may_sail,
    other_dock,
    refusal_of_captain_sail,
    refusal_of_sail,
    sail,
)
from cartagena.rules.happenings import Played
from cartagena.rules.places import HOME_BIT, PLACES, SLOOP, above, behind_last, bit, lowest, place_of
from cartagena.rules.position import OVER, TRIM, Position
from cartagena.rules.preview import NO_CARD, Foresight, enough_to_draw
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import ACTIONS_PER_TURN, GOLD

# Where pirates can go.


def target_of_play(position: Position, crew: Crew, sign: i64, start: i64) -> i64:
    """R10.4 to R10.10: the first vacant space of the sign ahead on this island, else the sloop or the nest.

    The answer is a set of one place, or none when the pirate cannot board (R10.6).
    """
    vacant = position.board.roads[sign].spaces & ~position.crowd.first & above(start)
    if start >= SLOOP:
        if vacant:
            return lowest(vacant)
        return HOME_BIT
    vacant &= ISLAND_ONE
    if vacant:
        return lowest(vacant)
    return SLOOP_BIT if may_board(crew, position.dock) else 0


def sources_of_plays(position: Position, crew: Crew, sign: i64, dock: i64) -> i64:
    """The places from which a card of the sign takes a pirate of the crew somewhere."""
    sources = walkers(crew, dock)
    if may_board(crew, dock):
        return sources
    vacant = position.board.roads[sign].spaces & ~position.crowd.first & ISLAND_ONE
    return sources & (behind_last(vacant) | ~LEG_ONE)


def somebody_moves(position: Position, dock: i64) -> bool:
    """Whether any seat could play or push if the sloop lay at this dock."""
    for crew in position.crews:
        if has_move(position, crew, dock):
            return True
    return False


def has_move(position: Position, crew: Crew, dock: i64) -> bool:
    """Whether a crew could play a card or push a pirate."""
    signs = crew.hand
    for sign in range(GOLD):
        held = signs & 255 or (crew.gold >> sign) & 1
        if held and sources_of_plays(position, crew, sign, dock):
            return True
        signs >>= 8
    for other in position.crews:
        if other is not crew and sources_of_pushes(position, other, dock):
            return True
    return False


# What a seat may do.


def list_plays(position: Position, crew: Crew, choices: Choices) -> None:
    """Add the plays, plain cards first."""
    line: i64 = FIRST_PLAY
    plain = crew.hand
    for sign in range(GOLD):
        if plain & 255:
            choices.add_line(line, sources_of_plays(position, crew, sign, position.dock))
        plain >>= 8
        line += PLACES
    for sign in range(GOLD):
        if (crew.gold >> sign) & 1:
            choices.add_line(line, sources_of_plays(position, crew, sign, position.dock))
        line += PLACES


def refusal_of_action(position: Position, code: i64) -> Refusal | None:
    """Why not this play, push or sail."""
    if position.actions_used == ACTIONS_PER_TURN:
        return Refusal.NO_ACTIONS_LEFT
    if code == SAIL:
        return refusal_of_sail(position, position.mover)
    if code < FIRST_PUSH:
        return refusal_of_play(position, line_of(code) - 1, place_in(code))
    return refusal_of_push(position, line_of(code) - 1 - NEST_CARDS, place_in(code))


def refusal_of_play(position: Position, card: i64, start: i64) -> Refusal | None:
    """R10.1, R10.2, R10.6, R13.1: why not this card for that pirate."""
    crew = position.mover
    if not crew.holds(card):
        return Refusal.NEST_CARD_NOT_HELD
    reason = refusal_to_walk(position, crew, start)
    if reason is not None:
        return reason
    if target_of_play(position, crew, sign_of(card), start):
        return None
    return Refusal.SLOOP_AWAY if position.dock == DOCK_TWO else Refusal.SLOOP_FULL


# What happens.


def play(position: Position, card: i64, start: i64) -> None:
    """R10.3, R13.1, R13.3: the card goes to the discards, the pirate ahead; gold calls the freebooter."""
    crew = position.mover
    target = target_of_play(position, crew, sign_of(card), start)
    position.lay_down(card)
    if position.told is not None:
        position.told.append(Played(position.seat, card))
    move(position, position.seat, start, target)
    if position.phase != OVER and card >= GOLD:
        call_freebooter(position)


class Nest(Family):
    """The Pirate's Nest."""

    def list_choices(self, position: Position, choices: Choices) -> None:
        """R2.4, R2.5, R12.6: everything the seat to act may do now, in ascending order."""
        if position.phase == TRIM:
            choices.add_line(0, trims(position.crews[position.trimmer]))
            return
        crew = position.mover
        first_line: i64 = 0
        if position.actions_used or position.ruleset.pass_allowed or not self.has_action(position, crew):
            first_line |= bit(END_TURN)
        if position.actions_used < ACTIONS_PER_TURN and may_sail(position, crew):
            first_line |= bit(SAIL)
        # Where the crossing is closed, to find the reason would take longer than all the rest.
        if position.crossing_open and refusal_of_captain_sail(position) is None:
            first_line |= bit(CAPTAIN_SAIL)
        choices.add_line(0, first_line)
        if position.actions_used < ACTIONS_PER_TURN:
            list_plays(position, crew, choices)
            list_pushes(position, choices)

    def refusal(self, position: Position, code: i64) -> Refusal | None:
        """Why the seat to act may not do as the code says; None if it may."""
        if FIRST_TRIM <= code < FIRST_TRIM + NEST_CARDS:
            return refusal_of_trim(position, code - FIRST_TRIM)
        if position.phase == TRIM:
            return Refusal.TRIM_FIRST
        if code == CAPTAIN_SAIL:
            return refusal_of_captain_sail(position)
        if code >= NEST_CODES or (code < FIRST_PLAY and code != SAIL):
            return Refusal.NO_SUCH_ACTION
        return refusal_of_action(position, code)

    def act(self, position: Position, code: i64) -> None:
        """R12.9, R13.9: do what a legal code says; a free crossing and a trim count as no action."""
        if FIRST_TRIM <= code < FIRST_TRIM + NEST_CARDS:
            trim(position, code - FIRST_TRIM)
            return
        position.crossing_open = False
        if code == CAPTAIN_SAIL:
            sail(position, free=True)
            return
        position.actions_used += 1
        if code == SAIL:
            sail(position, free=False)
        elif code < FIRST_PUSH:
            play(position, line_of(code) - 1, place_in(code))
        else:
            push(position, line_of(code) - 1 - NEST_CARDS, place_in(code))

    def has_action(self, position: Position, crew: Crew) -> bool:
        """Whether a crew could play, push or sail if it were its turn."""
        return may_sail(position, crew) or has_move(position, crew, position.dock)

    def opens_crossing(self, position: Position, crew: Crew) -> bool:
        """R12.7, R12.9: the captain does."""
        return is_captain(position, crew)

    def may_cross_free(self, position: Position) -> bool:
        """Whether the captain may cross now."""
        return refusal_of_captain_sail(position) is None

    def is_dead(self, position: Position) -> bool:
        """R6.8, R6.9: whether no seat can play or push, at this dock or at the other if anybody can cross."""
        if somebody_moves(position, position.dock):
            return False
        for crew in position.crews:
            if may_cross(position, crew):
                return not somebody_moves(position, other_dock(position.dock))
        return True

    def walkers(self, crew: Crew, dock: i64) -> i64:
        """The places that pirates of the crew can leave."""
        return walkers(crew, dock)

    def target_of_play(self, position: Position, crew: Crew, sign: i64, start: i64) -> i64:
        """Where a card takes a pirate of the crew."""
        return target_of_play(position, crew, sign, start)

    def target_of(self, position: Position, code: i64) -> i64:
        """Where the pirate that a legal code moves goes, as a set of one; 0 if the code moves none."""
        line, start = line_of(code), place_in(code)
        if not line:
            return 0
        if code < FIRST_PUSH:
            return target_of_play(position, position.mover, sign_of(line - 1), start)
        return target_of_push(position, position.crews[line - 1 - NEST_CARDS], start)

    def foresee(self, position: Position, code: i64, foresight: Foresight) -> bool:
        """Foresee a play of a plain card, or a push whose cards lie ready; gold cards call the freebooter."""
        if code < FIRST_PLAY:
            return False
        number = line_of(code) - 1
        if GOLD <= number < NEST_CARDS:
            return False
        target = self.target_of(position, code)
        foresight.start = place_in(code)
        foresight.target = place_of(target)
        if code < FIRST_PUSH:
            foresight.crew = position.seat
            foresight.card = number
            foresight.draws = 0
            return True
        foresight.crew = number - NEST_CARDS
        foresight.card = NO_CARD
        foresight.draws = reward_of_push(position, target)
        return enough_to_draw(position, foresight.draws)
