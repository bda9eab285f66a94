"""A record and its game: replay finds the first wrong action."""

from dataclasses import replace

import pytest

from cartagena.notation import (
    Ending,
    Record,
    ReplayError,
    Result,
    format_record,
    headers_of,
    parse_action,
    parse_record,
    record_of,
    replay,
)
from cartagena.notation.replay import replay_step, result_of
from cartagena.rules.board import Board
from cartagena.rules.legality import legal
from cartagena.rules.places import PLACES
from cartagena.rules.position import DEAD, NOBODY, QUIET, Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import JAMAICA
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import UndoableGame

TUNNEL = Board.of_segments(range(6), [False] * 6)
DEAL = [*range(6)] * 17


def begun() -> UndoableGame:
    """Jamaica for two; blue plays two cards and retreats, red plays one."""
    game = UndoableGame(new(JAMAICA, TUNNEL, seats=2, order=DEAL, first_seat=1))
    for text in ("play bottle start", "play pistol start", "retreat 2", "end_turn", "play hat start"):
        game.act(parse_action("escape", text), list)
    return game


@pytest.fixture
def record() -> Record:
    return record_of(begun())


def test_a_record_gives_its_game_again(record: Record) -> None:
    assert [step.turn for step in record.steps] == [1, 1, 1, 1, 2]
    assert [step.seat for step in record.steps] == [1, 1, 1, 1, 0]
    assert record.headers.names == ("", "")
    assert record.result == Result(Ending.RUNNING)
    again = replay(record)
    assert again.events == begun().events
    assert record_of(again) == record


def wrong(record: Record, old: str, new: str) -> ReplayError:
    text = format_record(record)
    assert old in text
    with pytest.raises(ReplayError) as caught:
        replay(parse_record(text.replace(old, new)))
    return caught.value


def test_a_refused_action_is_named_with_its_line_and_its_rule(record: Record) -> None:
    error = wrong(record, "retreat 2", "retreat 36")
    assert str(error) == "line 9, column 47: retreat 36 is refused: no_pirate_there (rule R4.1)"
    assert (error.line, error.column, error.refusal) == (9, 47, Refusal.RETREAT_NO_PIRATE_THERE)


def test_a_wrong_seat_and_a_wrong_turn_are_found(record: Record) -> None:
    assert str(wrong(record, "2 red: play", "2 blue: play")).endswith("it is turn 2 and red is to act")
    assert str(wrong(record, "2 red: play", "3 red: play")).endswith("it is turn 2 and red is to act")


def test_an_order_that_is_not_due_is_found(record: Record) -> None:
    error = wrong(record, "retreat 2", "retreat 2 [order: skull]")
    assert error.reason == "retreat 2: the orders of cards do not fit"


def test_an_order_of_other_cards_is_found() -> None:
    game = begun()
    while not game.events[-1].orders:
        game.act(hungry(game.position), list)
    record = record_of(game)
    assert replay(record).events == game.events
    order = game.events[-1].orders[0]
    last = record.steps[-1]
    for orders in ((), ((*order[1:], (order[0] + 1) % 6),)):
        with pytest.raises(ReplayError, match="the orders of cards do not fit"):
            replay(replace(record, steps=(*record.steps[:-1], replace(last, orders=orders))))


def hungry(position: Position) -> int:
    """A choice that uses up the stock: retreat, else play, else end the turn."""
    codes = legal(position)
    retreats = [code for code in codes if 0 < code < PLACES]
    return retreats[0] if retreats else codes[-1]


def test_the_result_must_be_the_one_the_rules_give(record: Record) -> None:
    error = wrong(record, "Result: running", "Result: red wins")
    assert str(error) == "the record says 'red wins', but its game is 'running'"


@pytest.mark.parametrize("ending", [Ending.RESIGNED, Ending.ABANDONED])
def test_players_may_leave_a_running_game(ending: Ending) -> None:
    left = record_of(begun(), result=Result(ending))
    assert replay(parse_record(format_record(left))).events == begun().events


def test_after_the_end_nothing_follows(record: Record) -> None:
    game = begun()
    game.position.finish(QUIET, NOBODY)
    with pytest.raises(ReplayError, match="game_over"):
        replay_step(game, record.steps[0])


@pytest.mark.parametrize(("ending", "winner"), [(DEAD, 1), (DEAD, None), (QUIET, None)])
def test_an_end_without_a_sixth_pirate_is_a_result_too(ending: int, winner: int | None) -> None:
    position = begun().position
    position.finish(ending, NOBODY if winner is None else winner)
    assert result_of(position) == Result({DEAD: Ending.DEAD, QUIET: Ending.QUIET}[ending], winner)


def test_newer_rules_are_not_replayed(record: Record) -> None:
    assert str(wrong(record, "Rules: 1", "Rules: 2")) == "rules version 2 is newer than 1"


def test_a_view_is_not_replayed(record: Record) -> None:
    hidden = replace(record, headers=replace(record.headers, deal=(None,) * 102))
    with pytest.raises(ReplayError, match="the deal is not fully known"):
        replay(hidden)
    unknown = replace(record.steps[2], orders=((None,),))
    with pytest.raises(ReplayError, match="not everything is known"):
        replay(replace(record, steps=(*record.steps[:2], unknown)))


def test_the_order_of_the_deal_and_names_may_be_given() -> None:
    opening = new(JAMAICA, TUNNEL, seats=2, order=[5, 4, 3, 2, 1, 0, *DEAL[6:]])
    headers = headers_of(opening, [5, 4, 3, 2, 1, 0, *DEAL[6:]], ["Ada", "Bob"])
    assert headers.deal[:6] == (5, 4, 3, 2, 1, 0)
    assert headers.names == ("Ada", "Bob")
    assert headers_of(opening).deal[:6] == (0, 1, 2, 3, 4, 5)
    with pytest.raises(ValueError, match="does not begin with this deal"):
        headers_of(opening, [1, *DEAL[1:7], 0, *DEAL[8:]])
