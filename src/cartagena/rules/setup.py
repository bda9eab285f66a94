"""Setting up: a new game, or any position laid out by hand."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mypy_extensions import i64

from cartagena.rules.board import Board
from cartagena.rules.crew import Crew, same_cards
from cartagena.rules.draw import lay
from cartagena.rules.families.facts import facts_of
from cartagena.rules.families.table import rules_of
from cartagena.rules.places import HOME, START, bit
from cartagena.rules.position import Position
from cartagena.rules.refusals import Fault, PositionError
from cartagena.rules.ruleset import (
    ACTIONS_PER_TURN,
    CREW_SIZE,
    DECKS,
    FEWEST_SEATS,
    MOST_SEATS,
    SPACE_LIMIT,
    Ruleset,
    ruleset_of,
)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A position spelled out: what lies where, and how far the turn has gone.

    Places are numbers in travel order, cards are card numbers, stock and row are head first, the
    discard pile is oldest first. `crossing_open` None asks the captain's rule.
    """

    ruleset: Ruleset
    board: Board
    pirates: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    row: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    seat: int = 0
    actions_used: int = 0
    dock: int = 1
    crossing_open: bool | None = None
    turn: int = 1
    last_progress: int = 0
    most_home: tuple[int, ...] = field(default=())


def new(
    ruleset: Ruleset | str, board: Board, *, seats: int, order: Sequence[int], first_seat: int = 0
) -> Position:
    """R1.9, R1.12: a new game: all pirates at the start, hands dealt from the top of the order.

    The ruleset is a value or the key of a preset. The dealing begins with seat 0 and each seat gets its
    whole hand at once; then the row is laid (R1.13) and the rest is the stock (R1.14). Any seat may
    begin (R1.15).
    """
    chosen = ruleset_of(ruleset)
    check_table(chosen, board, seats, first_seat)
    if not same_cards(order, DECKS[chosen.family]):
        raise PositionError("the order of a new game names every card of the deck exactly once")
    crews: list[Crew] = []
    dealt: i64 = 0
    for _ in range(seats):
        crew = Crew()
        for card in order[dealt : dealt + chosen.hand_size]:
            crew.take(card)
        crews.append(crew)
        dealt += chosen.hand_size
    position = Position(chosen, board, crews)
    position.order = bytes(order[dealt:])
    position.seat = first_seat
    position.mover = crews[first_seat]
    if chosen.row_length:
        lay(position)
        position.barriers = 0
    position.crossing_open = rules_of(position).opens_crossing(position, position.mover)
    return position


def arrange(layout: Layout) -> Position:
    """The position that a layout describes; raises PositionError if it cannot be.

    Laying out a table triggers nothing: a seat that can only end its turn must do so itself, and a dead
    position ends with that turn.
    """
    check_layout(layout)
    position = Position(layout.ruleset, layout.board, [Crew() for _ in layout.pirates])
    for seat, crew in enumerate(position.crews):
        position.muster(crew, layout.pirates[seat])
        crew.most_home = max(crew.home, layout.most_home[seat]) if layout.most_home else crew.home
        for card in layout.hands[seat]:
            crew.take(card)
    position.order = bytes(layout.row + layout.stock)
    position.stock_top = len(layout.row)
    position.discard = list(layout.discard)
    position.seat = layout.seat
    position.mover = position.crews[layout.seat]
    position.actions_used = layout.actions_used
    position.dock = layout.dock
    position.turn = layout.turn
    position.last_progress = layout.last_progress
    captain = not layout.actions_used and rules_of(position).opens_crossing(position, position.mover)
    if layout.crossing_open and not captain:
        raise PositionError("only a captain that has not acted yet has an open crossing", Fault.CROSSING)
    position.crossing_open = captain if layout.crossing_open is None else layout.crossing_open
    return position


