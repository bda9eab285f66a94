"""Tests of the laws themselves: each law is broken on purpose, and each difference is noticed."""

from collections.abc import Callable

import pytest

from cartagena.bots.law_check import broken_decision, broken_undo, checked_playout
from cartagena.bots.random_games import Dice
from cartagena.rules.board import Board
from cartagena.rules.codes import END_TURN
from cartagena.rules.crew import Crew
from cartagena.rules.laws import broken_law, same
from cartagena.rules.legality import apply, legal
from cartagena.rules.places import bit
from cartagena.rules.position import ACT, DEAD, NOBODY, OVER, QUIET, RUNNING, TRIM, WON, Position
from cartagena.rules.ruleset import ESCAPE, JAMAICA, PIRATES_NEST, TORTUGA
from cartagena.rules.setup import new
from tests.tables import BLUE, RED, nest_table, play, table

EIGHT = "cannon " * 8


def nest() -> Position:
    """The Nest, a few pirates here and there."""
    return nest_table(red="3 3 20 sloop nest", blue="3 7", hands=("map MAP", "chest"), dock=2, turn=5)


def tunnel() -> Position:
    """Tortuga with a short row."""
    return table(TORTUGA, row="BDH", red=[3, 3, 9], blue=[3], hands=("KS", "H"))


def trimming() -> Position:
    """Blue owes one card."""
    position = nest_table(hands=("MAP", EIGHT))
    apply(position, play("MAP", "start"))
    return position


def half_trimmed() -> Position:
    """Blue gave one of the two cards it owes, and red has exactly seven."""
    position = nest_table(hands=("MAP " + "map " * 7, "chest " * 9))
    apply(position, play("MAP", "start"))
    apply(position, legal(position)[0])
    return position


def won() -> Position:
    """Red has won."""
    position = nest_table(red="35 nest nest nest nest nest", hands=("map", ""))
    apply(position, play("map", "35"))
    return position


def some_discarded() -> Position:
    """Stock and discard both hold cards."""
    return nest_table(discard="map chest", hands=("map", ""))


def waiting() -> Position:
    """An order of cards is due."""
    position = nest_table(hands=("", ""), rest="discard")
    apply(position, legal(position)[0])
    assert position.order_due
    return position


Change = Callable[[Position], object]


def put(**values: object) -> Change:
    """Set attributes of the position."""

    def change(position: Position) -> None:
        for name, value in values.items():
            setattr(position, name, value)

    return change


def put_crew(seat: int = RED, **values: object) -> Change:
    """Set attributes of a crew."""

    def change(position: Position) -> None:
        for name, value in values.items():
            setattr(position.crews[seat], name, value)

    return change


def overcrowd(position: Position) -> None:
    """A fourth pirate on space 3; nobody is lost."""
    position.crews[BLUE].land(bit(3))
    position.crews[BLUE].at_start -= 1


def forget_a_trimmed_card(position: Position) -> None:
    """The last trimmed card goes back from the discard, face down."""
    position.trimmed.append(position.discard.pop())


def keep_the_discard(position: Position) -> None:
    """Red takes the whole discard into its hand."""
    while position.discard:
        position.crews[RED].take(position.discard.pop())


def trim_and_forget(position: Position) -> None:
    """The trim is over, but one card stays face down."""
    apply(position, legal(position)[0])
    forget_a_trimmed_card(position)


