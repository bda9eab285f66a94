"""Positions as text: what is written, and what is refused."""

import pytest

from cartagena.notation import (
    NotationError,
    format_position,
    parse_action,
    parse_position,
    parse_sight,
    sight_of,
    sight_of_view,
)
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import apply, legal
from cartagena.rules.refusals import PositionError
from tests.notation.tables import NEST_TABLE, TORTUGA_TABLE, canonical


def test_the_printed_position_of_tortuga_is_read() -> None:
    position = parse_position(TORTUGA_TABLE)
    assert [crew.places(37) for crew in position.crews][2] == [0, 9, 21, 30, 33, 37]
    assert position.crews[1].cards() == [0, 1, 1, 1, 1, 2, 4, 5, 5]
    assert (position.seat, position.turn, position.actions_used, position.last_progress) == (1, 30, 1, 20)
    assert [crew.most_home for crew in position.crews] == [0, 0, 1, 0]
    assert position.row()[:3] == (0, 1, 1)


def test_a_position_is_written_in_full() -> None:
    lines = canonical(TORTUGA_TABLE).splitlines()
    assert lines[2] == "red: 5 8 17*2 22 26 / bottle pistol*3 skull"
    assert lines[-4:] == ["Turn: 30 blue", "Used: 1", "Progress: 20", "Most home: 0 0 1 0"]
    nest = canonical(NEST_TABLE).splitlines()
    assert nest[5] == "green: 3 9 14*2 sloop*2 / ducats map telescope"
    assert nest[-2:] == ["Dock: 1", "Crossing: open"]
    assert not any(line.startswith("Row") for line in nest)


def test_the_captains_rule_decides_unless_the_crossing_is_written() -> None:
    assert parse_position(NEST_TABLE).crossing_open
    assert not parse_position(NEST_TABLE.replace("11 yellow", "11 blue")).crossing_open
    assert not parse_position(NEST_TABLE + "Crossing: closed\n").crossing_open
    assert parse_position(NEST_TABLE + "Crossing: open\n").crossing_open


def test_empty_hands_and_piles_are_written() -> None:
    table = TORTUGA_TABLE.replace("/ bottle key skull\n", "/ none\n").replace(
        "Stock: ", "Stock: bottle key skull "
    )
    text = canonical(table)
    assert "yellow: start 9 21 30 33 sloop / none" in text
    assert sight_of(parse_position(text)) == parse_sight(table)


def test_a_view_is_written_with_question_marks() -> None:
    position = parse_position(NEST_TABLE)
    text = format_position(view(position, 1))
    assert "red: start*2 5 16 20 28 / ?*4" in text
    assert "blue: start 5 13 sloop 18 25 / cannon chest compass ducats parrot" in text
    assert "Stock: ?*42" in text
    assert parse_sight(text) == sight_of_view(view(position, 1))
    with pytest.raises(NotationError, match=r"line 3.*only known cards.*found 'start.*4'"):
        parse_position(text)


def test_open_hands_and_the_row_are_seen_by_all() -> None:
    position = parse_position(TORTUGA_TABLE)
    text = format_position(view(position, None))
    assert text.replace("Stock: ?*25", "") == format_position(position).replace(
        "Stock: bottle*4 dagger*4 hat*4 key*5 pistol*4 skull*4", ""
    )


