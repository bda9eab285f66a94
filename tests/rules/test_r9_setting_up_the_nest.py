"""R9 Setting up the Nest."""

from collections import Counter

import pytest

from cartagena.fairness.shuffle import Shuffle
from cartagena.rules.board import Board, BoardError
from cartagena.rules.happenings import Moved, Played
from cartagena.rules.legality import apply, refusal
from cartagena.rules.places import START, bit
from cartagena.rules.position import Position
from cartagena.rules.refusals import PositionError, Refusal
from cartagena.rules.ruleset import NEST, PIRATES_NEST, OptionError
from cartagena.rules.setup import new
from tests.tables import BLUE, RED, nest_board, nest_place, nest_table, places, play, push

PIECE = tuple(range(7))
IN_ORDER = nest_board(())


# Signs and spaces.


@pytest.mark.rule("R9.2")
def test_the_nest_has_seven_signs() -> None:
    assert PIRATES_NEST.signs == ("cannon", "chest", "compass", "ducats", "map", "parrot", "telescope")


@pytest.mark.rule("R9.3")
def test_each_of_the_35_spaces_shows_the_sign_printed_for_it() -> None:
    signs = (3, 1, 4, 0, 5, 2, 6, *PIECE, 6, 5, 4, 3, 2, 1, 0, *PIECE, 2, 0, 1, 6, 5, 4, 3)
    board = Board(NEST, signs)
    assert [board.sign_at(nest_place(str(space))) for space in range(1, 36)] == list(signs)


@pytest.mark.rule("R9.3")
@pytest.mark.rule("R9.6")
def test_island_one_ends_with_space_14_and_island_two_begins_with_15() -> None:
    # The last telescope of island one is 14, the first cannon of island two is 15.
    on_one = nest_table(red="13", hands=("telescope", ""))
    assert apply(on_one, play("telescope", "13"))[1] == Moved(RED, RED, 13, nest_place("14"))
    on_two = nest_table(red="sloop", hands=("cannon", ""), dock=2)
    assert apply(on_two, play("cannon", "sloop"))[1] == Moved(RED, RED, nest_place("sloop"), nest_place("15"))


@pytest.mark.rule("R9.4")
@pytest.mark.parametrize("piece", range(5))
def test_a_board_needs_every_sign_once_on_each_piece(piece: int) -> None:
    pieces = [PIECE] * 5
    pieces[piece] = (0, 1, 2, 3, 4, 5, 5)
    first = 7 * piece + 1
    with pytest.raises(BoardError, match=f"{first} to {first + 6}"):
        Board.of_pieces(pieces)


@pytest.mark.rule("R9.4")
@pytest.mark.parametrize("number", [4, 6])
def test_a_board_has_five_pieces(number: int) -> None:
    with pytest.raises(BoardError, match="35 spaces"):
        Board.of_pieces([PIECE] * number)


@pytest.mark.rule("R9.5")
def test_a_board_made_by_chance_puts_every_sign_equally_often_on_every_space() -> None:
    games = 700
    shown: Counter[tuple[int, int]] = Counter()
    for game in range(games):
        shuffle = Shuffle(game_id=f"g{game}", ruleset="nest", nonces=(None, None), secret=bytes(32))
        board = Board.of_pieces(shuffle.pieces())
        shown.update(enumerate(board.signs))
    assert len(shown) == 35 * 7
    assert all(60 <= times <= 145 for times in shown.values())


@pytest.mark.rule("R9.5")
def test_each_piece_has_an_order_of_its_own() -> None:
    shuffle = Shuffle(game_id="g", ruleset="nest", nonces=(None, None), secret=bytes(32))
    assert len(set(shuffle.pieces())) == 5


# The way, the docks and the sloop.


@pytest.mark.rule("R9.6")
def test_the_way_leads_over_island_one_the_sloop_and_island_two_to_the_nest() -> None:
    before = nest_table(hands=("cannon cannon cannon", ""), dock=1)
    way = [walked(before, "cannon", place) for place in ("start", "1", "8")]
    after = nest_table(red="sloop", hands=("cannon cannon cannon", ""), dock=2)
    way += [walked(after, "cannon", place) for place in ("sloop", "15", "22")]
    last = nest_table(red="29", hands=("cannon", ""))
    way.append(walked(last, "cannon", "29"))
    assert way == [nest_place(place) for place in ("1", "8", "sloop", "15", "22", "29", "nest")]
    assert way == sorted(way)


