"""R1 Setting up: the tunnel and its signs."""

from itertools import permutations, product

import pytest

from cartagena.rules.board import (
    ISLAND_ONE,
    PIECES,
    SEGMENTS,
    Board,
    BoardError,
    place_of_space,
    space_of_place,
    spaces_of,
)
from cartagena.rules.places import HOME, START, places_in
from cartagena.rules.ruleset import (
    ESCAPE,
    JAMAICA,
    NEST,
    TORTUGA,
)
from tests.tables import (
    board_drawn,
    letters,
    nest_board,
)

TUNNEL = Board.of_segments(range(6), [False] * 6)


@pytest.mark.rule("R1.4")
def test_the_six_signs() -> None:
    assert JAMAICA.signs == TORTUGA.signs == ("bottle", "dagger", "hat", "key", "pistol", "skull")


@pytest.mark.rule("R1.5")
def test_the_tunnel_has_36_spaces_and_each_shows_one_sign() -> None:
    board = board_drawn("BPHSDK|SHPKBD|PKDHSB|DSBPKH|KBSDHP|HDKBPS")
    assert letters([board.sign_at(space) for space in range(1, 37)]) == "BPHSDKSHPKBDPKDHSBDSBPKHKBSDHPHDKBPS"
    assert [places_in(road.spaces) for road in board.roads] == [
        [1, 11, 18, 21, 26, 34],
        [5, 12, 15, 19, 28, 32],
        [3, 8, 16, 24, 29, 31],
        [6, 10, 14, 23, 25, 33],
        [2, 9, 13, 22, 30, 35],
        [4, 7, 17, 20, 27, 36],
    ]


@pytest.mark.rule("R1.5")
@pytest.mark.rule("R1.8")
def test_the_spaces_lie_between_the_start_and_the_sloop() -> None:
    assert places_in(spaces_of(ESCAPE)) == list(range(1, 37))
    assert (START, HOME) == (0, 37)


@pytest.mark.rule("R1.6")
@pytest.mark.parametrize("segment", range(6))
def test_a_segment_shows_every_sign_exactly_once(segment: int) -> None:
    signs = list(range(6)) * 6
    signs[6 * segment] = 5
    last = 6 * segment + 6
    with pytest.raises(BoardError, match=f"the spaces {last - 5} to {last} do not show every sign once"):
        Board(ESCAPE, signs)


@pytest.mark.rule("R1.6")
def test_each_sign_six_times_is_not_enough() -> None:
    with pytest.raises(BoardError):
        board_drawn("BDHKPB|SDHKPS")


@pytest.mark.rule("R1.6")
@pytest.mark.parametrize("length", [30, 35, 37, 42])
def test_a_board_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(BoardError, match=f"has 36 spaces, not {length}"):
        Board(ESCAPE, (list(range(6)) * 7)[:length])


@pytest.mark.rule("R1.7")
def test_the_six_real_segments() -> None:
    assert ["".join(word[0] for word in segment).upper() for segment in SEGMENTS] == [
        "BPHSDK",
        "SHPKBD",
        "PKDHSB",
        "DSBPKH",
        "KBSDHP",
        "HDKBPS",
    ]


@pytest.mark.rule("R1.7")
def test_segments_lie_in_any_order_each_either_way_round() -> None:
    board = Board.of_segments([5, 0, 1, 2, 3, 4], [True, False, False, False, False, True])
    assert letters(board.signs) == "SPBKDH" + "BPHSDK" + "SHPKBD" + "PKDHSB" + "DSBPKH" + "PHDSBK"


@pytest.mark.rule("R1.7")
def test_every_way_to_lay_them_makes_another_tunnel() -> None:
    orders = {Board.of_segments(order, [False] * 6) for order in permutations(range(6))}
    turns = {Board.of_segments(range(6), turned) for turned in product([False, True], repeat=6)}
    assert (len(orders), len(turns), len(orders & turns)) == (720, 64, 1)


@pytest.mark.parametrize("reverse", [[False] * 5, [False] * 7])
def test_each_segment_needs_its_direction(reverse: list[bool]) -> None:
    with pytest.raises(ValueError, match="zip"):
        Board.of_segments(range(6), reverse)


def test_boards_with_the_same_signs_are_equal() -> None:
    twin = Board(ESCAPE, TUNNEL.signs)
    other = board_drawn("BDHKPS")
    assert twin == TUNNEL
    assert other != TUNNEL
    assert twin.signs != TUNNEL
    assert repr(other) == f"Board('escape', {(0, 1, 2, 3, 4, 5) * 6})"


def test_both_games_number_their_pieces_and_places() -> None:
    assert PIECES == {ESCAPE: 6, NEST: 5}
    assert places_in(ISLAND_ONE) == list(range(1, 15))
    assert places_in(spaces_of(NEST)) == [*range(1, 15), *range(16, 37)]
    assert [place_of_space(NEST, space) for space in (1, 14, 15, 35)] == [1, 14, 16, 36]
    assert [place_of_space(ESCAPE, space) for space in (1, 14, 15, 36)] == [1, 14, 15, 36]
    assert [space_of_place(NEST, place) for place in (1, 14, 16, 36)] == [1, 14, 15, 35]
    assert [space_of_place(ESCAPE, place) for place in (1, 14, 15, 16, 36)] == [1, 14, 15, 16, 36]


def test_the_signs_of_the_nest_go_on_behind_the_sloop() -> None:
    board = nest_board(["te pa ma du co ch ca"])
    assert [board.sign_at(place) for place in (1, 7, 8, 14, 16, 36)] == [6, 0, 0, 6, 0, 6]
    assert places_in(board.roads[6].spaces) == [1, 14, 22, 29, 36]
