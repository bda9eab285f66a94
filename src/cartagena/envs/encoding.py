"""The encoding: what a seat may see of a position, and what it may choose, as bytes.

Compiled like the rules, because an environment encodes every position it shows. It reads the truth for
speed; a test holds it to the law of views: it writes the same for every world that fits the seat's view.
"""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.board import Board, place_of_space
from cartagena.rules.codes import NEST_CARDS, codes_of
from cartagena.rules.crew import Crew, tally
from cartagena.rules.families.freebooter import surplus
from cartagena.rules.hidden.knowledge import hand_is_seen, order_is_public
from cartagena.rules.places import HOME, PLACES, SLOOP, START, lowest, place_of
from cartagena.rules.play import legal
from cartagena.rules.position import OVER, TRIM, WON, Position
from cartagena.rules.ruleset import GOLD, SIGNS

NOWHERE: Final = -1
"""Stands for the first byte of a field that the table does not have."""

MOST_QUIET: Final = 65535
"""The most quiet turns that two bytes hold; only a ruleset without a limit of quiet rounds gets there."""


class Encoder:
    """Writes observations of one kind of table, given the first byte of each field and their whole size."""

    def __init__(self, first: dict[str, int], size: i64, family: str) -> None:
        self.first = first
        self.size = size
        self.family = family
        self.kinds: i64 = NEST_CARDS if "dock" in first else len(SIGNS[family])
        self.seat: i64 = first["seat"]
        self.pirates: i64 = first["pirates"]
        self.most_home: i64 = first["most_home"]
        self.hands: i64 = first["hands"]
        self.hand_sizes: i64 = first["hand_sizes"]
        self.row: i64 = first.get("row", NOWHERE)
        self.stock_size: i64 = first["stock_size"]
        self.discard: i64 = first["discard"]
        self.turn_seat: i64 = first["turn_seat"]
        self.to_act: i64 = first["to_act"]
        self.actions_used: i64 = first["actions_used"]
        self.quiet_turns: i64 = first["quiet_turns"]
        self.ending: i64 = first["ending"]
        self.winner: i64 = first["winner"]
        self.dock: i64 = first.get("dock", NOWHERE)
        self.crossing_open: i64 = first.get("crossing_open", NOWHERE)
        self.surplus: i64 = first.get("surplus", NOWHERE)
        self.trimmed: i64 = first.get("trimmed", NOWHERE)
        self.trimmed_sizes: i64 = first.get("trimmed_sizes", NOWHERE)
        self.stock_order: i64 = first.get("stock_order", NOWHERE)
        self.discard_order: i64 = first.get("discard_order", NOWHERE)
        self.board: Board | None = None
        self.blank: bytes = b""

    def __reduce__(self) -> tuple[object, ...]:
        return Encoder, (self.first, self.size, self.family)

    def encode(self, position: Position, seat: i64) -> bytearray:
        """What the seat sees, and behind it a byte for each code: 1 if the seat may choose it now."""
        if position.board is not self.board:
            self.lay(position)
        written = bytearray(self.blank)
        written[self.seat + seat] = 1
        self.write_crews(written, position, seat)
        self.write_piles(written, position)
        self.write_turn(written, position, seat)
        if self.dock != NOWHERE:
            self.write_nest(written, position, seat)
        if self.stock_order != NOWHERE:
            self.write_orders(written, position, seat)
        if position.phase == OVER:
            self.write_end(written, position, seat)
        elif position.to_act == seat:
            for code in legal(position):
                written[self.size + code] = 1
        return written

    def lay(self, position: Position) -> None:
        """Write the signs once: they stay the same for a whole game."""
        board = position.board
        blank = bytearray(self.size + codes_of(position.ruleset))
        width = len(SIGNS[self.family])
        for number in range(len(board.signs)):
            place = place_of_space(self.family, number + 1)
            blank[self.first["signs"] + width * place + board.signs[number]] = 1
        self.blank = bytes(blank)
        self.board = board

    def write_crews(self, written: bytearray, position: Position, seat: i64) -> None:
        """Where every crew stands and what it holds, the seat's own crew first."""
        seats: i64 = len(position.crews)
        others_seen = hand_is_seen(position, (seat + 1) % seats, seat)
        number: i64 = 0
        while number < seats:
            crew = position.crews[(seat + number) % seats]
            write_pirates(written, self.pirates + PLACES * number, crew)
            written[self.most_home + number] = crew.most_home
            written[self.hand_sizes + number] = crew.hand_size()
            if number == 0 or others_seen:
                write_cards(written, self.hands + self.kinds * number, crew.hand, crew.gold)
            number += 1

    def write_piles(self, written: bytearray, position: Position) -> None:
        """Row, stock and discard."""
        if self.row != NOWHERE:
            write_order(written, self.row, self.kinds, position.order, position.row_head, position.stock_top)
        written[self.stock_size] = position.stock_size
        plain, gold = tally(position.discard)
        write_cards(written, self.discard, plain, gold)

    def write_turn(self, written: bytearray, position: Position, seat: i64) -> None:
        """Whose turn it is, who is to act, and how far the turn and the quiet have gone."""
        seats: i64 = len(position.crews)
        written[self.turn_seat + (position.seat - seat + seats) % seats] = 1
        to_act: i64 = position.to_act
        if to_act >= 0:
            written[self.to_act + (to_act - seat + seats) % seats] = 1
        written[self.actions_used] = position.actions_used
        quiet = quiet_turns(position)
        written[self.quiet_turns] = quiet & 255
        written[self.quiet_turns + 1] = quiet >> 8

    def write_end(self, written: bytearray, position: Position, seat: i64) -> None:
        """How the game ended, and for whom."""
        seats: i64 = len(position.crews)
        written[self.ending + position.ending - WON] = 1
        if position.winner >= 0:
            written[self.winner + (position.winner - seat + seats) % seats] = 1

    def write_nest(self, written: bytearray, position: Position, seat: i64) -> None:
        """The sloop of the Nest, and the trim while there is one; R7.9: a seat knows only its own cards."""
        written[self.dock] = position.dock
        written[self.crossing_open] = 1 if position.crossing_open else 0
        if position.phase != TRIM:
            return
        seats: i64 = len(position.crews)
        for number in range(seats):
            written[self.surplus + number] = surplus(position.crews[(seat + number) % seats])
        for choice in position.trimmed:
            written[self.trimmed_sizes + (choice // 16 - seat + seats) % seats] += 1
            if choice // 16 == seat:
                written[self.trimmed + choice % 16] += 1

    def write_orders(self, written: bytearray, position: Position, seat: i64) -> None:
        """R7.12: where the discard is turned over, its order is known, and then that of the stock."""
        if order_is_public(position, position.renewals):
            order = position.order
            write_order(written, self.stock_order, self.kinds, order, position.stock_top, len(order))
        chosen = [choice % 16 if choice // 16 == seat else self.kinds for choice in position.trimmed]
        order = bytes(position.discard + chosen)
        write_order(written, self.discard_order, self.kinds + 1, order, 0, len(order))


def quiet_turns(position: Position) -> i64:
    """R7.2: how many turns in a row have ended without progress, as far as two bytes can tell."""
    running = position.phase != OVER or position.ending == WON
    quiet = position.turn - position.last_progress - (1 if running else 0)
    return min(max(quiet, 0), MOST_QUIET)


def write_pirates(written: bytearray, first: i64, crew: Crew) -> None:
    """How many pirates of a crew stand on each place."""
    written[first + START] = crew.at_start
    if crew.aboard:
        written[first + SLOOP] = crew.aboard
    written[first + HOME] = crew.home
    write_places(written, first, crew.first, 1)
    write_places(written, first, crew.second, 2)
    write_places(written, first, crew.third, 3)


def write_places(written: bytearray, first: i64, places: i64, number: i64) -> None:
    """Write that each place of a set holds `number` pirates."""
    while places:
        place = lowest(places)
        written[first + place_of(place)] = number
        places ^= place


def write_cards(written: bytearray, first: i64, plain: i64, gold: i64) -> None:
    """How many cards of each kind there are, packed as hands pack them."""
    kind = first
    while plain:
        written[kind] = plain & 255
        plain >>= 8
        kind += 1
    kind = first + GOLD
    while gold:
        written[kind] = gold & 1
        gold >>= 1
        kind += 1


def write_order(written: bytearray, first: i64, width: i64, cards: bytes, head: i64, end: i64) -> None:
    """Write cards one after the other; for each, the byte of its kind is 1."""
    while head < end:
        written[first + cards[head]] = 1
        first += width
        head += 1
