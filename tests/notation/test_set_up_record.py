"""Records that begin with a position that somebody set up, instead of a deal."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from cartagena.bots.random_games import Dice
from cartagena.fairness.record import verify_record
from cartagena.notation import (
    Headers,
    NotationError,
    Record,
    ReplayError,
    Sight,
    format_record,
    headers_of,
    parse_position,
    parse_record,
    record_of,
    record_of_view,
    replay,
    sight_of,
)
from cartagena.notation.sight import all_cards, arranged
from cartagena.rules.legality import legal
from cartagena.rules.position import ACT
from cartagena.rules.undoable_game import UndoableGame
from tests.notation.tables import NEST_TABLE, TORTUGA_TABLE, canonical
from tests.properties.records import Short, chosen, shorts, shuffled_by

LAW = settings(deadline=None, max_examples=40)


def set_up(text: str = TORTUGA_TABLE) -> Record:
    """The record of a printed position and one action."""
    game = UndoableGame(parse_position(text))
    game.act(legal(game.position)[0], list)
    return record_of(game)


def going_on(game: Short) -> UndoableGame:
    """A game that was set up as a short one stands, played on for as many actions."""
    position = game.end().position
    assume(not position.over and position.phase == ACT)
    later, dice = UndoableGame(arranged(sight_of(position))), Dice(game.seed + 1)
    for _ in range(game.actions):
        if later.position.over:
            break
        later.act(chosen(later.position, game.taste, dice), lambda due: shuffled_by(dice, due))
    return later


def opening_of(record: Record) -> Sight:
    assert record.headers.opening is not None
    return record.headers.opening


@pytest.mark.parametrize("table", [TORTUGA_TABLE, NEST_TABLE])
def test_the_lines_of_the_position_stand_instead_of_the_deal(table: str) -> None:
    record = set_up(table)
    text = format_record(record)
    after_board = canonical(table).splitlines()[2:]
    assert text.splitlines()[8 : 8 + len(after_board)] == after_board
    assert "Deal" not in text
    assert "First" not in text
    assert parse_record(text) == record
    assert replay(record).position == replay(parse_record(text)).position


@LAW
@given(shorts(most=80))
def test_what_is_set_up_is_written_read_and_played_again(game: Short) -> None:
    later = going_on(game)
    record = record_of(later)
    assert parse_record(format_record(record)) == record
    assert replay(record).position == later.position


@LAW
@given(shorts(most=80))
def test_a_view_knows_what_its_seat_held_drew_or_saw(game: Short) -> None:
    later = going_on(game)
    assume(not later.position.over)
    record, opening = record_of(later), later.opening
    assume(record.headers.opening is not None)
    for seat in (None, *range(opening.seats)):
        seen = record_of_view(record, seat)
        told = opening_of(seen)
        assert parse_record(format_record(seen)) == seen
        for owner, (hand, crew) in enumerate(zip(told.hands, opening.crews, strict=True)):
            may_know = opening.ruleset.hands_open or owner == seat
            assert hand == (tuple(crew.cards()) if may_know else (None,) * len(crew.cards()))
        assert told.row == opening.row()
        assert told.discard == tuple(opening.discard)
        assert all(one in (None, two) for one, two in zip(told.stock, opening.stock(), strict=True))


@LAW
@given(shorts(most=80))
def test_a_view_does_not_depend_on_the_cards_still_to_come(game: Short) -> None:
    later = going_on(game)
    assume(not later.position.over and not later.position.renewals)
    record = record_of(later)
    assume(record.headers.opening is not None)
    opening, left = opening_of(record), list(later.position.stock())
    Dice(game.seed).shuffle(left)
    stock = opening.stock[: len(opening.stock) - len(left)] + tuple(left)
    twin = replace(record, headers=replace(record.headers, opening=replace(opening, stock=stock)))
    for seat in (None, *range(later.position.seats)):
        assert record_of_view(twin, seat) == record_of_view(record, seat)


def test_a_view_is_not_replayed() -> None:
    with pytest.raises(ReplayError, match="the position is not fully known"):
        replay(record_of_view(set_up(), 0))


def test_no_shuffle_proves_a_position() -> None:
    headers = replace(
        set_up().headers, game_id="g", commitment="0" * 64, nonce_hashes=(None,) * 4, nonces=(None,) * 4
    )
    report = verify_record(replace(set_up(), headers=replace(headers, secret=bytes(32))))
    assert report.missing == ("Deal",)
    assert not report.holds


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("Row: ", "First: red\nRow: ", "no deal beside the lines of a position"),
        ("Seat: green\n", "", "a seat for each of the 4 crews, not 3"),
        ("Stock: bottle", "Stock: dagger", "another position, because"),
        ("Used: 1\n", "Used: 1\nUsed: 2\n", "Used only once"),
    ],
)
def test_a_position_that_cannot_be_is_refused(old: str, new: str, wrong: str) -> None:
    text = format_record(set_up())
    assert old in text
    with pytest.raises(NotationError, match=wrong):
        parse_record(text.replace(old, new, 1))


def test_a_record_without_any_beginning_names_the_deal() -> None:
    kept = [line for line in format_record(set_up()).splitlines() if not line.startswith(("Row", "Stock"))]
    keys = ("red", "blue", "yellow", "green", "Discard", "Turn", "Used", "Progress", "Most")
    with pytest.raises(NotationError, match="also a line 'First'"):
        parse_record("\n".join(line for line in kept if not line.startswith(keys)) + "\n")


def test_headers_and_their_opening_are_of_one_game() -> None:
    headers: Headers = headers_of(parse_position(TORTUGA_TABLE))
    assert None not in all_cards(opening_of(set_up()))
    for other in ({"first_seat": 0}, {"deal": (1,)}, {"names": ("a", "b")}):
        with pytest.raises(ValueError, match="an opening is a position of this game"):
            replace(headers, **other)