def walked(position: Position, card: str, place: str) -> int:
    """Play a card and say where the pirate went."""
    moved = apply(position, play(card, place))[1]
    assert isinstance(moved, Moved)
    return moved.target


@pytest.mark.rule("R9.7")
def test_the_sloop_begins_at_dock_one() -> None:
    position = new(PIRATES_NEST, IN_ORDER, seats=2, order=PIRATES_NEST.deck())
    assert position.dock == 1
    # Behind space 14, so a pirate may board it at once.
    assert refusal(position, push(BLUE, "start")) is None


@pytest.mark.rule("R9.7")
def test_at_dock_two_the_sloop_lies_before_space_15() -> None:
    position = nest_table(red="sloop", hands=("cannon", ""), dock=2)
    apply(position, play("cannon", "sloop"))
    assert places(position, RED)[-1] == nest_place("15")


@pytest.mark.rule("R9.8")
def test_start_and_nest_hold_any_number() -> None:
    crew = "nest nest nest nest nest"
    position = nest_table(red=crew, blue=crew, yellow=crew, green="", violet="")
    assert [places(position, seat).count(nest_place("nest")) for seat in range(5)] == [5, 5, 5, 0, 0]
    assert [places(position, seat).count(START) for seat in range(5)] == [1, 1, 1, 6, 6]


@pytest.mark.rule("R9.8")
@pytest.mark.parametrize("place", ["sloop", "nest"])
def test_sloop_and_nest_are_no_spaces_that_a_crowd_could_fill(place: str) -> None:
    position = nest_table(red=place, blue=place, yellow=place, green=place)
    assert position.crowd.first == 0


@pytest.mark.rule("R9.9")
def test_the_sloop_holds_three_of_each_crew() -> None:
    crew = "sloop sloop sloop"
    position = nest_table(red=crew, blue=crew, yellow=crew, green=crew, violet=crew)
    assert [crew.aboard for crew in position.crews] == [3] * 5
    assert position.crowd.count(bit(nest_place("sloop"))) == 0


@pytest.mark.rule("R9.9")
def test_a_table_with_four_of_a_crew_aboard_is_refused() -> None:
    with pytest.raises(PositionError, match="at most 3 pirates of a crew are aboard"):
        nest_table(blue="sloop sloop sloop sloop")


@pytest.mark.rule("R9.9")
def test_the_fourth_of_a_crew_finds_no_room_but_another_crew_does() -> None:
    position = nest_table(red="14 sloop sloop sloop", blue="14", hands=("map", ""))
    assert refusal(position, play("map", "14")) is Refusal.SLOOP_FULL
    assert refusal(position, push(BLUE, "14")) is None
    assert Refusal.SLOOP_FULL.rule == "R9.9"


# Cards.


@pytest.mark.rule("R9.10")
def test_the_deck_has_fourteen_plain_cards_and_one_of_gold_for_each_sign() -> None:
    deck = Counter(PIRATES_NEST.deck())
    assert deck.total() == 105
    assert deck == {**dict.fromkeys(range(7), 14), **dict.fromkeys(range(7, 14), 1)}


@pytest.mark.rule("R9.10")
def test_a_gold_card_has_the_number_of_its_sign_and_seven() -> None:
    position = nest_table(hands=("TELESCOPE", ""))
    told = apply(position, play("TELESCOPE", "start"))
    assert told == [Played(RED, 13), Moved(RED, RED, START, nest_place("7"))]


@pytest.mark.parametrize(
    "option",
    [{"row_length": 12, "hands_open": True}, {"retreat_from_sloop": False}, {"row_refill": "on_demand"}],
    ids=lambda option: next(iter(option)),
)
def test_the_nest_has_no_options_of_the_tunnel(option: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="of the family nest"):
        PIRATES_NEST.with_options(**option)
