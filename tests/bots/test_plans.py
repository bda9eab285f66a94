"""Plans: none is overlooked, each can be carried out, and none knows what its seat does not."""

from random import Random

import pytest

from cartagena.bots.evaluation.incremental import VICTORY, IncrementalFeatures
from cartagena.bots.players.simple import sailors_survey, sailors_worth
from cartagena.bots.search.turn_candidates import Plan, Survey
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.legality import advance, legal
from cartagena.rules.outcomes import outcomes
from cartagena.rules.places import SLOOP
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, JAMAICA, NEST, PIRATES_NEST, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame
from tests.tables import RED, nest_table, play, retreat, table


def value(position: Position, seat: int) -> float:
    """The yardstick, worked out again: spaces travelled, home as last + 5, and cards, fewer in the Nest."""
    crew = position.crews[seat]
    if position.winner == seat:
        return VICTORY - int(position.actions_used)
    gone = sum(place if place < 37 else 41 for place in crew.places(SLOOP))
    cards = len(crew.cards())
    if position.ruleset.family == NEST:
        return gone + 4 * min(cards, 7)
    return gone + 8 * min(cards, 9) + 3.2 * max(0, cards - 9)


@pytest.mark.parametrize("seed", [0, 1, 4, 5, 8, 11, 12, 13])
def test_the_best_of_all_outcomes_is_found_and_so_is_every_equal(seed: int) -> None:
    position = midgame(TORTUGA, 2 + seed % 4, seed)
    seat = position.to_act
    kept = outcomes(position)
    values = [round(value(outcome.position, seat), 6) for outcome in kept]
    plans = sailors_survey(position.ruleset.family).look(position)
    assert all(outcome.complete or outcome.position.over for outcome in kept), "choose another seed"
    assert round(plans[0].rank, 6) == max(values)
    assert len(plans) == values.count(max(values))


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("beam", [0, 3])
def test_a_plan_can_be_carried_out_and_leads_to_its_rank(ruleset: Ruleset, seed: int, beam: int) -> None:
    position = midgame(ruleset, 2 + seed, seed)
    seat = position.to_act
    survey = Survey(sailors_worth(ruleset.family), width=20, margin=1000.0, beam=beam, selfish=True)
    plans = survey.look(position)
    assert [plan.rank for plan in plans] == sorted((plan.rank for plan in plans), reverse=True)
    for plan in plans:
        after = position.copy()
        for code in plan.codes()[: -1 if plan.complete else None]:
            advance(after, code)
            assert not after.order_due, "choose another seed"
        assert value(after, seat) == pytest.approx(plan.rank)
        if plan.complete:
            advance(after, 0)


def told(plans: list[Plan]) -> list[tuple[list[int], float]]:
    """Plans to compare: their codes and ranks."""
    return sorted((plan.codes(), round(plan.rank, 6)) for plan in plans)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", [JAMAICA, PIRATES_NEST], ids=lambda ruleset: ruleset.key)
@pytest.mark.parametrize("seed", range(6))
def test_plans_are_the_same_in_every_world_of_a_view(ruleset: Ruleset, seed: int) -> None:
    truth = midgame(ruleset, 2 + seed % 3, seed, choices=30)
    survey = Survey(sailors_worth(ruleset.family), width=200, margin=20.0, beam=0, selfish=True)
    worlds = Worlds(view(truth, truth.to_act))
    chance = Random(seed)
    expected = told(survey.look(truth))
    assert all(told(survey.look(worlds.draw(chance))) == expected for _ in range(4))


def test_a_card_that_is_drawn_unseen_counts_but_is_not_played() -> None:
    position = table(JAMAICA, red=[9], blue=[3], hands=("", "B"), stock="KKK")
    (plan, *_) = sailors_survey(ESCAPE).look(position)
    assert plan.codes() == [retreat(9), 0]
    assert plan.rank == 3 + 8


def test_a_card_of_the_row_is_played_in_the_turn_that_took_it() -> None:
    position = table(TORTUGA, row="KKKKKK", red=[9], blue=[3], hands=("", "B"))
    best = [plan.codes() for plan in sailors_survey(ESCAPE).look(position)]
    assert [retreat(9), play("K", 3), play("K", 10)] not in best
    survey = Survey(sailors_worth(ESCAPE), width=500, margin=1000.0, beam=0, selfish=True)
    assert [retreat(9), play("K", 3), 0] in [plan.codes() for plan in survey.look(position)]


def test_a_winning_plan_ranks_first() -> None:
    position = table(TORTUGA, row="KKKKKK", red=[36, 37, 37, 37, 37, 37], hands=("BBB", "B"), blue=[1, 1, 1])
    for beam in (0, 4):
        survey = Survey(sailors_worth(ESCAPE), width=3, margin=1e9, beam=beam)
        assert survey.look(position)[0].rank == VICTORY - 1


def test_a_seat_that_must_trim_plans_its_trim() -> None:
    position = nest_table(hands=("MAP", "chest " * 6 + "map parrot"))
    advance(position, play("MAP", "start"))
    assert position.to_act != RED
    plans = sailors_survey(NEST).look(position)
    assert sorted(plan.codes() for plan in plans) == [[code] for code in legal(position)]
    assert len(plans) == 3


def test_the_position_is_itself_again_after_a_survey() -> None:
    for ruleset in PRESETS.values():
        position = midgame(ruleset, 3, 5)
        before = view(position, position.to_act)
        for beam in (0, 5):
            Survey(sailors_worth(ruleset.family), width=9, margin=9.0, beam=beam).look(position)
            assert view(position, position.to_act) == before


def test_a_rank_is_the_logarithm_of_the_odds_once_the_turn_has_passed_on() -> None:
    worth = sailors_worth(ESCAPE)
    worth.weights[:] = [0.04 * weight for weight in worth.weights]
    position = midgame(TORTUGA, 3, 2)
    (plan, *_) = Survey(worth, width=1, margin=1e9, beam=0).look(position)
    seat = position.to_act
    for code in plan.codes():
        advance(position, code)
    chance = worth.chances(position)[seat]
    assert 1 / (1 + 2.718281828459045**-plan.rank) == pytest.approx(chance)


def test_a_foreseen_push_ranks_as_the_push_itself() -> None:
    worth = sailors_worth(NEST)
    worth.weights[:] = [0.04 * weight for weight in worth.weights]
    for seats, seed in ((2, 1), (4, 3)):
        position = midgame(PIRATES_NEST, seats, seed)
        survey = Survey(worth, width=50, margin=1e9, beam=0)
        for plan in survey.look(position):
            after = position.copy()
            for code in plan.codes()[: -1 if plan.complete else None]:
                advance(after, code)
            standing = IncrementalFeatures(worth, after, position.to_act, plan, selfish=False)
            assert standing.rank == pytest.approx(plan.rank)
