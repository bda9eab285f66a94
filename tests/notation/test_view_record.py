"""The record of a view holds what its seat may know, and nothing more."""

from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cartagena.bots.random_games import Dice, random_board
from cartagena.notation import (
    Ending,
    Record,
    Result,
    format_record,
    headers_of,
    parse_action,
    parse_record,
    record_of,
    record_of_view,
)
from cartagena.notation.names import Cards
from cartagena.rules.position import LOG_DREW, LOG_LAID, LOG_RENEWED
from cartagena.rules.ruleset import JAMAICA, NEST, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import UndoableGame
from tests.properties.records import Short, shorts

LAW = settings(deadline=None, max_examples=40)
"""A law may take its time: a long game is one example."""


def short(ruleset: Ruleset, seed: int = 5, actions: int = 60) -> Short:
    return Short(ruleset=ruleset, seats=2, seed=seed, taste="cards", actions=actions)


def recorded(game: Short) -> Record:
    """The record of a short game, its deal as it came from the dice."""
    end = game.end()
    secret = {"commitment": "0" * 64, "secret": bytes(32), "nonces": (None,) * game.seats}
    return replace(record_of(end), headers=replace(headers_of(end.opening), **secret))  # type: ignore[arg-type]


def orders(record: Record) -> list[Cards]:
    return [record.headers.deal, *(order for step in record.steps for order in step.orders)]


def known(record: Record) -> list[int]:
    return [card for order in orders(record) for card in order if card is not None]


@LAW
@example(short(JAMAICA, seed=2, actions=250))
@example(short(JAMAICA.with_options(reshuffle="turn_over"), seed=4, actions=250))
@given(shorts())
def test_of_hidden_hands_a_seat_knows_its_own_cards_only(game: Short) -> None:
    assume(not game.ruleset.hands_open)
    end = game.end()
    assume(not end.position.over)
    record = recorded(game)
    log = end.position.log
    if game.ruleset.reshuffle == "turn_over" and LOG_RENEWED in log:
        log = log[: log.index(LOG_RENEWED)]
    for seat, crew in enumerate(end.opening.crews):
        drawn = [entry % 16 for entry in log if LOG_DREW <= entry < LOG_LAID and entry // 16 == seat]
        assert known(record_of_view(record, seat)) == crew.cards() + drawn
    assert known(record_of_view(record, None)) == []


@LAW
@given(shorts(most=60), st.sampled_from(["immediate", "on_demand"]))
def test_open_hands_and_rows_are_known_to_all(game: Short, refill: str) -> None:
    game = replace(game, ruleset=TORTUGA.with_options(row_refill=refill))
    end = game.end()
    assert not end.position.over
    seen = record_of_view(recorded(game), None).headers.deal
    hidden = end.position.stock_size
    assert None not in seen[: len(seen) - hidden]
    assert seen[len(seen) - hidden :] == (None,) * hidden
    assert all(record_of_view(recorded(game), seat).headers.deal == seen for seat in range(game.seats))


@LAW
@given(shorts(most=80), st.integers(0, 1000))
def test_a_view_does_not_depend_on_the_cards_still_to_come(game: Short, seed: int) -> None:
    end = game.end()
    assume(not end.position.over and not end.position.renewals)
    record = recorded(game)
    stock = list(end.position.stock())
    Dice(seed).shuffle(stock)
    deal = record.headers.deal[: len(record.headers.deal) - len(stock)] + tuple(stock)
    twin = replace(record, headers=replace(record.headers, deal=deal))
    for seat in (None, *range(game.seats)):
        assert record_of_view(twin, seat) == record_of_view(record, seat)


@LAW
@given(shorts())
def test_every_seat_knows_what_a_spectator_knows_and_reads_it_back(game: Short) -> None:
    record = recorded(game)
    watched = record_of_view(record, None)
    assert parse_record(format_record(watched)) == watched
    for seat in range(game.seats):
        mine = record_of_view(record, seat)
        assert parse_record(format_record(mine)) == mine
        for theirs, own, truth in zip(*map(orders, (watched, mine, record)), strict=True):
            assert all(one in (None, two) for one, two in zip(theirs, own, strict=True))
            assert all(one in (None, two) for one, two in zip(own, truth, strict=True))


@pytest.mark.parametrize("short_row", ["top_up", "short"])
def test_of_a_renewed_stock_the_row_is_known(short_row: str) -> None:
    """With 2 and 4 seats the row is topped up by the renewal, so that it is laid from two orders."""
    game = Short(
        ruleset=TORTUGA.with_options(short_row=short_row), seats=4, seed=5, taste="cards", actions=400
    )
    renewed = next(done for done, (so_far, _) in enumerate(game.moments()) if so_far.position.renewals)
    game = replace(game, actions=renewed)
    record = recorded(game)
    deal, order = orders(record)
    seen_deal, seen_order = orders(record_of_view(record, None))
    hidden = game.end().position.stock_size
    assert 0 < hidden < len(order)
    assert seen_deal == deal
    assert seen_order == order[: len(order) - hidden] + (None,) * hidden


def test_the_secret_stays_secret_until_the_end() -> None:
    record = recorded(short(JAMAICA))
    assert record.result.ending is Ending.RUNNING
    headers = record_of_view(record, 0).headers
    assert (headers.secret, headers.nonces, headers.commitment) == (None, None, "0" * 64)
    over = replace(record, result=Result(Ending.RESIGNED))
    assert record_of_view(over, None) == over


def trim_due() -> UndoableGame:
    """Red, with the freebooter of the cannon, has pushed blue five times and so holds too many cards."""
    deck = [7, 0, 1, 2, 3, 4, 5]
    rest = PIRATES_NEST.deck()
    for card in deck:
        rest.remove(card)
    game = UndoableGame(new(PIRATES_NEST, random_board(NEST, Dice(1)), seats=2, order=deck + rest))
    turn = ["push blue start"] * 2
    for text in (*turn, "end_turn", *(["push red start"] * 3), "end_turn", "play gold_cannon start"):
        game.act(parse_action("nest", text), list)
    return game


def test_a_trim_lies_face_down_until_all_have_chosen() -> None:
    game = trim_due()
    assert [crew.hand_size() for crew in game.position.crews] == [10, 13]
    while game.position.phase == 1:
        position = game.position
        record = record_of(game)
        trims = [step for step in record.steps if 3 <= (step.code or 0) < 17]
        assert len(trims) == len(position.trimmed)
        for seat in (None, 0, 1):
            shown = record_of_view(record, seat).steps[len(record.steps) - len(trims) :]
            assert [step.code is None for step in shown] == [step.seat != seat for step in trims]
        assert parse_record(format_record(record_of_view(record, None))) == record_of_view(record, None)
        first = next(card for card in position.crews[position.trimmer].cards())
        game.act(3 + first, list)
    assert record_of_view(record_of(game), None).steps == record_of(game).steps
