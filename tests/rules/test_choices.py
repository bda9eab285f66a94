"""Choices taken down in lines are the choices of the list, each found by its number."""

from itertools import combinations

import pytest

from cartagena.bots.law_check import broken_choices
from cartagena.bots.random_games import Dice, deal_again, random_opening
from cartagena.rules.choices import ChoiceLines, ChoiceList
from cartagena.rules.codes import END_TURN
from cartagena.rules.legality import advance, legal, list_choices
from cartagena.rules.places import HOME, PLACES, bit
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset


@pytest.mark.parametrize(
    "ruleset", [TORTUGA, JAMAICA.with_options(may_decline=True), PIRATES_NEST], ids=["row", "decline", "nest"]
)
def test_lines_that_are_filled_again_hold_the_codes_of_the_list(ruleset: Ruleset) -> None:
    dice = Dice(1672)
    position = random_opening(ruleset, 3, dice)
    choices = ChoiceLines()
    for _ in range(400):
        if position.over:
            position = random_opening(ruleset, 3, dice)
        codes = legal(position)
        choices.clear()
        list_choices(position, choices)
        assert choices.number == len(codes)
        assert [choices.code(number) for number in range(choices.number)] == codes
        assert broken_choices(choices, codes) is None
        advance(position, codes[dice.below(len(codes))])
        if position.order_due:
            deal_again(position, dice)


def test_every_code_of_the_longest_lines_has_its_number() -> None:
    every_place = bit(HOME) * 2 - 1
    listed, lines = ChoiceList(), ChoiceLines()
    for line in range(20):
        listed.add_line(PLACES * line, every_place)
        lines.add_line(PLACES * line, every_place)
    assert listed.codes == list(range(PLACES * 20))
    assert [lines.code(number) for number in range(lines.number)] == listed.codes


def test_lines_without_places_have_no_numbers() -> None:
    lines = ChoiceLines()
    lines.add_line(0, 0)
    lines.add_line(PLACES, bit(3))
    lines.add_plays(0, bit(3))
    assert (lines.number, lines.code(0)) == (1, PLACES + 3)
    lines.clear()
    assert lines.number == 0


def test_wrong_lines_are_noticed() -> None:
    for codes in combinations([END_TURN, 1, 2], 2):
        lines = ChoiceLines()
        lines.add_line(0, bit(0) | bit(1))
        expected = None if codes == (0, 1) else "a choice has another number in its lines than in the list"
        assert broken_choices(lines, list(codes)) == expected
        assert broken_choices(lines, [0, 1, 2]) == "lines hold more or fewer choices than the list"
