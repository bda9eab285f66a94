"""What is foreseen of a choice is what happens when it is made."""

import pytest

from cartagena.bots.random_games import Dice, deal_again, random_opening
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due
from cartagena.rules.happenings import Drew, Moved, Played
from cartagena.rules.legality import apply, foresee, legal
from cartagena.rules.places import SLOOP
from cartagena.rules.position import TRIM, Position
from cartagena.rules.preview import NO_CARD, Foresight
from cartagena.rules.ruleset import JAMAICA, PRESETS, TORTUGA, Ruleset
from tests.tables import BLUE, nest_table, play, push, retreat, table


def happened(position: Position, code: int) -> tuple[int, int, int, int, int]:
    """Crew, start, target, card and number of draws, as they were told."""
    told = apply(position.copy(), code)
    moved = next(happening for happening in told if isinstance(happening, Moved))
    played = [happening.card for happening in told if isinstance(happening, Played)]
    drawn = sum(isinstance(happening, Drew) for happening in told)
    return moved.crew, moved.start, moved.target, (played or [NO_CARD])[0], drawn


@pytest.mark.parametrize(
    "ruleset",
    [*PRESETS.values(), TORTUGA.with_options(may_decline=True), JAMAICA.with_options(renewal="when_empty")],
    ids=[*PRESETS, "may decline", "renewed at once"],
)
@pytest.mark.parametrize("seats", [2, 5])
def test_what_is_foreseen_happens(ruleset: Ruleset, seats: int) -> None:
    dice = Dice(seats)
    foresight = Foresight()
    foreseen = 0
    position = random_opening(ruleset, seats, dice)
    for _ in range(120):
        if position.over:
            break
        codes = legal(position)
        for code in codes:
            if code != END_TURN and foresee(position, code, foresight):
                foreseen += 1
                assert happened(position, code) == (
                    foresight.crew,
                    foresight.start,
                    foresight.target,
                    foresight.card,
                    foresight.draws,
                )
        apply(position, codes[dice.below(len(codes))])
        if cards_due(position):
            deal_again(position, dice)
    assert foreseen > 300


def test_a_draw_that_lays_a_new_row_is_not_foreseen() -> None:
    short = table(TORTUGA, row="B", red=[3], blue=[2])
    longer = table(TORTUGA, row="BD", red=[3], blue=[2])
    assert not foresee(short, retreat(3), Foresight())
    assert foresee(longer, retreat(3), Foresight())


def test_nor_is_one_that_renews_it_because_it_takes_the_last_card() -> None:
    at_once = JAMAICA.with_options(renewal="when_empty")
    for ruleset, stock, foreseen in ((JAMAICA, "B", True), (at_once, "B", False), (at_once, "BD", True)):
        position = table(ruleset, red=[3], blue=[2], stock=stock, discard="D", rest="blue")
        assert foresee(position, retreat(3), Foresight()) == foreseen


def test_a_draw_that_renews_the_stock_is_not_foreseen() -> None:
    none = nest_table(red="5", blue="3", rest="discard")
    some = nest_table(red="5", blue="3", rest="stock")
    assert not foresee(none, push(BLUE, "3"), Foresight())
    assert foresee(some, push(BLUE, "3"), Foresight())


def test_gold_sails_and_trims_must_be_done_to_know() -> None:
    position = nest_table(red="sloop", hands=("MAP map", "chest " * 8))
    assert not foresee(position, play("MAP", "start"), Foresight())
    assert foresee(position, play("map", "start"), Foresight())
    assert not foresee(position, 1, Foresight())
    apply(position, play("MAP", "start"))
    assert position.phase == TRIM
    assert not foresee(position, legal(position)[0], Foresight())


def test_a_push_aboard_is_worth_two_cards() -> None:
    position = nest_table(red="3", blue="14")
    foresight = Foresight()
    assert foresee(position, push(BLUE, "14"), foresight)
    assert (foresight.target, foresight.draws) == (SLOOP, 2)
