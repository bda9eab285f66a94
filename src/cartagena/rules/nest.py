"""The Pirate's Nest: playing a card, pushing others, sailing, and the freebooter."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.board import ISLAND_ONE, SLOOP
from cartagena.rules.codes import (
    CAPTAIN_SAIL,
    END_TURN,
    FIRST_PLAY,
    FIRST_PUSH,
    FIRST_TRIM,
    NEST_CARDS,
    NEST_CODES,
    PLACES,
    SAIL,
    line_of,
    place_in,
)
from cartagena.rules.crew import Crew
from cartagena.rules.draw import draw
from cartagena.rules.happenings import Moved, Played, Sailed, TrimDue, Trimmed, TrimShown, Won
from cartagena.rules.places import HOME, HOME_BIT, above, behind_last, bit, lowest, place_of
from cartagena.rules.position import ACT, OVER, TRIM, Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import ACTIONS_PER_TURN, GOLD

SLOOP_BIT: Final = 1 << 15
SLOOP_LIMIT: Final = 3
HAND_LIMIT: Final = 7
LEG_ONE: Final = SLOOP_BIT - 1
"""The start and island one: whoever stands here walks to the sloop."""


# Where pirates can go.


def walkers(crew: Crew, dock: i64) -> i64:
    """The places from which a crew's pirates can walk on; the sloop only when it lies at island two."""
    return crew.walkers() | SLOOP_BIT if crew.aboard and dock == 2 else crew.walkers()


def may_board(crew: Crew, dock: i64) -> bool:
    """Whether the sloop waits at island one and has room for one more of the crew."""
    return dock == 1 and crew.aboard < SLOOP_LIMIT


def target_of_play(position: Position, crew: Crew, sign: i64, start: i64) -> i64:
    """The first vacant space of the sign ahead on this island, else the sloop or the nest; as a set of one."""
    vacant = position.board.roads[sign].spaces & ~position.crowd.first & above(start)
    if start >= SLOOP:
        return lowest(vacant) if vacant else HOME_BIT
    vacant &= ISLAND_ONE
    if vacant:
        return lowest(vacant)
    return SLOOP_BIT if may_board(crew, position.dock) else 0


def target_of_push(position: Position, crew: Crew, start: i64) -> i64:
    """The first space ahead on this island with one or two pirates, else the sloop, never the nest."""
    company = position.crowd.company() & above(start)
    if start >= SLOOP:
        return lowest(company)
    company &= ISLAND_ONE
    if company:
        return lowest(company)
    return SLOOP_BIT if may_board(crew, position.dock) else 0


def sources_of_plays(position: Position, crew: Crew, sign: i64, dock: i64) -> i64:
    """The places from which a card of the sign takes a pirate of the crew somewhere."""
    sources = walkers(crew, dock)
    if may_board(crew, dock):
        return sources
    vacant = position.board.roads[sign].spaces & ~position.crowd.first & ISLAND_ONE
    return sources & (behind_last(vacant) | ~LEG_ONE)


def sources_of_pushes(position: Position, crew: Crew, dock: i64) -> i64:
    """The places from which a pirate of the crew can be pushed."""
    sources = walkers(crew, dock)
    company = position.crowd.company()
    on_leg_one = LEG_ONE if may_board(crew, dock) else behind_last(company & ISLAND_ONE)
    return sources & (on_leg_one | (behind_last(company & ~LEG_ONE) & ~LEG_ONE))


def somebody_moves(position: Position, dock: i64) -> bool:
    """Whether any seat could play or push if the sloop lay at this dock."""
    for crew in position.crews:
        if has_move(position, crew, dock):
            return True
    return False


def has_move(position: Position, crew: Crew, dock: i64) -> bool:
    """Whether a crew could play a card or push somebody."""
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


def has_action(position: Position, crew: Crew) -> bool:
    """Whether a crew could play, push or sail if it were its turn."""
    return refusal_of_sail(position, crew) is None or has_move(position, crew, position.dock)


def dead(position: Position) -> bool:
    """Whether no seat can play or push, at this dock or at the other one if anybody can cross."""
    if somebody_moves(position, position.dock):
        return False
    for crew in position.crews:
        if may_cross(position, crew):
            return not somebody_moves(position, 3 - position.dock)
    return True


# The sloop and its captain.


def is_captain(position: Position, crew: Crew) -> bool:
    """Whether nobody has more pirates aboard than this crew."""
    if not crew.aboard and position.ruleset.captain_needs_aboard:
        return False
    for other in position.crews:
        if other.aboard > crew.aboard:
            return False
    return True


