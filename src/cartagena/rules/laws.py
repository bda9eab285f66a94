"""Laws: what is true of every position of every game, whatever was played.

Tests and the soak ask them after each action, and the service whenever it loads a game, so they are written
for speed: sets of places, packed counters, plain loops.
"""

from mypy_extensions import i64

from cartagena.rules.crew import Crew, Crowd, one_card
from cartagena.rules.families.freebooter import HAND_LIMIT
from cartagena.rules.places import bit, number_in
from cartagena.rules.position import ACT, DEAD, NOBODY, OVER, RUNNING, TRIM, WON, Position
from cartagena.rules.ruleset import ACTIONS_PER_TURN, CREW_SIZE, GOLD


def broken_law(position: Position) -> str | None:
    """A sentence that says which law a position breaks; None when it keeps them all."""
    return (
        broken_by_pirates(position)
        or broken_by_cards(position)
        or broken_by_piles(position)
        or broken_by_turn(position)
        or broken_by_phase(position)
    )


# Pirates.


def broken_by_pirates(position: Position) -> str | None:
    """Six pirates in each crew, at most three on a space, and the crowd is the sum of the crews."""
    crowd = Crowd()
    for crew in position.crews:
        broken = broken_by_crew(position, crew)
        if broken is not None:
            return broken
        if not (joined(crowd, crew.first) and joined(crowd, crew.second) and joined(crowd, crew.third)):
            return "more than three pirates stand on a space"
    if not same_crowd(crowd, position.crowd):
        return "the crowd is not the sum of the crews"
    return None


def joined(crowd: Crowd, spaces: i64) -> bool:
    """Add one more pirate to each of these spaces; return False, adding none, if one of them is full."""
    if crowd.third & spaces:
        return False
    crowd.land(spaces)
    return True


def broken_by_crew(position: Position, crew: Crew) -> str | None:
    """A crew has six pirates, each in a place where one can stand."""
    if crew.first & ~position.facts.spaces:
        return "a pirate stands where there is no space"
    if crew.second & ~crew.first or crew.third & ~crew.second:
        return "a crew counts its pirates on a space wrongly"
    if crew.at_start < 0 or crew.home < 0 or crew.aboard < 0:
        return "a place holds fewer pirates than none"
    on_spaces = number_in(crew.first) + number_in(crew.second) + number_in(crew.third)
    if crew.at_start + on_spaces + crew.aboard + crew.home != CREW_SIZE:
        return "a crew has not six pirates"
    if crew.aboard > position.facts.aboard_limit:
        return "too many pirates of a crew are in the sloop"
    if not crew.home <= crew.most_home <= CREW_SIZE:
        return "a crew forgot how many pirates it had home"
    return None


# Cards.


class CardTally:
    """Cards counted as a hand counts them: plain cards in packed counters, gold cards as a set."""

    def __init__(self) -> None:
        self.plain: i64 = 0
        self.gold: i64 = 0
        self.doubled = False

    def add(self, card: i64) -> None:
        """Count one card."""
        if card >= GOLD:
            self.add_gold(bit(card - GOLD))
        else:
            self.plain += one_card(card)

    def add_gold(self, cards: i64) -> None:
        """Count a set of gold cards, and remember if one of them was counted before."""
        if self.gold & cards:
            self.doubled = True
        self.gold |= cards


def broken_by_cards(position: Position) -> str | None:
    """No card is lost and none is made: hands, row, stock, discard and trimmed cards are the deck."""
    tally = CardTally()
    for crew in position.crews:
        tally.plain += crew.hand
        tally.add_gold(crew.gold)
    order = position.order
    number: i64 = len(order)
    place = position.row_head
    while place < number:
        tally.add(order[place])
        place += 1
    for card in position.discard:
        tally.add(card)
    for choice in position.trimmed:
        tally.add(choice % 16)
    if tally.doubled:
        return "a gold card lies in two places"
    if tally.plain != position.facts.plain_cards:
        return "a card was lost or made"
    if tally.gold != position.facts.gold_cards:
        return "a gold card was lost or made"
    return None


def broken_by_piles(position: Position) -> str | None:
    """Row and stock lie in one order, and an order of cards is due only when the stock is empty."""
    row_size = position.stock_top - position.row_head
    if position.row_head < 0 or row_size < 0 or position.stock_top > len(position.order):
        return "row and stock overlap"
    if row_size > position.ruleset.row_length:
        return "the row is too long"
    if position.order_due:
        if position.stock_top < len(position.order) or not position.discard:
            return "an order is due though the stock is not empty or nothing can be renewed"
        if not position.laying and position.owed == 0 and position.ruleset.renewal == "when_needed":
            return "an order is due for nothing"
    elif position.laying or position.owed:
        return "a draw was left unfinished"
    return None