def check_table(ruleset: Ruleset, board: Board, seats: int, seat: int) -> None:
    """R1.2: two to five seats play, one of them is to act, on the board of their game."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise PositionError(
            f"{FEWEST_SEATS} to {MOST_SEATS} seats play, not {seats}",
            Fault.SEATS,
            least=FEWEST_SEATS,
            most=MOST_SEATS,
        )
    if not 0 <= seat < seats:
        raise PositionError(f"there is no seat {seat}", Fault.NO_SUCH_SEAT)
    if board.family != ruleset.family:
        raise PositionError("board and ruleset belong to different games", Fault.OTHER_BOARD)


def check_layout(layout: Layout) -> None:
    """Refuse a table that the rules could never show."""
    check_table(layout.ruleset, layout.board, len(layout.pirates), layout.seat)
    for listed in (layout.hands, layout.most_home or layout.pirates):
        if len(listed) != len(layout.pirates):
            raise PositionError(
                "pirates, hands and most_home each name every seat once", Fault.UNLIKE_LENGTHS
            )
    if not all(0 <= most < CREW_SIZE for most in layout.most_home):
        raise PositionError("no crew ever had all its pirates home, or fewer than none", Fault.MOST_HOME)
    check_turn(layout)
    check_quiet(layout)
    check_pirates(layout)
    check_cards(layout)


def check_turn(layout: Layout) -> None:
    """R2.3, R9.7: at most three actions are used, and the sloop of the Nest lies at one of two docks."""
    if not 0 <= layout.actions_used <= ACTIONS_PER_TURN:
        raise PositionError(
            f"0 to {ACTIONS_PER_TURN} actions are used, not {layout.actions_used}",
            Fault.ACTIONS_USED,
            most=ACTIONS_PER_TURN,
        )
    if not 1 <= layout.dock <= facts_of(layout.ruleset.family).docks:
        raise PositionError(f"there is no dock {layout.dock}", Fault.NO_SUCH_DOCK)
    if not 0 <= layout.last_progress <= layout.turn or layout.turn < 1:
        raise PositionError(
            "turns are counted from 1, and the last progress was made in one of them or none", Fault.TURN
        )


def check_quiet(layout: Layout) -> None:
    """R6.14: a game that has been quiet for too many rounds is over."""
    most = layout.ruleset.quiet_rounds * len(layout.pirates)
    quiet = layout.turn - 1 - layout.last_progress
    if most and quiet >= most:
        raise PositionError(
            f"the game would have ended after {most} turns without progress, and this is turn {layout.turn}: "
            f"let the last progress be in turn {layout.turn - most} or later, or set quiet_rounds to 0",
            Fault.QUIET,
            turns=most,
            turn=layout.turn,
            progress=layout.turn - most,
        )


def check_pirates(layout: Layout) -> None:
    """R1.3, R2.17, R9.9: six pirates in a crew, three on a space, three of a crew aboard in the Nest."""
    standing = Counter(place for places in layout.pirates for place in places)
    facts = facts_of(layout.ruleset.family)
    for crew, places in enumerate(layout.pirates):
        if len(places) != CREW_SIZE or not all(START <= place <= HOME for place in places):
            raise PositionError(
                f"a crew has {CREW_SIZE} pirates on places 0 to {HOME}, not {places}",
                Fault.CREW_SIZE,
                crew=crew,
                pirates=CREW_SIZE,
            )
        if places.count(HOME) == CREW_SIZE:
            raise PositionError(
                "a crew that is all home has won: the game is over", Fault.ALL_HOME, crew=crew
            )
        if facts.has_crossing and places.count(facts.sloop) > facts.aboard_limit:
            raise PositionError(
                f"at most {facts.aboard_limit} pirates of a crew are aboard",
                Fault.ABOARD,
                crew=crew,
                most=facts.aboard_limit,
            )
    for place, number in standing.items():
        if facts.spaces & bit(place) and number > SPACE_LIMIT:
            raise PositionError(
                f"{number} pirates stand on place {place}; there is room for {SPACE_LIMIT}",
                Fault.CROWDED,
                place=place,
                pirates=number,
                most=SPACE_LIMIT,
            )


def check_cards(layout: Layout) -> None:
    """Every card of the deck lies somewhere, and no other."""
    lying = Counter(layout.stock) + Counter(layout.row) + Counter(layout.discard)
    for hand in layout.hands:
        lying += Counter(hand)
    deck = Counter(DECKS[layout.ruleset.family])
    if lying != deck:
        wrong = sorted((lying - deck) + (deck - lying))
        raise PositionError(
            f"hands, row, stock and discards do not make the deck: look for card {wrong[0]}",
            Fault.DECK,
            card=wrong[0],
            lying=lying[wrong[0]],
            cards=deck[wrong[0]],
        )
    if len(layout.row) > layout.ruleset.row_length:
        raise PositionError(
            f"the row has room for {layout.ruleset.row_length} cards",
            Fault.ROW_LENGTH,
            most=layout.ruleset.row_length,
        )
