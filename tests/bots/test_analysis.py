"""Analysis: chances after every action, decisions judged by what their seats knew, marks with a meaning."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cartagena.bots.analysis.annotation import Analysis, analyse, stock_unknown
from cartagena.bots.analysis.comparison import Duel, Prospect, Scales, decision_of
from cartagena.bots.analysis.marks import (
    Mark,
    Weighed,
    in_points,
    is_find_in,
    judge,
    mark_of,
    weigh,
)
from cartagena.notation.record import Ending, Record, Result
from cartagena.notation.record_reader import parse_record
from cartagena.notation.replay import record_of_view
from cartagena.notation.tokens import ReplayError
from cartagena.rules.codes import END_TURN
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.legality import advance, legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, TORTUGA
from tests.bots.test_no_truth import STORIES, twins
from tests.tables import BLUE, RED, nest_table, play, retreat, table, trim

RECORDS = Path(__file__).parents[1] / "records"
RACE = parse_record((Path(__file__).parent / "race.record").read_text(encoding="utf-8"))
"""A race that blue, one card from winning in turn 24, gives away; red wins in turn 25."""

ALL_HOME_BUT_ONE = [36, 37, 37, 37, 37, 37]


def recorded(name: str) -> Record:
    return parse_record((RECORDS / f"{name}.record").read_text(encoding="utf-8"))


def last_turns(record: Record, turns: int = 2) -> Analysis:
    """A quick look at the end of a record."""
    return analyse(record, simulations=12, from_turn=record.steps[-1].turn - turns + 1)


def weighed(position: Position, *codes: int, simulations: int = 24) -> Weighed | None:
    draw = Worlds(view(position, position.to_act)).draw
    return weigh(Scales(draw, Random(1), simulations), codes)


# Chances.


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name", ["tortuga-2", "tortuga-4", "jamaica-2", "jamaica-3", "nest-2", "nest-5", "tortuga-5-running"]
)
def test_the_chances_after_every_action_are_one_together(name: str) -> None:
    record = recorded(name)
    analysis = last_turns(record)
    assert analysis.skipped + len(analysis.moments) == len(record.steps)
    for chances in (analysis.before, *(moment.chances for moment in analysis.moments)):
        assert len(chances) == record.headers.seats
        assert sum(chances) == pytest.approx(1)
    winner = record.result.winner
    assert winner is None or analysis.moments[-1].chances[winner] == 1.0


def test_a_game_without_a_winner_ends_with_equal_chances() -> None:
    assert last_turns(recorded("jamaica-5-quiet"), 1).moments[-1].chances == (0.2,) * 5


def test_the_end_of_a_turn_that_is_all_that_is_left_changes_no_chance() -> None:
    moments = last_turns(RACE).moments
    assert RACE.steps[-4].code == END_TURN
    assert moments[-5].chances == moments[-4].chances


def test_the_order_of_the_stock_is_nobodys_business() -> None:
    position = table(TORTUGA, row="K" * 12, stock="BDHKPS", hands=("B", "D"))
    twin = position.copy()
    twin.order = position.order[: position.stock_top] + position.order[position.stock_top :][::-1]
    assert twin.stock() != position.stock()
    one, other = (Scales(stock_unknown(truth), Random(1), 12) for truth in (position, twin))
    assert [world.stock() for world in one.worlds] == [world.stock() for world in other.worlds]
    assert one.chances() == other.chances()
    assert one.worlds[0].stock() != one.worlds[1].stock()


def test_a_stock_that_was_turned_over_lies_as_it_lies() -> None:
    position = table(replace(JAMAICA, reshuffle="turn_over"), stock="BDHKPS", hands=("B", "D"))
    position.renewals = 1
    worlds = Scales(stock_unknown(position), Random(1), 12).worlds
    assert {world.stock() for world in worlds} == {position.stock()}


# Decisions.


def test_a_decision_ends_with_the_turn_or_where_something_is_learned() -> None:
    open_table = table(TORTUGA, row="K" * 12, red=[7, 6], blue=[5], hands=("BB", "B"))
    line = [retreat(7), play("B", 6), retreat(6), END_TURN]
    assert decision_of(open_table, [*line, play("B", 5)]).codes == tuple(line)
    hidden = table(JAMAICA, red=[7, 6], blue=[5], hands=("BB", "B"))
    assert decision_of(hidden, line).codes == (retreat(7),)
    late = table(JAMAICA, red=[7, 6], blue=[5], hands=("BB", "B"), actions_used=2)
    assert decision_of(late, [retreat(7), END_TURN]).codes == (retreat(7), END_TURN)


def test_two_orders_of_the_same_actions_are_one_decision() -> None:
    position = table(TORTUGA, row="K" * 12, red=[7, 9], hands=("BD", "B"))
    one = decision_of(position, [play("B", 7), play("D", 9)])
    turned = decision_of(position, [play("D", 9), play("B", 7)])
    assert turned.outcome == one.outcome
    assert turned.codes != one.codes
    assert decision_of(position, [play("B", 9), play("D", 7)]).outcome != one.outcome


def test_each_trim_is_a_decision_of_its_seat() -> None:
    position = nest_table(red="1", blue="3", hands=("CA", "ch ch ch ch ch ch ch ch ch"), actions_used=1)
    codes = [play("CA", "1"), trim("ch"), trim("ch")]
    assert decision_of(position, codes).codes == (codes[0],)
    advance(position, codes[0])
    assert decision_of(position, codes[1:]).codes == (trim("ch"),)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["tortuga-2", "jamaica-3", "nest-3"])
def test_every_action_belongs_to_one_decision(name: str) -> None:
    record = recorded(name)
    steps, analysis = record.steps, last_turns(record, 3)
    free = analysis.skipped
    for seq, moment in enumerate(analysis.moments, start=analysis.skipped):
        if moment.judgement is not None:
            codes = moment.judgement.played.codes
            assert seq >= free
            free = seq + len(codes)
            assert codes == tuple(step.code for step in steps[seq:free])
            assert {(step.turn, step.seat) for step in steps[seq:free]} == {
                (steps[seq].turn, steps[seq].seat)
            }
            assert moment.judgement.seat == steps[seq].seat


# Judgements.


def test_a_win_that_is_given_away_is_a_blunder_and_a_win_that_is_taken_is_not() -> None:
    given_away, *_, taken, _, _ = last_turns(RACE).moments
    assert given_away.judgement is not None
    assert given_away.judgement.mark is Mark.BLUNDER
    assert given_away.judgement.cost == pytest.approx(1, abs=0.1)
    assert given_away.judgement.alternatives[0].chances == (0.0, 1.0)
    assert taken.judgement is not None
    assert (taken.judgement.mark, taken.judgement.cost) == (Mark.NONE, 0.0)
    assert taken.judgement.played.chances == (1.0, 0.0)


def test_what_was_possible_is_told_best_first() -> None:
    position = table(
        TORTUGA,
        row="K" * 12,
        red=ALL_HOME_BUT_ONE,
        blue=[35, *ALL_HOME_BUT_ONE[1:]],
        hands=("B", "B"),
        actions_used=2,
    )
    win = Prospect(codes=(play("B", 36),), chances=(1.0, 0.0))
    step_back = Prospect(codes=(retreat(36), END_TURN), chances=(0.0, 1.0))
    stop = Prospect(codes=(END_TURN,), chances=(0.0, 1.0))
    missed, taken = weighed(position, *step_back.codes), weighed(position, *win.codes)
    assert missed is not None
    assert (missed.played, missed.alternatives) == (step_back, (win, stop))
    assert (missed.seat, missed.loss) == (RED, 1.0)
    assert taken is not None
    assert (taken.played, set(taken.alternatives)) == (win, {step_back, stop})
    assert (taken.seat, taken.loss) == (RED, 0.0)


def test_what_leaves_no_choice_is_not_judged() -> None:
    assert weighed(table(TORTUGA, row="K" * 12, hands=("", "B")), END_TURN) is None


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(len(STORIES)))
def test_a_judgement_knows_no_more_than_the_seat_did(number: int) -> None:
    truth, others = twins(STORIES[number])
    code = legal(truth)[0]
    seen = weighed(truth, code, simulations=8)
    assert all(weighed(twin, code, simulations=8) == seen for twin in others)


# Marks.


def duel(gap: float, early: float, error: float) -> Duel:
    prospect = Prospect(codes=(END_TURN,), chances=(0.5, 0.5))
    return Duel(first=prospect, second=prospect, gap=gap, early=early, error=error)


@pytest.mark.parametrize(
    ("gap", "early", "error", "least"),
    [
        (0.3, 0.11, 0.0, 0.11),
        (0.11, 0.3, 0.0, 0.11),
        (0.3, 0.26, 0.14, 0.26),
        (0.3, 0.26, 0.16, 0.0),
        (0.3, -0.1, 0.0, 0.0),
        (-0.3, -0.3, 0.0, 0.0),
    ],
)
def test_a_gap_must_hold_in_both_halves_and_be_no_chance(
    gap: float, early: float, error: float, least: float
) -> None:
    assert duel(gap, early, error).least == least


@pytest.mark.parametrize(
    ("seats", "costly", "blunder"), [(2, 0.1, 0.25), (3, 0.07, 0.17), (4, 0.05, 0.13), (5, 0.04, 0.1)]
)
def test_a_mark_tells_what_a_decision_cost_and_nothing_else(
    seats: int, costly: float, blunder: float
) -> None:
    assert mark_of(costly - 0.01, seats) is Mark.NONE
    assert mark_of(costly, seats) is mark_of(blunder - 0.01, seats) is Mark.COSTLY
    assert mark_of(blunder, seats) is mark_of(1.0, seats) is Mark.BLUNDER


def test_a_find_was_hard_to_see_and_is_far_ahead() -> None:
    ahead, level = duel(0.06, 0.06, 0.02), duel(0.04, 0.06, 0.0)
    assert is_find_in(ahead, share=0.5, place=4)
    assert not is_find_in(ahead, share=0.5, place=3)
    assert not is_find_in(level, share=0.5, place=4)
    assert not is_find_in(duel(0.06, 0.06, 0.04), share=0.5, place=4)


# Numbers that agree.


def beside(played: float, *others: float, loss: float) -> Weighed:
    """A decision of the first of two seats, and what its chance is with each alternative."""
    return Weighed(
        seat=0,
        played=Prospect(codes=(END_TURN,), chances=(played, 1 - played)),
        alternatives=tuple(Prospect(codes=(number,), chances=(o, 1 - o)) for number, o in enumerate(others)),
        loss=loss,
        is_find=False,
        duelled=True,
    )


def test_where_all_lies_open_a_loss_is_what_the_chance_fell_by() -> None:
    judgement = judge(beside(0.41, 0.73, 0.5, loss=0.32), (0.66, 0.34), (0.43, 0.57), is_open=True)
    assert (judgement.cost, judgement.luck, judgement.mark) == (0.23, 0.0, Mark.COSTLY)
    assert judgement.played.chances == (0.43, 0.57)
    assert [other.chances for other in judgement.alternatives] == [(0.66, 0.34), (0.43, 0.57)]


def test_where_cards_are_hidden_the_rest_of_the_change_is_luck() -> None:
    judgement = judge(beside(0.41, 0.73, loss=0.32), (0.66, 0.34), (0.43, 0.57), is_open=False)
    assert (judgement.cost, judgement.luck, judgement.mark) == (0.32, 0.09, Mark.BLUNDER)
    assert judgement.played.chances == (0.34, 0.66)
    assert judgement.alternatives[0].chances == (0.66, 0.34)


def test_a_loss_that_is_not_sure_costs_nothing() -> None:
    judgement = judge(beside(0.6, 0.64, loss=0.0), (0.66, 0.34), (0.4, 0.6), is_open=True)
    assert (judgement.cost, judgement.luck, judgement.mark) == (0.0, -0.26, Mark.NONE)
    assert judgement.played == replace(judgement.played, chances=(0.66, 0.34))
    assert judgement.alternatives[0].chances == (0.66, 0.34)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["tortuga-2", "tortuga-4", "jamaica-3", "nest-3", "nest-5"])
def test_what_is_told_of_a_game_agrees(name: str) -> None:
    record = recorded(name)
    analysis = last_turns(record, 6)
    between = [analysis.before, *(moment.chances for moment in analysis.moments)]
    for first, moment in enumerate(analysis.moments):
        if (judgement := moment.judgement) is None:
            continue
        seat, decision = judgement.seat, len(judgement.played.codes)
        before, after = between[first][seat], between[first + decision][seat]
        changed = 2 if decision > 1 and judgement.played.codes[-1] == END_TURN else 1
        within, end = between[first : first + decision + 1 - changed], between[first + decision]
        assert within == [between[first]] * len(within)
        assert between[first + decision + 1 - changed : first + decision + 1] == [end] * changed
        assert after == pytest.approx(before - judgement.cost + judgement.luck)
        promised = [each.chances[seat] for each in (judgement.played, *judgement.alternatives)]
        assert max(promised) == before
        assert promised[0] == pytest.approx(before - judgement.cost)
        if judgement.mark is not Mark.FIND:
            assert judgement.mark is mark_of(judgement.cost, record.headers.seats)


@pytest.mark.parametrize(
    "chances", [(0.005, 0.995), (1 / 3,) * 3, (0.0, 0.001, 0.999), (0.2,) * 5, (0.004,) * 4 + (0.984,)]
)
def test_chances_are_told_in_whole_per_cent_that_are_one_together(chances: tuple[float, ...]) -> None:
    told = in_points(chances)
    assert sum(round(chance * 100) for chance in told) == 100
    for chance, point in zip(chances, told, strict=True):
        assert point == pytest.approx(chance, abs=0.05)
        assert (point in (0.0, 1.0)) == (chance in (0.0, 1.0))


# The whole.


@pytest.mark.sampled
def test_an_analysis_is_the_same_for_a_seed() -> None:
    record = recorded("nest-4")
    turn = record.steps[-1].turn
    one, same, other = (analyse(record, simulations=8, seed=seed, from_turn=turn - 1) for seed in "aab")
    assert one == same
    assert one.moments != other.moments


def test_it_does_not_matter_where_an_analysis_begins() -> None:
    record = recorded("nest-2")
    longer, shorter = last_turns(record, 2), last_turns(record, 1)
    assert longer.moments[-len(shorter.moments) :] == shorter.moments


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    analyse(RACE, simulations=4, from_turn=24, progress=lambda done, total: told.append((done, total)))
    assert told == [(4, 7), (7, 7)]


def test_a_game_that_has_not_begun_has_chances() -> None:
    opening = replace(recorded("tortuga-3"), steps=(), result=Result(Ending.RUNNING))
    analysis = analyse(opening, simulations=8)
    assert analysis.moments == ()
    assert sum(analysis.before) == pytest.approx(1)


def test_the_record_of_a_view_cannot_be_analysed() -> None:
    with pytest.raises(ReplayError, match="this is the record of a view"):
        analyse(recorded("jamaica-3-blue"))
    running = replace(recorded("nest-3"), steps=recorded("nest-3").steps[:30], result=Result(Ending.RUNNING))
    with pytest.raises(ReplayError, match="this is the record of a view"):
        analyse(record_of_view(running, BLUE))


def test_a_record_that_does_not_replay_cannot_be_analysed() -> None:
    with pytest.raises(ReplayError, match="the record says"):
        analyse(replace(RACE, result=Result(Ending.WON, BLUE)))
    with pytest.raises(ReplayError, match="is refused"):
        analyse(replace(RACE, steps=(replace(RACE.steps[0], code=END_TURN),)))