def test_a_trim_is_no_position_of_the_notation() -> None:
    position = parse_position(
        NEST_TABLE.replace("/ compass*3 map", "/ compass*3 map gold_map")
        .replace(" gold_map\nDisc", "\nDisc")
        .replace("/ map telescope ducats", "/ map*4 telescope*3 ducats*3")
        .replace("map*6 parrot*6 telescope*6", "map*3 parrot*6 telescope*4")
        .replace("compass*4 ducats*6 ", "compass*4 ducats*4 ")
    )
    apply(position, parse_action("nest", "play gold_map 3"))
    assert legal(position)
    for whatever in (position, view(position, 0)):
        with pytest.raises(PositionError, match="a seat begins or goes on"):
            format_position(whatever)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "expected"),
    [
        ("Ruleset: tortuga", "Ruleset: cuba", 2, 10, "a ruleset ("),
        ("Ruleset: tortuga\n", "", 12, 11, "also a line 'Ruleset'"),
        ("Turn: 30", "Turns: 30", 11, 1, "a line with one of the keys Ruleset, Board, red"),
        ("Used: 1", "Used 1", 12, 1, "a line with one of the keys"),
        ("Used: 1", "Used: 1\nUsed: 1", 13, 1, "Used only once"),
        ("Used: 1", "Used: 4", 12, 7, "a number from 0 to 3"),
        ("Used: 1", "Used: 1 1", 12, 9, "the end of the line"),
        ("Progress: 20", "Progress: 31", 13, 11, "a number from 0 to 30"),
        ("Turn: 30 blue", "Turn: 0 blue", 11, 7, "the number of the turn"),
        ("Turn: 30 blue", "Turn: 30 violet", 11, 10, "a crew that plays"),
        ("Turn: 30 blue", "Turn: 30 blue red", 11, 15, "the end of the line"),
        ("blue: start", "violet: start", 13, 11, "also a line 'blue'"),
        ("red: 5 8", "red: 5", 4, 19, "the places of 6 pirates before '/', not of 5"),
        ("red: 5 8", "red: 5 38", 4, 8, "a place ("),
        ("red: 5 8 17*2", "red: 5 8 17*x", 4, 10, "17*NUMBER"),
        ("red: 5 8 17*2", "red: 5 8 17*0", 4, 10, "17*NUMBER"),
        ("26 / bottle", "26 , bottle", 4, 21, "a place ("),
        ("26 / bottle", "26 bottle", 4, 21, "a place ("),
        ("/ bottle skull pistol*3", "/", 4, 22, "cards, or 'none'"),
        ("/ bottle skull pistol*3", "/ bottle skull pistol*3 / key", 4, 45, "the end of the line"),
        ("/ bottle skull pistol*3", "/ bottle skull*3", 13, 11, "another position, because hands, row"),
        ("red: 5 8 17*2", "red: 6*2 17*2", 13, 11, "another position, because 4 pirates stand"),
        ("Row: bottle dagger*2", "Row: bottle dagger*2 |", 8, 22, "a card ("),
        ("Row: bottle", "Row: none bottle", 8, 11, "the end of the line"),
        ("Board: bottle pistol", "Board: bottle bottle", 3, 8, "another board, because the spaces 1 to 6"),
        ("Board: bottle pistol", "Board: bottle |", 3, 15, "a sign ("),
        ("dagger key | dagger", "dagger key dagger", 3, 43, "'|'"),
        ("Used: 1", "Dock: 2", 12, 7, "a number from 1 to 1"),
        ("Used: 1", "Crossing: open", 12, 11, "closed"),
        ("Used: 1", "Crossing: closed closed", 12, 18, "the end of the line"),
        ("Used: 1", "Most home: 0 0 1", 12, 17, "a number from 0 to 6 for each crew"),
        ("Used: 1", "Most home: 0 0 1 0 0", 12, 20, "the end of the line"),
        ("Used: 1", "Most home: 0 0 1 7", 12, 18, "a number from 0 to 6 for each crew"),
    ],
)
def test_what_is_no_position_is_pointed_at(old: str, new: str, line: int, column: int, expected: str) -> None:
    assert old in TORTUGA_TABLE
    with pytest.raises(NotationError) as caught:
        parse_position(TORTUGA_TABLE.replace(old, new, 1))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.expected.startswith(expected)


def test_nothing_is_no_position() -> None:
    with pytest.raises(NotationError, match="also a line 'Ruleset'"):
        parse_position("# nothing\n\n")