def refusal_of_sail(position: Position, crew: Crew) -> Refusal | None:
    """Why a crew may not sail: over needs a pirate of its own aboard, back one on island one."""
    if position.dock == 1:
        return None if crew.aboard else Refusal.NOBODY_ABOARD
    if crew.first & ISLAND_ONE or (crew.at_start and position.ruleset.start_is_island1):
        return None
    return Refusal.NOBODY_ON_ISLAND_ONE


def may_cross(position: Position, crew: Crew) -> bool:
    """Whether a crew could cross, paying for it or as captain."""
    if refusal_of_sail(position, crew) is None:
        return True
    return not position.ruleset.captain_needs_precondition and is_captain(position, crew)


def refusal_of_captain_sail(position: Position) -> Refusal | None:
    """Why the free crossing is not possible."""
    if position.actions_used:
        return Refusal.CROSSING_CLOSED
    if not position.crossing_open:
        return Refusal.CROSSING_CLOSED if is_captain(position, position.mover) else Refusal.NOT_CAPTAIN
    if position.ruleset.captain_needs_precondition:
        return refusal_of_sail(position, position.mover)
    return None


# What a seat may do.


def legal(position: Position) -> list[int]:
    """The codes of everything the seat to act may do now, in ascending order."""
    if position.phase == TRIM:
        crew = position.crews[position.trimmer]
        return [FIRST_TRIM + card for card in range(NEST_CARDS) if crew.holds(card)]
    crew = position.mover
    codes: list[int] = []
    if position.actions_used or position.ruleset.pass_allowed or not has_action(position, crew):
        codes.append(END_TURN)
    if position.actions_used < ACTIONS_PER_TURN and refusal_of_sail(position, crew) is None:
        codes.append(SAIL)
    if refusal_of_captain_sail(position) is None:
        codes.append(CAPTAIN_SAIL)
    if position.actions_used < ACTIONS_PER_TURN:
        list_plays(position, crew, codes)
        list_pushes(position, codes)
    return codes


def list_plays(position: Position, crew: Crew, codes: list[int]) -> None:
    """Add the plays, plain cards first."""
    card: i64 = 0
    while card < NEST_CARDS:
        if crew.holds(card):
            sign = card - GOLD if card >= GOLD else card
            add_codes(codes, FIRST_PLAY + PLACES * card, sources_of_plays(position, crew, sign, position.dock))
        card += 1


def list_pushes(position: Position, codes: list[int]) -> None:
    """Add the pushes of every other crew."""
    line: i64 = FIRST_PUSH
    for crew in position.crews:
        if crew is not position.mover:
            add_codes(codes, line, sources_of_pushes(position, crew, position.dock))
        line += PLACES


def add_codes(codes: list[int], line: i64, places: i64) -> None:
    """Add the codes of one line, one for each place of a set."""
    while places:
        space = places & -places
        codes.append(line + place_of(space))
        places ^= space


def refusal(position: Position, code: i64) -> Refusal | None:
    """Why the seat to act may not do as the code says; None if it may."""
    if code >= NEST_CODES:
        return Refusal.NO_SUCH_ACTION
    line = line_of(code)
    if FIRST_TRIM <= code < FIRST_TRIM + NEST_CARDS:
        return refusal_of_trim(position, code - FIRST_TRIM)
    if position.phase == TRIM:
        return Refusal.TRIM_FIRST
    if code == CAPTAIN_SAIL:
        return refusal_of_captain_sail(position)
    if not line and code != SAIL:
        return Refusal.NO_SUCH_ACTION
    if position.actions_used == ACTIONS_PER_TURN:
        return Refusal.NO_ACTIONS_LEFT
    if code == SAIL:
        return refusal_of_sail(position, position.mover)
    if code < FIRST_PUSH:
        return refusal_of_play(position, line - 1, place_in(code))
    return refusal_of_push(position, line - 1 - NEST_CARDS, place_in(code))


def refusal_of_play(position: Position, card: i64, start: i64) -> Refusal | None:
    """Why not this card for that pirate."""
    crew = position.mover
    if not crew.holds(card):
        return Refusal.CARD_NOT_HELD
    reason = refusal_to_walk(position, crew, start)
    if reason is not None:
        return reason
    sign = card - GOLD if card >= GOLD else card
    if target_of_play(position, crew, sign, start):
        return None
    return Refusal.SLOOP_AWAY if position.dock == 2 else Refusal.SLOOP_FULL