BROKEN: list[tuple[str, Callable[[], Position], Change]] = [
    ("stands where there is no space", nest, put_crew(first=bit(3) | bit(15))),
    ("stands where there is no space", nest, put_crew(first=bit(3) | bit(0))),
    ("stands where there is no space", tunnel, put_crew(first=bit(37))),
    ("counts its pirates on a space wrongly", nest, put_crew(second=bit(3) | bit(9))),
    ("counts its pirates on a space wrongly", nest, put_crew(third=bit(21))),
    ("fewer pirates than none", nest, put_crew(at_start=-1)),
    ("fewer pirates than none", nest, put_crew(home=-1)),
    ("fewer pirates than none", nest, put_crew(aboard=-1)),
    ("a crew has not six pirates", nest, put_crew(at_start=2)),
    ("a crew has not six pirates", nest, put_crew(home=0)),
    ("too many pirates of a crew are in the sloop", tunnel, put_crew(at_start=2, aboard=1)),
    ("too many pirates of a crew are in the sloop", nest_table, put_crew(at_start=2, aboard=4)),
    ("forgot how many pirates it had home", nest, put_crew(most_home=0)),
    ("forgot how many pirates it had home", nest, put_crew(most_home=7)),
    ("more than three pirates stand on a space", nest, overcrowd),
    ("the crowd is not the sum of the crews", nest, lambda p: p.crowd.land(bit(9))),
    ("the crowd is not the sum of the crews", nest, lambda p: p.crowd.lift(bit(21))),
    ("a gold card lies in two places", nest, put_crew(BLUE, gold=bit(4))),
    ("a gold card lies in two places", nest, lambda p: p.discard.append(11)),
    ("a card was lost or made", nest, lambda p: p.crews[RED].take(0)),
    ("a card was lost or made", nest, lambda p: p.discard.append(0)),
    ("a card was lost or made", nest, put(row_head=1, stock_top=1)),
    ("a card was lost or made", tunnel, lambda p: p.crews[RED].give(3)),
    ("a gold card was lost or made", nest, put_crew(gold=0)),
    ("a gold card was lost or made", tunnel, put_crew(gold=1)),
    ("row and stock overlap", tunnel, put(stock_top=200)),
    ("row and stock overlap", nest, put(stock_top=-1)),
    ("the row is too long", tunnel, put(stock_top=13)),
    ("the row is too long", nest, put(stock_top=1)),
    ("an order is due though the stock is not empty", nest, put(order_due=True)),
    ("an order is due though the stock is not empty", some_discarded, put(order_due=True)),
    ("an order is due though the stock is not empty", waiting, keep_the_discard),
    ("an order is due for nothing", waiting, put(owed=0)),
    ("a draw was left unfinished", nest, put(owed=1)),
    ("a draw was left unfinished", tunnel, put(laying=True)),
    ("the turn belongs to no seat", nest, put(seat=2)),
    ("the turn belongs to no seat", nest, put(seat=-1)),
    ("the turn belongs to no seat", nest, lambda p: put(mover=p.crews[BLUE])(p)),
    ("more than three actions", nest, put(actions_used=4)),
    ("more than three actions", nest, put(actions_used=-1)),
    ("the sloop lies at no dock", nest, put(dock=3)),
    ("the sloop lies at no dock", tunnel, put(dock=2)),
    ("a free crossing is open after an action", nest, put(actions_used=1)),
    ("a free crossing is open after an action", tunnel, put(crossing_open=True)),
    ("the last progress lies in the future", nest, put(last_progress=6)),
    ("the last progress lies in the future", nest, put(last_progress=-1)),
    ("after too many quiet rounds", nest, put(turn=81)),
    ("a running game has an end", nest, put(ending=DEAD)),
    ("a running game has an end", nest, put(winner=RED)),
    ("a game goes on after a win", won, put(phase=ACT, ending=RUNNING, winner=NOBODY)),
    ("nobody can trim now", tunnel, put(phase=TRIM)),
    ("no card too many", nest, put(phase=TRIM)),
    ("no card too many", trimming, put(trimmer=RED)),
    ("no card too many", half_trimmed, put(trimmer=RED)),
    ("trimmed cards were forgotten", trimming, trim_and_forget),
    ("something is due after the end", won, forget_a_trimmed_card),
    ("a game is over without an end", nest, put(phase=OVER)),
    ("the winner has not all pirates home", won, put(winner=BLUE)),
    ("the winner has not all pirates home", nest, put(phase=OVER, ending=WON, winner=RED)),
    ("a quiet game has a winner", nest, put(phase=OVER, ending=QUIET, winner=RED)),
]


@pytest.mark.parametrize(("law", "laid_out", "change"), BROKEN, ids=[law for law, _, _ in BROKEN])
def test_a_broken_law_is_named(law: str, laid_out: Callable[[], Position], change: Change) -> None:
    position = laid_out()
    assert broken_law(position) is None
    change(position)
    assert law in str(broken_law(position))


@pytest.mark.parametrize("laid_out", [nest, tunnel, trimming, half_trimmed, won, waiting])
def test_a_sound_position_breaks_no_law(laid_out: Callable[[], Position]) -> None:
    assert broken_law(laid_out()) is None


def test_eighty_quiet_turns_of_two_seats_are_the_most() -> None:
    position = nest()
    position.turn = 80
    assert broken_law(position) is None
    endless = nest_table(PIRATES_NEST.with_options(quiet_rounds=0), turn=1000)
    assert broken_law(endless) is None


