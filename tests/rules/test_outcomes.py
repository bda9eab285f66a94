"""The outcomes of a turn are all that its choices can lead to, each once."""

import pytest

from cartagena.bots.random_games import Dice, deal_again, random_opening
from cartagena.rules.codes import END_TURN
from cartagena.rules.laws import same
from cartagena.rules.legality import advance, legal
from cartagena.rules.outcomes import outcomes, table_key
from cartagena.rules.position import Bookmark, Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, PRESETS, TORTUGA
from tests.tables import nest_table, play, retreat, table

Picture = tuple[object, ...]


def picture(position: Position) -> Picture:
    """What lies on the table, but for the order of the discard."""
    crews = [(tuple(crew.places(15)), tuple(crew.cards())) for crew in position.crews]
    return (*crews, position.row(), position.stock(), sorted(position.discard), position.dock).__repr__(), ()


def by_hand(position: Position) -> set[tuple[Picture, bool]]:
    """Every outcome, found the slow way: all lines of choices, each on a copy."""
    found: set[tuple[Picture, bool]] = set()
    lines = [position.copy()]
    while lines:
        here = lines.pop()
        for code in legal(here):
            if code == END_TURN:
                found.add((picture(here), True))
                continue
            after = here.copy()
            advance(after, code)
            if after.to_act == here.to_act and after.barriers == here.barriers:
                lines.append(after)
            else:
                found.add((picture(after), False))
    return found


def somewhere(preset: str, seats: int, seed: int) -> Position:
    """A position some way into a random game."""
    dice = Dice(seed)
    position = random_opening(PRESETS[preset], seats, dice)
    for _ in range(seed):
        codes = legal(position)
        advance(position, codes[dice.below(len(codes))])
        if position.order_due:
            deal_again(position, dice)
    return position


@pytest.mark.parametrize("seed", [1, 14, 33])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_outcomes_are_all_that_choices_can_lead_to(preset: str, seats: int, seed: int) -> None:
    position = somewhere(preset, seats, seed)
    found = outcomes(position)
    pictures = [(picture(outcome.position), outcome.complete) for outcome in found if outcome.complete]
    assert len(set(pictures)) == len(pictures)
    assert {(picture(outcome.position), outcome.complete) for outcome in found} == by_hand(position)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_codes_of_an_outcome_lead_there(preset: str) -> None:
    position = somewhere(preset, 3, 20)
    for outcome in outcomes(position):
        replayed = position.copy()
        for code in outcome.codes:
            advance(replayed, code)
        assert picture(replayed) == picture(outcome.position)
        assert (END_TURN in legal(replayed)) >= outcome.complete


@pytest.mark.parametrize("preset", list(PRESETS))
def test_to_list_the_outcomes_leaves_the_position_as_it_was(preset: str) -> None:
    position = somewhere(preset, 3, 20)
    before = position.copy()
    outcomes(position)
    assert same(position, before)


def test_a_seat_may_stop_after_every_action() -> None:
    position = table(TORTUGA, hands=("BS", "B"), row="H" * 12)
    found = outcomes(position)
    assert [play("S", 0)] in [outcome.codes for outcome in found]
    assert {len(outcome.codes) for outcome in found} == {1, 2, 3}
    assert all(outcome.complete for outcome in found)


def test_an_outcome_that_reveals_a_card_is_not_complete() -> None:
    position = table(JAMAICA, red=[9], blue=[4], hands=("", "B"))
    (outcome,) = outcomes(position)
    assert (outcome.codes, outcome.complete) == ([retreat(9)], False)


def test_nobody_has_outcomes_when_no_seat_is_to_act() -> None:
    position = table(JAMAICA, red=[36, *[37] * 5], hands=("B", "B"))
    won = next(outcome for outcome in outcomes(position) if outcome.position.over)
    assert not won.complete
    assert outcomes(won.position) == []


def test_a_free_crossing_alone_is_no_turn_but_leads_to_others() -> None:
    position = nest_table(PIRATES_NEST, red="sloop sloop", hands=("map", "map"))
    docks = {outcome.position.dock for outcome in outcomes(position)}
    assert docks == {1, 2}
    assert [outcome for outcome in outcomes(position) if outcome.complete and len(outcome.codes) < 1] == []


def test_a_bookmark_restores_what_was_discarded_since() -> None:
    position = table(TORTUGA, hands=("BDH", "B"), row="B" * 12)
    bookmark = Bookmark(position)
    before = position.copy()
    for _ in range(2):
        advance(position, play("B", 0))
        advance(position, play("D", 0))
        bookmark.restore(position)
        assert same(position, before)


def test_a_bottle_more_and_a_card_of_the_row_less_are_another_table() -> None:
    fewer = table(TORTUGA, hands=("", "B"), row="HHH")
    more = table(TORTUGA, hands=("B", "B"), row="HHH")
    fewer.row_head = 1
    assert table_key(fewer) != table_key(more)
