"""R1 Setting up: positions laid out by hand, and those that the rules could never show."""

from dataclasses import replace
from typing import Any

import pytest

from cartagena.rules.board import (
    Board,
)
from cartagena.rules.laws import broken_law
from cartagena.rules.legality import apply, legal
from cartagena.rules.places import bit
from cartagena.rules.refusals import Fault, PositionError
from cartagena.rules.ruleset import (
    JAMAICA,
    PIRATES_NEST,
    TORTUGA,
)
from cartagena.rules.setup import Layout, arrange, new
from tests.tables import (
    BLUE,
    RED,
    hand,
    letters,
    nest_table,
    places,
    play,
    table,
)

TUNNEL = Board.of_segments(range(6), [False] * 6)
MIXED = [card for turn in range(17) for card in (3, 0, 5, 1, 4, 2)]
LAYOUT = Layout(
    ruleset=JAMAICA, board=TUNNEL, pirates=((0,) * 6, (0,) * 6), hands=((), ()), stock=tuple(JAMAICA.deck())
)


def with_changes(**changes: object) -> Layout:
    """The plainest layout, with something changed."""
    return replace(LAYOUT, **changes)  # type: ignore[arg-type]  # what a test changes is what it tests


def test_a_layout_says_what_lies_where() -> None:
    position = table(
        TORTUGA,
        red=".1.2 > 1",
        blue="11",
        yellow="",
        hands=("KKB", "", "S"),
        row="HD",
        stock="PSP",
        discard="BD",
        seat=BLUE,
        actions_used=2,
        turn=9,
        last_progress=4,
        most_home=(3, 1, 0),
    )
    assert [places(position, seat) for seat in range(3)] == [[0, 0, 2, 4, 4, 37], [0, 0, 0, 0, 1, 2], [0] * 6]
    assert [hand(position, seat) for seat in range(3)] == ["BKK", "", "S"]
    assert (letters(position.row()), letters(position.stock()[:4]), position.stock_size) == ("HD", "PSPB", 94)
    assert position.discard == [0, 1]
    assert position.mover is position.crews[BLUE]
    assert (position.seat, position.actions_used, position.turn, position.last_progress) == (BLUE, 2, 9, 4)
    assert [crew.most_home for crew in position.crews] == [3, 1, 0]
    assert [position.crowd.count(bit(place)) for place in range(1, 6)] == [1, 2, 0, 2, 0]


def test_what_a_layout_leaves_out_has_not_yet_happened() -> None:
    position = arrange(LAYOUT)
    assert (position.seat, position.actions_used, position.dock) == (RED, 0, 1)
    assert (position.turn, position.last_progress) == (1, 0)
    assert (position.row(), position.discard, position.crossing_open) == ((), [], False)


def test_the_most_home_are_never_fewer_than_those_home_now() -> None:
    position = table(red="> 4", blue="> 2", most_home=(1, 2))
    assert [crew.most_home for crew in position.crews] == [4, 2]


def test_a_layout_of_the_nest_has_a_sloop_and_a_dock() -> None:
    position = nest_table(red="3 sloop sloop 15 nest", blue="sloop sloop sloop 35", dock=2, seat=BLUE)
    assert [places(position, seat) for seat in (RED, BLUE)] == [
        [0, 3, 15, 15, 16, 37],
        [0, 0, 15, 15, 15, 36],
    ]
    assert [crew.aboard for crew in position.crews] == [2, 3]
    assert position.dock == 2
    assert position.crowd.first == bit(3) | bit(16) | bit(36)


def test_a_layout_may_close_the_captains_crossing() -> None:
    assert nest_table(red="sloop").crossing_open
    assert not nest_table(blue="sloop").crossing_open
    assert not nest_table(red="sloop", crossing_open=False).crossing_open
    assert nest_table(red="sloop", crossing_open=True).crossing_open
    assert not nest_table(red="sloop", actions_used=1).crossing_open


@pytest.mark.parametrize("changes", [{"blue": "sloop"}, {"red": "sloop", "actions_used": 1}])
def test_a_crossing_is_open_for_a_captain_that_has_not_acted(changes: dict[str, Any]) -> None:
    with pytest.raises(PositionError, match="only a captain that has not acted yet"):
        nest_table(**changes, crossing_open=True)


def test_a_layout_of_cartagena_has_no_crossing() -> None:
    assert not table(red=[15], hands=("B",)).crossing_open


