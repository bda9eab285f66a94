"""Advice in words of every language: every choice of every game has some."""

import re

import pytest

from cartagena.notation.action_text import every_action
from cartagena.rules.ruleset import PIRATES_NEST, TORTUGA, Ruleset
from cartagena.words import Words, languages
from cartagena.words.sentences import Names, advice, tip_words


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "ruleset", [TORTUGA.with_options(may_decline=True), PIRATES_NEST], ids=["escape", "nest"]
)
def test_every_choice_is_told_and_no_two_alike(language: str, ruleset: Ruleset) -> None:
    names = Names(Words(language), ruleset)
    told = {code: advice(names, code) for code in every_action(ruleset, 5)}
    assert all(told.values())
    assert len(set(told.values())) == len(told)
    notation = re.compile(r"\b(end_turn|captain_sail)\b")
    assert not any(notation.search(text) for text in told.values())


def test_a_tip_tells_all_its_choices_and_the_chance() -> None:
    names = Names(Words("en"), TORTUGA)
    assert tip_words(names, (47, 9, 0), 0.614) == (
        "Tip: play the bottle from space 9, retreat from space 9, end the turn. Chance to win: 61 %."
    )