# The turn.


def broken_by_turn(position: Position) -> str | None:
    """A turn has a seat, at most three actions, and a free crossing only before the first."""
    seats = len(position.crews)
    if not 0 <= position.seat < seats or position.mover is not position.crews[position.seat]:
        return "the turn belongs to no seat"
    if not 0 <= position.actions_used <= ACTIONS_PER_TURN:
        return "more than three actions were made in a turn"
    if not 1 <= position.dock <= position.facts.docks:
        return "the sloop lies at no dock"
    if position.crossing_open and (position.actions_used or not position.facts.has_crossing):
        return "a free crossing is open after an action"
    if not 0 <= position.last_progress <= position.turn:
        return "the last progress lies in the future"
    limit = position.ruleset.quiet_rounds
    if limit and position.turn - 1 - position.last_progress >= limit * seats:
        return "the game went on after too many quiet rounds"
    return None


def broken_by_phase(position: Position) -> str | None:
    """Exactly one party is to act, or the game is over."""
    if position.phase == OVER:
        return broken_by_end(position)
    if position.ending != RUNNING or position.winner != NOBODY:
        return "a running game has an end"
    for crew in position.crews:
        if crew.home == CREW_SIZE:
            return "a game goes on after a win"
    if position.phase == TRIM:
        return broken_by_trim(position)
    if position.phase != ACT or position.trimmed:
        return "trimmed cards were forgotten"
    return None


def broken_by_trim(position: Position) -> str | None:
    """Only the Nest trims, and only a seat that holds more than seven cards."""
    if not position.facts.has_gold or position.order_due:
        return "nobody can trim now"
    if position.crews[position.trimmer].hand_size() <= HAND_LIMIT:
        return "a seat trims that has no card too many"
    return None


def broken_by_end(position: Position) -> str | None:
    """A game that is over ended in one of three ways, and nothing is due any more."""
    if position.order_due or position.trimmed:
        return "something is due after the end"
    if position.ending == RUNNING:
        return "a game is over without an end"
    if position.ending == WON:
        if position.winner != position.seat or position.mover.home != CREW_SIZE:
            return "the winner has not all pirates home"
    elif position.winner != NOBODY and position.ending != DEAD:
        return "a quiet game has a winner"
    return None


def same(position: Position, other: Position) -> bool:
    """Whether two positions are alike in everything, what was seen on the way included."""
    return same_table(position, other) and position.log == other.log


def same_table(position: Position, other: Position) -> bool:
    """Whether two positions are alike, however they came about: undo leaves more that was seen (R8.10)."""
    return (
        same_crews(position, other)
        and same_crowd(position.crowd, other.crowd)
        and same_cards(position, other)
        and same_turn(position, other)
        and same_phase(position, other)
    )


def same_crews(position: Position, other: Position) -> bool:
    """Whether every seat's crew is the same."""
    if len(position.crews) != len(other.crews):
        return False
    for seat in range(len(position.crews)):
        if not same_crew(position.crews[seat], other.crews[seat]):
            return False
    return True


def same_crowd(crowd: Crowd, other: Crowd) -> bool:
    """Whether the same number of pirates stands on every space."""
    return crowd.first == other.first and crowd.second == other.second and crowd.third == other.third


def same_crew(crew: Crew, other: Crew) -> bool:
    """Whether two crews stand on the same places and hold the same cards."""
    return crew.stand() == other.stand()


def same_cards(position: Position, other: Position) -> bool:
    """Whether row, stock, discard and trimmed cards lie alike."""
    return (
        position.order == other.order
        and position.row_head == other.row_head
        and position.stock_top == other.stock_top
        and position.discard == other.discard
        and position.trimmed == other.trimmed
        and position.renewals == other.renewals
        and position.barriers == other.barriers
    )


def same_turn(position: Position, other: Position) -> bool:
    """Whether it is the same seat's turn in the same game, and the turn has gone equally far."""
    return (
        position.ruleset == other.ruleset
        and position.board == other.board
        and position.seat == other.seat
        and (position.mover is position.crews[position.seat]) == (other.mover is other.crews[other.seat])
        and position.actions_used == other.actions_used
        and position.dock == other.dock
        and position.crossing_open == other.crossing_open
        and position.turn == other.turn
        and position.last_progress == other.last_progress
    )


def same_phase(position: Position, other: Position) -> bool:
    """Whether the same party is to act, for the same reason, or the game ended alike."""
    return (
        position.phase == other.phase
        and position.trimmer == other.trimmer
        and position.order_due == other.order_due
        and position.laying == other.laying
        and position.owed == other.owed
        and position.ending == other.ending
        and position.winner == other.winner
    )
