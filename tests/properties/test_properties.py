"""Laws over short records: no game of any ruleset can break them."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cartagena.bots.random_games import Dice
from cartagena.rules.actions import ACTIONS, Kind, action_of, code_of
from cartagena.rules.codes import EVERY_CODE, codes_of
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.explain import explain
from cartagena.rules.happenings import (
    Drew,
    Moved,
    Renewed,
    RowLaid,
    Sailed,
    TrimDue,
    Trimmed,
    TrimShown,
    TurnEnded,
)
from cartagena.rules.laws import broken_law, same, same_table
from cartagena.rules.legality import advance, apply, legal, refusal, shuffled
from cartagena.rules.position import CHANCE, NOBODY
from cartagena.rules.refusals import IllegalAction
from cartagena.rules.ruleset import PIRATES_NEST, TORTUGA
from cartagena.rules.undoable_game import UNDOS_PER_TURN, UndoableGame
from tests.properties.picture import Picture
from tests.properties.records import Short, chosen, shorts, shuffled_by

laws = settings(deadline=None, max_examples=60)
LONG_NEST = Short(ruleset=PIRATES_NEST, seats=3, seed=5, taste="cards", actions=700)
LONG_TORTUGA = Short(ruleset=TORTUGA, seats=2, seed=8, taste="cards", actions=700)


@laws
@given(shorts())
@example(LONG_NEST)
@example(LONG_TORTUGA)
def test_no_position_breaks_a_law(record: Short) -> None:
    for game, _ in record.moments():
        assert broken_law(game.position) is None


@laws
@given(shorts())
def test_exactly_one_party_is_to_act_until_the_game_is_over(record: Short) -> None:
    for game, _ in record.moments():
        position = game.position
        assert position.to_act == NOBODY if position.over else 0 <= position.to_act < record.seats
        assert bool(legal(position)) == (not position.over)
        assert cards_due(position) == []


@laws
@given(shorts())
def test_chance_acts_exactly_when_cards_are_due(record: Short) -> None:
    position = record.end().position
    for code in legal(position):
        after = position.copy()
        apply(after, code)
        assert (after.to_act == CHANCE) == bool(cards_due(after))
        if after.to_act == CHANCE:
            assert legal(after) == []
            shuffled(after, cards_due(after))
            assert after.to_act != CHANCE
            assert broken_law(after) is None


@laws
@given(shorts())
def test_legal_codes_are_those_without_a_refusal_and_those_that_are_accepted(record: Short) -> None:
    position = record.end().position
    codes = legal(position)
    every = range(codes_of(record.ruleset))
    assert codes == [code for code in every if refusal(position, code) is None]
    for code in every:
        after = position.copy()
        if code in codes:
            apply(after, code)
            assert not same(after, position)
        else:
            with pytest.raises(IllegalAction) as stopped:
                apply(after, code)
            assert stopped.value.refusal is refusal(position, code)
            assert same(after, position)


@laws
@given(shorts())
def test_a_copy_is_equal_and_independent(record: Short) -> None:
    position = record.end().position
    twin, witness = position.copy(), position.copy()
    assert same(twin, position)
    for code in legal(position)[:1]:
        apply(twin, code)
        assert not same(twin, position)
        assert same(witness, position)


@laws
@given(shorts())
def test_an_action_that_is_told_leads_where_an_untold_one_does(record: Short) -> None:
    loud = UndoableGame(record.opening(Dice(record.seed))).position
    quiet = loud.copy()
    dice, twin = Dice(record.seed), Dice(record.seed)
    for _ in range(record.actions):
        if loud.over:
            break
        code = chosen(loud, record.taste, dice)
        assert chosen(quiet, record.taste, twin) == code
        apply(loud, code)
        advance(quiet, code)
        if loud.order_due:
            order = shuffled_by(dice, cards_due(loud))
            shuffled(loud, order)
            take_order(quiet, shuffled_by(twin, cards_due(quiet)))
        assert same(loud, quiet)


@laws
@given(shorts())
@example(LONG_NEST)
@example(LONG_TORTUGA)
def test_happenings_alone_draw_the_right_picture(record: Short) -> None:
    picture = Picture.of(next(record.moments())[0].position)
    for game, told in record.moments():
        for happening in told:
            picture.show(happening)
        assert picture.without_nothing() == Picture.of(game.position).without_nothing()


@laws
@given(shorts())
def test_pirates_go_ahead_by_a_play_or_a_push_and_back_by_a_retreat(record: Short) -> None:
    for game, told in record.moments():
        moves = [happening for happening in told if isinstance(happening, Moved)]
        if moves:
            (move,) = moves
            action = action_of(record.ruleset.family, game.events[-1].code)
            ahead = move.target > move.start
            assert ahead == (action.kind not in (Kind.RETREAT, Kind.DECLINE))
            assert (move.crew == move.seat) == (action.kind is not Kind.PUSH)


@laws
@given(shorts(most=120), st.integers(0, 2**31 - 1))
def test_undo_restores_every_position_of_the_turn(record: Short, seed: int) -> None:
    coin = Dice(seed)
    before = [record.opening(Dice(record.seed))]
    for game, _ in record.moments():
        if game.position.turn != before[-1].turn:
            before = []
        before.append(game.position.copy())
        while game.refusal_of_undo() is None and coin.below(3) == 0:
            game.undo()
            before.pop()
            assert same_table(game.position, before[-1])
        assert game.undos_used <= UNDOS_PER_TURN


@laws
@given(shorts())
def test_what_reveals_something_is_foretold_and_cannot_be_taken_back(record: Short) -> None:
    position = record.end().position
    for code in legal(position):
        game = UndoableGame(position)
        told = game.act(code, list)
        revealed = game.position.barriers > position.barriers
        assert explain(position, code).reveals == revealed
        assert explain(position, code).gains == sum(isinstance(happening, Drew) for happening in told)
        kept = game.position.turn == position.turn and not game.position.over
        assert (game.refusal_of_undo() is None) == (kept and not revealed)


@laws
@given(shorts())
def test_a_game_can_be_replayed_from_its_events(record: Short) -> None:
    game = record.end()
    again = UndoableGame(game.opening)
    for event in game.events:
        again.replay(event)
    assert same(again.position, game.position)
    assert again.events == game.events


@pytest.mark.parametrize("family", EVERY_CODE)
def test_every_code_and_its_action_say_the_same(family: str) -> None:
    assert all(code_of(action_of(family, code)) == code for code in ACTIONS[family])


def test_the_long_records_meet_freebooters_renewals_and_new_rows() -> None:
    met = {
        type(happening)
        for record in (LONG_NEST, LONG_TORTUGA)
        for _, told in record.moments()
        for happening in told
    }
    assert {TrimDue, Trimmed, TrimShown, Renewed, RowLaid, Sailed, TurnEnded} <= met


def test_legal_codes_are_listed_in_ascending_order() -> None:
    for game, _ in LONG_NEST.moments():
        assert all(code < later for code, later in pairwise(legal(game.position)))
