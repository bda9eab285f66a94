"""A position: what it tells when it changes, and its copies."""

import pytest

from cartagena.rules.codes import END_TURN
from cartagena.rules.crew import Crew
from cartagena.rules.draw import take_order
from cartagena.rules.happenings import (
    Dead,
    Drew,
    Moved,
    Played,
    Renewed,
    RowLaid,
)
from cartagena.rules.legality import advance, apply, shuffled
from cartagena.rules.places import SLOOP
from cartagena.rules.position import (
    ACT,
    CHANCE,
    DEAD,
    LOG_DREW,
    LOG_LAID,
    LOG_RENEWED,
    NOBODY,
    OVER,
    QUIET,
    RUNNING,
    TRIM,
    WON,
    Position,
)
from cartagena.rules.refusals import IllegalAction, PositionError
from cartagena.rules.ruleset import JAMAICA, TORTUGA
from tests.tables import BLUE, RED, hand, names, nest_table, play, retreat, table, truth

# What is told, and what is not.


def test_what_happened_is_told_in_its_order() -> None:
    position = table(red="1.1", hands=("D", "B"), stock="H")
    assert apply(position, play("D", 1)) == [Played(RED, 1), Moved(RED, RED, 1, 2)]
    assert apply(position, retreat(3)) == [Moved(RED, RED, 3, 2), Drew(RED, 2, from_row=False)]
    assert position.told is None


def test_untold_actions_change_the_position_alike() -> None:
    codes = [play("D", 1), retreat(3), END_TURN]
    told = table(red="1.1", hands=("D", "B"), stock="H")
    untold = told.copy()
    for code in codes:
        apply(told, code)
        advance(untold, code)
    assert truth(told) == truth(untold)
    assert hand(untold, RED) == "H"


def test_the_end_may_come_untold() -> None:
    position = table(hands=("B",))
    apply(position, play("B", 0))
    told = position.copy()
    advance(position, END_TURN)
    assert apply(told, END_TURN) == [Dead(None)]
    assert truth(position) == truth(told)


def test_an_order_of_cards_may_come_untold() -> None:
    told = table(TORTUGA, red="11", stock="H", discard="BDK", rest="blue")
    apply(told, retreat(2))
    untold = told.copy()
    assert shuffled(told, [3, 0, 1]) == [
        Renewed(3, None),
        RowLaid((2, 3, 0, 1)),
        Drew(RED, 2, from_row=True),
    ]
    take_order(untold, [3, 0, 1])
    assert truth(untold) == truth(told)


def test_nothing_is_told_of_what_was_refused() -> None:
    position = table(hands=("B",))
    with pytest.raises(IllegalAction):
        apply(position, END_TURN)
    with pytest.raises(PositionError):
        shuffled(position, [])
    assert position.told is None


# Copies.


def busy() -> Position:
    """A position in which no attribute has the value it begins with."""
    position = nest_table(
        red="3 3 5 5 5 nest",
        blue="3 sloop sloop nest nest 20",
        hands=("map map MAP parrot", "ca CA CH"),
        stock="te te",
        discard="co co DU",
        seat=BLUE,
        actions_used=2,
        dock=2,
        turn=7,
        last_progress=3,
        most_home=(2, 4),
    )
    position.row_head, position.stock_top = 1, 2
    position.phase, position.trimmer, position.trimmed = TRIM, 1, [17, 3]
    position.order_due, position.laying, position.owed = True, True, 2
    position.crossing_open = True
    position.renewals, position.barriers = 5, 6
    position.ending, position.winner, position.log = QUIET, 1, [3, 131, LOG_RENEWED]
    return position


def test_a_copy_knows_all_that_the_position_knows() -> None:
    position = busy()
    fresh = truth(Position(JAMAICA, table().board, [Crew(), Crew()]))
    known = truth(position)
    assert [name for name in known if known[name] == fresh[name]] == ["told"]
    assert truth(position.copy()) == known


def test_a_copy_of_a_crew_knows_all_that_the_crew_knows() -> None:
    crew = Crew()
    for number, name in enumerate(names(crew), start=11):
        setattr(crew, name, number)
    twin = crew.copy()
    assert [getattr(twin, name) for name in names(crew)] == list(range(11, 11 + len(names(crew))))