def refusal_of_push(position: Position, crew_number: i64, start: i64) -> Refusal | None:
    """Why not push a pirate of that crew."""
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
    if start >= SLOOP:
        return Refusal.NO_COMPANY_AHEAD
    return Refusal.SLOOP_AWAY if position.dock == 2 else Refusal.SLOOP_FULL


def refusal_to_walk(position: Position, crew: Crew, start: i64) -> Refusal | None:
    """Why no pirate of the crew can set out from a place."""
    if start == HOME:
        return Refusal.PIRATE_IS_HOME
    if walkers(crew, position.dock) & bit(start):
        return None
    if start == SLOOP and crew.aboard:
        return Refusal.SLOOP_NOT_ACROSS
    return Refusal.NO_PIRATE_THERE


def refusal_of_trim(position: Position, card: i64) -> Refusal | None:
    """Why not lay down this card."""
    if position.phase != TRIM:
        return Refusal.NOTHING_TO_TRIM
    return None if position.crews[position.trimmer].holds(card) else Refusal.CARD_NOT_HELD


# What happens.


def act(position: Position, code: i64) -> None:
    """Do what a legal code says."""
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


def play(position: Position, card: i64, start: i64) -> None:
    """The card goes to the discards, the pirate ahead; a gold card calls the freebooter."""
    crew = position.mover
    sign = card - GOLD if card >= GOLD else card
    target = target_of_play(position, crew, sign, start)
    position.lay_down(position.seat, card)
    if position.told is not None:
        position.told.append(Played(position.seat, card))
    move(position, position.seat, start, target)
    if position.phase != OVER and card >= GOLD:
        call_freebooter(position)


def push(position: Position, crew_number: i64, start: i64) -> None:
    """Another crew's pirate goes to company; the seat draws a card for each one it finds, two for the sloop."""
    target = target_of_push(position, position.crews[crew_number], start)
    reward: i64 = 2 if target == SLOOP_BIT else position.crowd.count(target)
    move(position, crew_number, start, target)
    draw(position, reward)


def move(position: Position, crew_number: i64, start: i64, target: i64) -> None:
    """A pirate leaves a place for a space, the sloop or the nest."""
    crew = position.crews[crew_number]
    position.lift(crew, start)
    if position.told is not None:
        position.told.append(Moved(position.seat, crew_number, start, place_of(target)))
    if target == HOME_BIT:
        position.welcome_home(crew)
        if position.phase == OVER and position.told is not None:
            position.told.append(Won(position.seat))
    elif target == SLOOP_BIT:
        crew.aboard += 1
    else:
        position.land(crew, target)


def sail(position: Position, *, free: bool) -> None:
    """The sloop crosses with everybody aboard."""
    position.dock = 3 - position.dock
    if position.told is not None:
        position.told.append(Sailed(position.seat, position.dock, free))


# The freebooter.


def surplus(crew: Crew) -> i64:
    """How many cards a crew holds beyond the limit."""
    size = crew.hand_size()
    return size - HAND_LIMIT if size > HAND_LIMIT else 0


def call_freebooter(position: Position) -> None:
    """Every seat with too many cards must trim, beginning with the one whose turn it is."""
    position.trimmer = position.seat
    if not find_trimmer(position):
        return
    position.phase = TRIM
    position.barriers += 1
    if position.told is not None:
        position.told.append(TrimDue(tuple([surplus(crew) for crew in position.crews])))


def find_trimmer(position: Position) -> bool:
    """Go clockwise to the next seat that has too many cards; False if there is none."""
    for _ in position.crews:
        if surplus(position.crews[position.trimmer]):
            return True
        position.trimmer = (position.trimmer + 1) % len(position.crews)
    return False


def trim(position: Position, card: i64) -> None:
    """The chosen card lies face down; when the last one is chosen, all are shown and discarded."""
    seat = position.trimmer
    position.crews[seat].give(card)
    position.trimmed.append(16 * seat + card)
    position.barriers += 1
    if position.told is not None:
        position.told.append(Trimmed(seat, card))
    if not find_trimmer(position):
        show_trimmed(position)


def show_trimmed(position: Position) -> None:
    """The trimmed cards join the discards in the order they were chosen."""
    chosen = position.trimmed
    position.trimmed = []
    position.phase = ACT
    for choice in chosen:
        position.discard_card(choice // 16, choice % 16)
    if position.told is not None:
        position.told.append(TrimShown(tuple([(choice // 16, choice % 16) for choice in chosen])))
