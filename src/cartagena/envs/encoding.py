"""The encoding: what a seat may see of a position, and what it may choose, as bytes.

Compiled like the rules, because an environment encodes every position it shows. It reads the truth for
speed; a test holds it to the law of views: it writes the same for every world that fits the seat's view.

It writes into a `vec` of bytes, at the place it is given: that is a single store in compiled code, and many
observations can lie side by side in one array (docs/decisions/0048).
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from cartagena.rules.board import Board, place_of_space
from cartagena.rules.choices import Choices
from cartagena.rules.codes import NEST_CARDS, codes_of
from cartagena.rules.crew import Crew, one_card
from cartagena.rules.families.freebooter import surplus
from cartagena.rules.hidden.knowledge import hand_is_seen, order_is_public
from cartagena.rules.legality import list_choices
from cartagena.rules.places import HOME, PLACES, SLOOP, START, bit, lowest, place_of
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
        written = vec[u8](self.blank)
        discard = DiscardCount()
        discard.count(position)
        self.write(position, seat, discard, written, 0)
        if position.to_act == seat:
            mask = ChoiceMask(written)
            mask.start = self.size
            list_choices(position, mask)
        return bytearray(written)

    def lay(self, position: Position) -> None:
        """Write the signs once: they stay the same for a whole game."""
        blank = vec[u8]([0] * (self.size + codes_of(position.ruleset)))
        self.write_signs(position.board, blank, 0)
        self.blank = bytes(blank)
        self.board = position.board

    def write(
        self, position: Position, seat: i64, discard: "DiscardCount", written: vec[u8], start: i64
    ) -> None:
        """Write all but the signs, from the byte `start` on, where every other byte is still 0."""
        written[start + self.seat + seat] = 1
        self.write_crews(position, seat, written, start)
        self.write_piles(position, written, start)
        write_cards(written, start + self.discard, discard.plain, discard.gold)
        self.write_turn(position, seat, written, start)
        if self.dock != NOWHERE:
            self.write_nest(position, seat, written, start)
        if self.stock_order != NOWHERE:
            self.write_orders(position, seat, written, start)
        if position.phase == OVER:
            self.write_end(position, seat, written, start)

    def write_signs(self, board: Board, written: vec[u8], start: i64) -> None:
        """The sign of each space."""
        width = len(SIGNS[self.family])
        for number in range(len(board.signs)):
            place = place_of_space(self.family, number + 1)
            written[start + self.first["signs"] + width * place + board.signs[number]] = 1

    def write_crews(self, position: Position, seat: i64, written: vec[u8], start: i64) -> None:
        """Where every crew stands and what it holds, the seat's own crew first."""
        seats: i64 = len(position.crews)
        others_seen = hand_is_seen(position, (seat + 1) % seats, seat)
        number: i64 = 0
        while number < seats:
            crew = position.crews[(seat + number) % seats]
            write_pirates(written, start + self.pirates + PLACES * number, crew)
            written[start + self.most_home + number] = u8(crew.most_home)
            written[start + self.hand_sizes + number] = u8(crew.hand_size())
            if number == 0 or others_seen:
                write_cards(written, start + self.hands + self.kinds * number, crew.hand, crew.gold)
            number += 1

    def write_piles(self, position: Position, written: vec[u8], start: i64) -> None:
        """Row and stock."""
        order = position.order
        if self.row != NOWHERE:
            write_order(written, start + self.row, self.kinds, order, position.row_head, position.stock_top)
        stock_size: i64 = len(order) - position.stock_top
        written[start + self.stock_size] = u8(stock_size)

    def write_turn(self, position: Position, seat: i64, written: vec[u8], start: i64) -> None:
        """Whose turn it is, who is to act, and how far the turn and the quiet have gone."""
        seats: i64 = len(position.crews)
        written[start + self.turn_seat + (position.seat - seat + seats) % seats] = 1
        to_act: i64 = position.to_act
        if to_act >= 0:
            written[start + self.to_act + (to_act - seat + seats) % seats] = 1
        written[start + self.actions_used] = u8(position.actions_used)
        quiet = quiet_turns(position)
        written[start + self.quiet_turns] = u8(quiet & 255)
        written[start + self.quiet_turns + 1] = u8(quiet >> 8)

    def write_end(self, position: Position, seat: i64, written: vec[u8], start: i64) -> None:
        """How the game ended, and for whom."""
        seats: i64 = len(position.crews)
        written[start + self.ending + position.ending - WON] = 1
        if position.winner >= 0:
            written[start + self.winner + (position.winner - seat + seats) % seats] = 1

    def write_nest(self, position: Position, seat: i64, written: vec[u8], start: i64) -> None:
        """The sloop of the Nest, and the trim while there is one; R7.9: a seat knows only its own cards."""
        written[start + self.dock] = u8(position.dock)
        written[start + self.crossing_open] = 1 if position.crossing_open else 0
        if position.phase != TRIM:
            return
        seats: i64 = len(position.crews)
        number: i64 = 0
        while number < seats:
            crew = position.crews[(seat + number) % seats]
            written[start + self.surplus + number] = u8(surplus(crew))
            number += 1
        for choice in position.trimmed:
            written[start + self.trimmed_sizes + (choice // 16 - seat + seats) % seats] += 1
            if choice // 16 == seat:
                written[start + self.trimmed + choice % 16] += 1

    def write_orders(self, position: Position, seat: i64, written: vec[u8], start: i64) -> None:
        """R7.12: where the discard is turned over, its order is known, and then that of the stock."""
        if order_is_public(position, position.renewals):
            order = position.order
            write_order(written, start + self.stock_order, self.kinds, order, position.stock_top, len(order))
        chosen = [choice % 16 if choice // 16 == seat else self.kinds for choice in position.trimmed]
        order = bytes(position.discard + chosen)
        write_order(written, start + self.discard_order, self.kinds + 1, order, 0, len(order))


class DiscardCount:
    """The cards of one discard, counted as hands count them; cards that join it are added to the count."""

    def __init__(self) -> None:
        self.plain: i64 = 0
        self.gold: i64 = 0
        self.cards: i64 = 0
        self.renewals: i64 = 0

    def count(self, position: Position) -> None:
        """Count what has joined the discard of a game since the last time, or all of it after a renewal."""
        if position.renewals != self.renewals:
            self.plain = self.gold = self.cards = 0
            self.renewals = position.renewals
        discard = position.discard
        while self.cards < len(discard):
            card: i64 = discard[self.cards]
            if card >= GOLD:
                self.gold |= bit(card - GOLD)
            else:
                self.plain += one_card(card)
            self.cards += 1


class ChoiceMask(Choices):
    """Takes down what a seat may do as bytes: from the byte `start` on, 1 for each code."""

    def __init__(self, written: vec[u8]) -> None:
        self.written = written
        self.start: i64 = 0

    def add_line(self, line: i64, places: i64) -> None:
        """Mark the codes of one line, one for each place of a set."""
        written, first = self.written, self.start + line
        while places:
            place = lowest(places)
            written[first + place_of(place)] = 1
            places ^= place

    def add_places(self, line: i64, packed: i64, width: i64) -> None:
        """Mark the codes of one line; the places are packed into `width` bits, six for each."""
        written, first = self.written, self.start + line
        shift: i64 = 0
        while shift < width:
            written[first + ((packed >> shift) & 63)] = 1
            shift += 6


def quiet_turns(position: Position) -> i64:
    """R7.2: how many turns in a row have ended without progress, as far as two bytes can tell."""
    running = position.phase != OVER or position.ending == WON
    quiet = position.turn - position.last_progress - (1 if running else 0)
    return min(max(quiet, 0), MOST_QUIET)


def write_pirates(written: vec[u8], first: i64, crew: Crew) -> None:
    """How many pirates of a crew stand on each place."""
    written[first + START] = u8(crew.at_start)
    if crew.aboard:
        written[first + SLOOP] = u8(crew.aboard)
    written[first + HOME] = u8(crew.home)
    places = crew.first
    while places:
        place = lowest(places)
        number: u8 = 1
        if crew.second & place:
            number = 3 if crew.third & place else 2
        written[first + place_of(place)] = number
        places ^= place


def write_cards(written: vec[u8], first: i64, plain: i64, gold: i64) -> None:
    """How many cards of each kind there are, packed as hands pack them."""
    kind = first
    while plain:
        written[kind] = u8(plain & 255)
        plain >>= 8
        kind += 1
    kind = first + GOLD
    while gold:
        written[kind] = u8(gold & 1)
        gold >>= 1
        kind += 1


def write_order(written: vec[u8], first: i64, width: i64, cards: bytes, head: i64, end: i64) -> None:
    """Write cards one after the other; for each, the byte of its kind is 1."""
    while head < end:
        written[first + cards[head]] = 1
        first += width
        head += 1
