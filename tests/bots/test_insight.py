"""Insight: what the net is told is true, and it answers as its weights say."""

import pytest

from cartagena.bots.evaluation.linear import cards_kept
from cartagena.bots.evaluation.network import (
    CARDS_HELD,
    GOLD_HELD,
    INPUTS,
    INSIGHTS,
    LONGEST_JUMP,
    PLACES_BEHIND,
    SIGNS_HELD,
    STRAIGHT,
    SUM,
    WAITS,
    WORTH_AFTER,
    WORTH_BEFORE,
    Insight,
    longest_jump,
)
from cartagena.bots.evaluation.weights import learned_insight, learned_worth
from cartagena.bots.search.turn_candidates import Survey
from cartagena.rules.codes import FIRST_PLAY, FIRST_PUSH
from cartagena.rules.legality import advance, foresee, legal
from cartagena.rules.places import HOME, SLOOP
from cartagena.rules.position import ACT, Position
from cartagena.rules.preview import NO_CARD, Foresight
from cartagena.rules.ruleset import CREW_SIZE, GOLD, MOST_SEATS, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame
from tests.tables import table

ANY_GAME = pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)


@ANY_GAME
@pytest.mark.parametrize("seats", [2, 5])
def test_the_net_is_told_what_is_on_the_table(ruleset: Ruleset, seats: int) -> None:
    for seed in range(8):
        position = midgame(ruleset, seats, seed)
        told = learned_insight(ruleset.family, seats).inputs(position, position)
        for seat, (inputs, crew) in enumerate(zip(told, position.crews, strict=True)):
            places = [round(HOME * told) for told in inputs[PLACES_BEHIND : PLACES_BEHIND + CREW_SIZE]]
            assert places == crew.places(SLOOP)
            cards = crew.cards()
            assert inputs[CARDS_HELD] == pytest.approx(cards_kept(position, crew) / 10)
            assert inputs[SIGNS_HELD] == pytest.approx(len({card for card in cards if card < GOLD}) / 6)
            assert inputs[GOLD_HELD] == pytest.approx(sum(card >= GOLD for card in cards) / 6)
            waits = (seat - position.seat) % seats
            assert [inputs[WAITS + turns] for turns in range(MOST_SEATS)] == [
                float(turns == waits) for turns in range(MOST_SEATS)
            ]
        for worth in (WORTH_BEFORE, WORTH_AFTER):
            assert sum(inputs[worth] for inputs in told) == pytest.approx(0)


@ANY_GAME
def test_the_longest_jump_is_the_longest_play(ruleset: Ruleset) -> None:
    seen = 0
    for seed in range(40):
        position = midgame(ruleset, 3, seed)
        if position.phase == ACT and position.actions_used == 0:
            seen += 1
            assert longest_jump(position, position.mover) == max(jumps(position), default=0)
    assert seen > 5


def jumps(position: Position) -> list[int]:
    """How far each play of a plain card leads."""
    foresight = Foresight()
    found = []
    for code in legal(position):
        is_play = FIRST_PLAY <= code < FIRST_PUSH
        if is_play and foresee(position, code, foresight) and foresight.card != NO_CARD:
            found.append(foresight.target - foresight.start)
    return found


def test_an_answer_is_the_straight_sum_and_the_rectified_ones() -> None:
    weights = [0.0] * INSIGHTS
    weights[STRAIGHT + CARDS_HELD] = 2.0
    weights[CARDS_HELD], weights[INPUTS], weights[INPUTS + 1] = 1.0, -0.5, 10.0
    weights[SUM + LONGEST_JUMP], weights[SUM + INPUTS + 1] = -1.0, 7.0
    insight = Insight(learned_worth("escape", 2), weights)
    inputs = [0.0] * INPUTS
    inputs[CARDS_HELD], inputs[LONGEST_JUMP] = 0.75, 3.0
    assert insight.answer(inputs) == pytest.approx(2 * 0.75 + 10 * (0.75 - 0.5))
    inputs[CARDS_HELD] = 0.25
    assert insight.answer(inputs) == pytest.approx(2 * 0.25)


def test_at_the_end_of_a_game_the_chances_are_the_result() -> None:
    position = table(TORTUGA, row="K" * 12, red=[36, 37, 37, 37, 37, 37], blue=[0] * 6, hands=("B", "B"))
    after = position.copy()
    survey = Survey(learned_worth("escape", 2), width=4, margin=1e9, beam=0)
    while not after.over:
        for code in survey.look(after)[0].codes():
            advance(after, code)
    assert learned_insight("escape", 2).chances(position, after) == [1.0, 0.0]