def test_four_of_a_crew_never_fit_aboard_in_the_nest() -> None:
    with pytest.raises(PositionError, match="at most 3 pirates of a crew are aboard"):
        nest_table(red="sloop sloop sloop sloop")


def test_many_crews_together_do_fit_aboard() -> None:
    position = nest_table(red="sloop sloop sloop", blue="sloop sloop")
    assert [crew.aboard for crew in position.crews] == [3, 2]


def test_a_tunnel_needs_a_game_of_the_tunnel() -> None:
    with pytest.raises(PositionError, match="different games"):
        new(PIRATES_NEST, TUNNEL, seats=2, order=PIRATES_NEST.deck())
    with pytest.raises(PositionError, match="different games"):
        arrange(with_changes(ruleset=PIRATES_NEST))


@pytest.mark.rule("R1.14")
@pytest.mark.parametrize(
    ("stock", "card"),
    [(MIXED[1:], 3), ([*MIXED, 4], 4), ([5, *MIXED[1:]], 3), ([2, *MIXED[1:]], 2), ([*MIXED, 6], 6)],
)
def test_every_card_lies_somewhere_and_no_other_card(stock: list[int], card: int) -> None:
    arrange(with_changes(stock=tuple(MIXED)))
    with pytest.raises(PositionError, match=f"do not make the deck: look for card {card}"):
        arrange(with_changes(stock=tuple(stock)))


@pytest.mark.rule("R1.14")
def test_cards_in_hands_row_and_discard_count_too() -> None:
    deck = tuple(JAMAICA.deck())
    arrange(with_changes(hands=((0, 0), (0,)), discard=(0,), stock=deck[4:]))
    arrange(with_changes(ruleset=TORTUGA, row=(0, 0), stock=deck[2:]))
    for extra in ({"hands": ((0,), ())}, {"hands": ((), (0,))}, {"discard": (0,)}, {"row": (0,)}):
        with pytest.raises(PositionError, match="look for card 0"):
            arrange(with_changes(**extra))


def test_the_row_has_no_more_room_than_its_length() -> None:
    assert table(TORTUGA, row="B" * 12).row_size == 12
    with pytest.raises(PositionError, match="the row has room for 12 cards"):
        table(TORTUGA, row="B" * 13)
    with pytest.raises(PositionError, match="the row has room for 0 cards"):
        table(JAMAICA, row="B")