def test_a_dead_game_may_have_a_winner() -> None:
    position = nest()
    position.phase, position.ending, position.winner = OVER, DEAD, RED
    assert broken_law(position) is None


# Equal positions.

DIFFERENT: dict[str, object] = {
    "ruleset": JAMAICA,
    "board": Board.of_pieces([range(6, -1, -1)] * 5),
    "order": b"",
    "discard": [1],
    "trimmed": [1],
    "log": [1],
    "crossing_open": False,
    "order_due": True,
    "laying": True,
}
# The facts follow from the ruleset.
NOT_COMPARED = {"crews", "crowd", "facts", "mover", "told"}


def names_of(thing: object) -> list[str]:
    """The names of all attributes, of the interpreted or the compiled class."""
    compiled = [name for cls in type(thing).__mro__ for name in getattr(cls, "__mypyc_attrs__", ())]
    names = compiled or list(vars(thing))
    return sorted({name for name in names if not name.startswith("__")})


@pytest.mark.parametrize("name", [name for name in names_of(nest()) if name not in NOT_COMPARED])
def test_a_difference_in_any_attribute_is_noticed(name: str) -> None:
    position = nest()
    twin = position.copy()
    assert same(position, twin)
    value = getattr(twin, name)
    setattr(twin, name, DIFFERENT[name] if name in DIFFERENT else value + 1)
    assert not same(position, twin)


@pytest.mark.parametrize("name", names_of(Crew()))
@pytest.mark.parametrize("seat", [RED, BLUE])
def test_a_difference_in_any_crew_is_noticed(name: str, seat: int) -> None:
    position = nest()
    twin = position.copy()
    setattr(twin.crews[seat], name, getattr(twin.crews[seat], name) ^ 1)
    assert not same(position, twin)


@pytest.mark.parametrize("name", ["first", "second", "third"])
def test_a_difference_in_the_crowd_is_noticed(name: str) -> None:
    position = nest()
    twin = position.copy()
    setattr(twin.crowd, name, getattr(twin.crowd, name) ^ 2)
    assert not same(position, twin)


def test_another_number_of_seats_and_another_mover_are_noticed() -> None:
    position = nest()
    twin = position.copy()
    twin.crews.append(Crew())
    assert not same(position, twin)
    assert not same(twin, position)
    other = position.copy()
    other.mover = other.crews[BLUE]
    assert not same(position, other)


# Checked games.


def opening() -> Position:
    """A new game of Jamaica."""
    return new(JAMAICA, Board(ESCAPE, tuple(range(6)) * 6), seats=3, order=JAMAICA.deck())


def test_a_checked_game_keeps_every_law_to_its_end() -> None:
    position = opening()
    checked = checked_playout(position, Dice(1), 5000, 50)
    assert checked.broken == ""
    assert position.over
    assert checked.actions > 100


def test_a_checked_game_stops_at_its_cap() -> None:
    position = opening()
    assert checked_playout(position, Dice(1), 10, 1).actions == 10
    assert not position.over


@pytest.mark.parametrize("sample", [1, 1000])
def test_a_checked_game_stops_at_the_first_broken_law(sample: int) -> None:
    position = opening()
    position.discard.append(0)
    checked = checked_playout(position, Dice(1), 5000, sample)
    assert (checked.actions, checked.broken) == (0, "a card was lost or made")


def test_a_checked_game_shuffles_when_an_order_is_due() -> None:
    position = nest_table(hands=("", ""), rest="discard")
    checked = checked_playout(position, Dice(1), 50, 7)
    assert checked.broken == ""
    assert position.renewals > 0


def test_a_list_of_codes_that_is_not_right_is_noticed() -> None:
    position = opening()
    codes = legal(position)
    assert broken_decision(position, codes) is None
    assert (
        broken_decision(position, codes[1:]) == f"an action without a refusal is not listed (code {codes[0]})"
    )
    assert broken_decision(position, [END_TURN, *codes]) == "a legal action has a refusal (code 0)"
    assert broken_decision(position, [*codes, codes[0]]) == "legal codes are not listed in ascending order"


def test_undo_of_every_first_action_is_right() -> None:
    for position in (opening(), nest(), tunnel(), trimming()):
        assert [broken_undo(position, code) for code in legal(position)] == [None] * len(legal(position))
