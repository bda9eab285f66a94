"""The table of families: each answers for its own game, whatever crew is asked about."""

import copy
import pickle

import pytest

from cartagena.rules.families.facts import FACTS, facts_of
from cartagena.rules.families.table import TABLE, rules_of
from cartagena.rules.places import HOME, SLOOP, START, bit, place_of, places_in
from cartagena.rules.ruleset import DECKS, GOLD, PRESETS, SIGNS
from tests.tables import BLUE, nest_table, table


def test_every_family_has_facts_and_a_place_in_the_table() -> None:
    assert sorted(facts.number for facts in FACTS.values()) == list(range(len(TABLE)))
    assert {ruleset.family for ruleset in PRESETS.values()} == set(FACTS)


@pytest.mark.parametrize("family", FACTS)
def test_the_facts_count_the_cards_of_the_deck(family: str) -> None:
    facts, deck = facts_of(family), DECKS[family]
    plain = [card for card in deck if card < GOLD]
    assert facts.plain_cards == sum(1 << 8 * card for card in plain)
    assert facts.gold_cards == sum(bit(card - GOLD) for card in deck if card >= GOLD)
    assert facts.cards == len(set(deck)) == len(SIGNS[family]) * (2 if facts.has_gold else 1)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda facts: pickle.loads(pickle.dumps(facts))])  # noqa: S301 - ours
def test_facts_stay_themselves_when_they_are_copied(copied: object) -> None:
    assert callable(copied)
    assert all(copied(facts) is facts for facts in FACTS.values())


def test_a_card_takes_a_pirate_of_any_crew() -> None:
    tunnel = table(red=".1", blue="1")
    rules = rules_of(tunnel)
    blue = tunnel.crews[BLUE]
    assert places_in(rules.walkers(blue, tunnel.dock)) == [START, 1]
    assert place_of(rules.target_of_play(tunnel, blue, 0, 1)) == 7
    islands = nest_table(red="3", blue="sloop 14", dock=2)
    rules, blue = rules_of(islands), islands.crews[BLUE]
    assert places_in(rules.walkers(blue, islands.dock)) == [START, 14, SLOOP]
    assert rules.target_of_play(islands, blue, 0, 14) == 0
    assert rules.target_of_play(islands, blue, 0, HOME - 1) == bit(HOME)