@pytest.mark.parametrize("hands", [((),), ((), (), ())])
def test_each_crew_has_its_hand(hands: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(PositionError, match="each name every seat once"):
        arrange(with_changes(hands=hands))


@pytest.mark.parametrize("most_home", [(1,), (0, 0, 0)])
def test_each_crew_has_its_most_home_or_none_has(most_home: tuple[int, ...]) -> None:
    with pytest.raises(PositionError, match="each name every seat once"):
        arrange(with_changes(most_home=most_home))


@pytest.mark.parametrize("actions_used", [-1, 4])
def test_no_turn_has_gone_further_than_three_actions(actions_used: int) -> None:
    with pytest.raises(PositionError):
        arrange(with_changes(actions_used=actions_used))


@pytest.mark.parametrize("dock", [0, 3])
def test_there_are_two_docks(dock: int) -> None:
    with pytest.raises(PositionError):
        nest_table(dock=dock)


def test_a_position_laid_out_by_hand_is_played_on() -> None:
    position = table(red="1", hands=("D",))
    assert legal(position) == [play("D", 0), play("D", 1)]
    apply(position, play("D", 1))
    assert places(position, RED) == [0, 0, 0, 0, 0, 2]


@pytest.mark.rule("R1.3")
@pytest.mark.parametrize("crew", [(0,) * 5, (0,) * 7])
def test_no_crew_has_five_or_seven(crew: tuple[int, ...]) -> None:
    with pytest.raises(PositionError, match="a crew has 6 pirates"):
        arrange(with_changes(pirates=((0,) * 6, crew)))


@pytest.mark.parametrize("place", [-1, 38])
def test_no_pirate_stands_before_the_start_or_beyond_home(place: int) -> None:
    with pytest.raises(PositionError, match="on places 0 to 37"):
        arrange(with_changes(pirates=((0,) * 6, (0, 0, 0, 0, 0, place))))


@pytest.mark.rule("R2.17")
def test_no_table_shows_four_pirates_on_a_space() -> None:
    table(red="2", blue="1")
    with pytest.raises(PositionError, match="4 pirates stand on place 1; there is room for 3"):
        table(red="2", blue="2")


@pytest.mark.rule("R6.2")
def test_no_crew_of_a_running_game_is_all_home() -> None:
    arrange(with_changes(pirates=((0,) * 6, (0, 37, 37, 37, 37, 37))))
    with pytest.raises(PositionError, match="all home has won"):
        arrange(with_changes(pirates=((0,) * 6, (37,) * 6)))


@pytest.mark.parametrize(("turn", "last_progress"), [(0, 0), (1, 2), (3, -1)])
def test_progress_was_made_in_a_turn_that_has_been(turn: int, last_progress: int) -> None:
    arrange(with_changes(turn=3, last_progress=3))
    with pytest.raises(PositionError, match="turns are counted from 1"):
        arrange(with_changes(turn=turn, last_progress=last_progress))


def test_the_tunnel_has_no_second_dock() -> None:
    with pytest.raises(PositionError, match="no dock 2"):
        arrange(with_changes(dock=2))


@pytest.mark.parametrize("most_home", [(6, 0), (0, -1)])
def test_no_crew_of_a_running_game_ever_was_all_home(most_home: tuple[int, ...]) -> None:
    arrange(with_changes(most_home=(5, 0)))
    with pytest.raises(PositionError, match="no crew ever had all its pirates home"):
        arrange(with_changes(most_home=most_home))


@pytest.mark.rule("R6.14")
@pytest.mark.parametrize(
    ("rounds", "seats", "turn", "last_progress"),
    [(1, 2, 2, 0), (1, 2, 9, 7), (40, 2, 80, 0), (40, 5, 200, 0), (3, 4, 20, 8), (0, 2, 900, 0)],
)
def test_a_game_may_be_quiet_until_its_last_quiet_turn(
    rounds: int, seats: int, turn: int, last_progress: int
) -> None:
    crews = ((0,) * 6,) * seats
    ruleset = JAMAICA.with_options(quiet_rounds=rounds)
    layout = with_changes(
        ruleset=ruleset, pirates=crews, hands=((),) * seats, turn=turn, last_progress=last_progress
    )
    assert broken_law(arrange(layout)) is None
    if rounds:
        with pytest.raises(
            PositionError, match=f"{rounds * seats} turns without progress.*turn {last_progress + 1} or"
        ):
            arrange(replace(layout, turn=turn + 1))


SIX: tuple[int, ...] = (0,) * 6


@pytest.mark.parametrize(
    ("changes", "fault", "values"),
    [
        ({"pirates": (SIX,), "hands": ((),)}, Fault.SEATS, {"least": 2, "most": 5}),
        ({"seat": 2}, Fault.NO_SUCH_SEAT, {}),
        ({"ruleset": PIRATES_NEST}, Fault.OTHER_BOARD, {}),
        ({"hands": ((),)}, Fault.UNLIKE_LENGTHS, {}),
        ({"most_home": (6, 0)}, Fault.MOST_HOME, {}),
        ({"actions_used": 4}, Fault.ACTIONS_USED, {"most": 3}),
        ({"dock": 2}, Fault.NO_SUCH_DOCK, {}),
        ({"turn": 0}, Fault.TURN, {}),
        ({"turn": 81}, Fault.QUIET, {"turns": 80, "turn": 81, "progress": 1}),
        ({"pirates": (SIX, SIX[1:])}, Fault.CREW_SIZE, {"crew": 1, "pirates": 6}),
        ({"pirates": (SIX, (37,) * 6)}, Fault.ALL_HOME, {"crew": 1}),
        ({"pirates": ((4,) * 6, SIX)}, Fault.CROWDED, {"place": 4, "pirates": 6, "most": 3}),
        ({"discard": (2,)}, Fault.DECK, {"card": 2, "lying": 18, "cards": 17}),
        ({"row": (0,), "stock": tuple(JAMAICA.deck())[1:]}, Fault.ROW_LENGTH, {"most": 0}),
        ({"crossing_open": True}, Fault.CROSSING, {}),
    ],
)
def test_a_refused_layout_says_what_is_wrong(
    changes: dict[str, Any], fault: Fault, values: dict[str, int]
) -> None:
    with pytest.raises(PositionError) as refused:
        arrange(with_changes(**changes))
    assert (refused.value.fault, refused.value.values) == (fault, values)


def test_a_crowded_sloop_names_its_crew() -> None:
    with pytest.raises(PositionError) as refused:
        nest_table(blue="sloop sloop sloop sloop")
    assert (refused.value.fault, refused.value.values) == (Fault.ABOARD, {"crew": 1, "most": 3})