def test_a_copy_tells_nobody() -> None:
    position = table()
    position.told = []
    assert position.copy().told is None


def test_changing_a_copy_never_changes_the_position() -> None:
    position = busy()
    before = truth(position)
    twin = position.copy()
    for name in ("row_head", "stock_top", "seat", "actions_used", "dock", "phase", "trimmer", "owed"):
        setattr(twin, name, 9)
    for name in ("turn", "last_progress", "renewals", "barriers", "ending", "winner"):
        setattr(twin, name, 9)
    for pile in (twin.discard, twin.trimmed, twin.log):
        pile.append(1)
    for crew in twin.crews:
        for name in names(crew):
            setattr(crew, name, 9)
    twin.crowd.first = twin.crowd.second = twin.crowd.third = 9
    twin.order, twin.order_due, twin.laying, twin.crossing_open = b"", False, False, False
    assert truth(position) == before


def test_the_mover_of_a_copy_is_one_of_its_own_crews() -> None:
    position = table(hands=("B", "D"), seat=BLUE)
    twin = position.copy()
    assert twin.mover is twin.crews[BLUE]
    apply(twin, play("D", 0))
    assert (hand(twin, BLUE), hand(position, BLUE)) == ("", "D")


def test_a_game_goes_on_alike_in_its_copy() -> None:
    position = table(TORTUGA, red="11", blue="..1", hands=("KB", "S"), row="HDP")
    twin = position.copy()
    for code in (play("K", 0), retreat(2), END_TURN, play("S", 3), END_TURN):
        assert apply(position, code) == apply(twin, code)
    assert truth(position) == truth(twin)


# The private log of hidden hands.


def test_the_log_of_hidden_hands_keeps_draws_plays_and_renewals() -> None:
    position = table(red="11", blue=".1", hands=("K",), discard="SS", rest="blue", seat=RED)
    apply(position, play("K", 2))
    apply(position, retreat(4))
    shuffled(position, [5, 3, 5])
    apply(position, END_TURN)
    apply(position, play("B", 0))
    assert position.log == [
        LOG_LAID + 3,
        LOG_RENEWED,
        LOG_DREW + 5,
        LOG_LAID + 16 + 0,
    ]
    assert (LOG_DREW, LOG_LAID, LOG_RENEWED) == (0, 128, 256)


def test_the_log_names_the_seat_that_drew() -> None:
    position = table(blue="11", stock="P", seat=BLUE)
    apply(position, retreat(2))
    assert position.log == [LOG_DREW + 16 * BLUE + 4]


def test_open_hands_need_no_log() -> None:
    position = table(TORTUGA, red="11", hands=("K",), row="B", stock="D", discard="H", rest="blue")
    apply(position, play("K", 0))
    apply(position, retreat(2))
    shuffled(position, [2, 3])
    assert (position.renewals, position.log) == (1, [])


# Verbs and names.


def test_parties_phases_and_ends_have_numbers_of_their_own() -> None:
    assert (CHANCE, NOBODY) == (-1, -2)
    assert (ACT, TRIM, OVER) == (0, 1, 2)
    assert (RUNNING, WON, DEAD, QUIET) == (0, 1, 2, 3)


def test_a_pirate_is_lifted_from_wherever_it_stands() -> None:
    position = nest_table(red="3 sloop 20 nest", blue="3")
    crew = position.crews[RED]
    for place, left in ((0, [3, 15, 21, 37]), (3, [15, 21, 37]), (15, [21, 37]), (37, [21]), (21, [])):
        position.lift(crew, place)
        assert [standing for standing in crew.places(SLOOP) if standing] == left
    assert crew.at_start == 1
    assert position.crowd.first == 1 << 3


def test_place_15_of_the_tunnel_is_a_space() -> None:
    position = table(red=[15], hands=("K",))
    apply(position, play("K", 15))
    assert position.crews[RED].places(SLOOP) == [0, 0, 0, 0, 0, 16]
    assert position.crews[RED].aboard == 0
