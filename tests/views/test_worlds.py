"""Sampled worlds against exact counting, in small cases that are counted to the last order of cards."""

from collections.abc import Callable
from random import Random

import pytest

from cartagena.rules.codes import END_TURN
from cartagena.rules.hidden.provenance import Lots, find_fit
from cartagena.rules.hidden.slots import KEYS, Unseen, cards_of
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds, mix, world
from cartagena.rules.laws import broken_law
from cartagena.rules.legality import advance, legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA
from cartagena.rules.undoable_game import UndoableGame
from tests.properties.records import Short
from tests.tables import BLUE, RED, nest_table, play, push, retreat, table, trim
from tests.views.enumeration import deviation, exact_chances
from tests.views.twins import Script, Tale, refill

SAMPLES = 1000
TOO_FAR = 4.0
"""Standard deviations; a fair sample goes beyond them once in thirty thousand times."""


def told(opening: Position, *codes: int) -> Script:
    """A game from its opening on; renewed cards come in the order of their numbers."""
    game = UndoableGame(opening)
    for code in codes:
        game.act(code, list)
    return Script(game.opening, tuple(game.events))


def only_the_stock() -> Script:
    """All hands are open."""
    return told(table(TORTUGA, row="B", stock="HHKD", hands=("B", "D"), rest="discard"))


def nobody_laid_down() -> Script:
    """Blue drew two of six cards that Red cannot see."""
    opening = table(blue="2..1", hands=("", "BD"), stock="BHHK", rest="red", seat=BLUE)
    return told(opening, retreat(4))


def laid_down() -> Script:
    """Blue laid down a bottle, drew two cards and laid down another bottle."""
    opening = table(blue="2..1", hands=("", "BBD"), stock="HDBH", rest="red", seat=BLUE)
    return told(opening, play("B", 0), retreat(4), play("B", 0))


def laid_down_what_was_drawn() -> Script:
    """Blue had two cards, drew two, and laid down a hat and a dagger since."""
    opening = table(blue="1..21", hands=("", "BK"), stock="HDBHB", rest="red", seat=BLUE)
    return told(opening, retreat(5), play("H", 0), play("D", 0))


def both_drew() -> Script:
    """Red drew a hat between two draws of Blue, from the same stock."""
    opening = table(
        red=".....21", blue="2..11", hands=("", "BD"), stock="HBHBD", discard="KS", rest="red", seat=BLUE
    )
    return told(opening, retreat(5), play("H", 0), END_TURN, retreat(7), END_TURN, retreat(4), play("B", 0))


def renewed_for_two() -> Script:
    """A renewal showed Red that Blue held a dagger and a hat; since then Blue drew two, laid down a hat."""
    opening = table(blue="2..21", hands=("", "D"), stock="H", discard="BDHB", rest="red", seat=BLUE)
    return told(opening, retreat(4), retreat(5), play("H", 0))


def renewed_for_three() -> Script:
    """Blue and Yellow drew and laid down before a renewal and after it."""
    opening = table(
        blue="2..2", yellow="....22", hands=("", "BD", "DH"), stock="BH", discard="KB", rest="red", seat=BLUE
    )
    return told(opening, play("B", 0), retreat(4), END_TURN, play("D", 0), retreat(6), play("H", 0))


def one_makes_up_for_the_other() -> Script:
    """Blue and Yellow each laid down a bottle; one was dealt, one came with the renewal."""
    opening = table(blue="1.1", yellow="....11", hands=("", "D", "B"), discard="BH", rest="red", seat=BLUE)
    return told(opening, retreat(3), play("B", 0), END_TURN, retreat(6), play("B", 0))


def turned_over() -> Script:
    """Blue and Yellow hold two cards each, and drew from a stock that everybody saw turned over."""
    opening = table(
        JAMAICA.with_options(reshuffle="turn_over"),
        blue="2..2",
        yellow="....22",
        hands=("", "BD", "DH"),
        stock="B",
        discard="KBH",
        rest="red",
        seat=BLUE,
    )
    return told(opening, retreat(4), play("B", 0), END_TURN, retreat(6), play("H", 0))


def watched() -> Script:
    """A spectator knows neither hand."""
    opening = table(red="....2", blue="2..1", hands=("BH", "BD"), stock="HDB", rest="discard", seat=BLUE)
    return told(opening, retreat(4), play("H", 0), END_TURN, play("B", 0))


def gold_laid_down() -> Script:
    """Blue drew two cards for a push and laid down a gold map, Yellow a parrot."""
    opening = nest_table(
        red="5 5 2",
        hands=("", "MAP map", "pa ca"),
        stock="pa map CANNON",
        yellow="9",
        rest="discard",
        seat=BLUE,
    )
    return told(opening, push(RED, "2"), play("MAP", "start"), END_TURN, play("pa", "9"))


def trimming() -> Script:
    """Red called the freebooter; one card of Blue lies face down and another is still owed."""
    opening = nest_table(
        hands=("MAP", "ca " * 6 + "pa pa PARROT"), stock="ca pa", rest="discard", crossing_open=False
    )
    return told(opening, play("MAP", "start"), trim("pa"))


CASES: list[tuple[Callable[[], Script], int | None]] = [
    (only_the_stock, RED),
    (nobody_laid_down, RED),
    (laid_down, RED),
    (laid_down_what_was_drawn, RED),
    (both_drew, RED),
    (renewed_for_two, RED),
    (renewed_for_three, RED),
    (one_makes_up_for_the_other, RED),
    (turned_over, RED),
    (watched, None),
    (gold_laid_down, RED),
    (trimming, RED),
]


def end_of(script: Script) -> Position:
    """The position in which a game stops."""
    *_, (position, _) = script.moments()
    return position


@pytest.mark.sampled
@pytest.mark.rule("R7.15")
@pytest.mark.parametrize(("case", "seat"), CASES)
def test_every_world_is_as_likely_as_it_should_be(case: Callable[[], Script], seat: int | None) -> None:
    script = case()
    chances = exact_chances(script, seat)
    sight = view(end_of(script), seat)
    chance = Random(1)
    assert len(chances) > 1
    assert deviation(chances, lambda: world(sight, chance), SAMPLES) < TOO_FAR


@pytest.mark.sampled
@pytest.mark.parametrize(("case", "seat"), CASES)
def test_so_are_many_worlds_of_one_view(case: Callable[[], Script], seat: int | None) -> None:
    script = case()
    worlds = Worlds(view(end_of(script), seat))
    chance = Random(2)
    assert deviation(exact_chances(script, seat), lambda: worlds.draw(chance), SAMPLES) < TOO_FAR


# Long games, in which little is left open and much hangs together.

TIGHT = [
    Tale(Short(ruleset=JAMAICA, seats=3, seed=3, taste="any", actions=350), 100),
    Tale(Short(ruleset=JAMAICA, seats=3, seed=9, taste="any", actions=350), 100),
    Tale(Short(ruleset=PIRATES_NEST, seats=4, seed=6, taste="any", actions=300), 7),
]


@pytest.mark.rule("R7.15")
@pytest.mark.parametrize("story", TIGHT)
@pytest.mark.parametrize("seat", [None, RED])
def test_worlds_are_found_however_much_is_known(story: Tale, seat: int | None) -> None:
    truth = story.game().position
    assert truth.renewals > 0
    worlds = Worlds(view(truth, seat))
    chance = Random(4)
    for _ in range(3):
        sample = worlds.draw(chance)
        assert broken_law(sample) is None
        assert [crew.hand_size() for crew in sample.crews] == [crew.hand_size() for crew in truth.crews]


@pytest.mark.parametrize("story", TIGHT)
def test_swaps_keep_account_of_every_card_that_was_laid_down(story: Tale) -> None:
    unseen = Unseen(view(story.game().position, RED))
    lots = Lots(5)
    find_fit(unseen, lots)
    assert unseen.missing == 0
    cards = sorted(slot.card for slot in unseen.slots)
    mix(unseen, 3, lots)
    kept = spare_cards(unseen)
    unseen.weigh()
    assert (spare_cards(unseen), unseen.missing) == (kept, 0)
    assert sorted(slot.card for slot in unseen.slots) == cards
    for pool in unseen.pools:
        slots = [slot for slot in unseen.slots if slot.pool is pool]
        assert slots == unseen.slots[pool.first_slot : pool.first_slot + pool.slots]
        assert sorted(slot.card for slot in slots) == cards_of(pool.counts)


def test_a_stock_that_was_turned_over_leaves_nothing_open_but_hands() -> None:
    *_, (position, _) = turned_over().moments()
    seen = view(position, RED)
    assert seen.stock is not None
    unseen = Unseen(seen)
    assert len(unseen.slots) == unseen.in_hands > 0
    assert unseen.pools[-1].counts == [0] * KEYS


def spare_cards(unseen: Unseen) -> list[list[int]]:
    """What hidden hands had to spare at each card they laid down, by key."""
    return [[laid.spare for laid in laid_down] for laid_down in unseen.laid]


def test_the_stock_lies_in_another_order_in_each_world_of_a_view() -> None:
    worlds = Worlds(view(end_of(laid_down_of_many()), RED))
    chance = Random(6)
    one, two, three = (worlds.draw(chance).stock() for _ in range(3))
    assert len(one) > 60
    for stock, other in ((one, two), (two, three), (one, three)):
        assert sum(card != another for card, another in zip(stock, other, strict=True)) > 20


def laid_down_of_many() -> Script:
    """Blue laid down a bottle; all other cards but a few lie in the stock."""
    return told(table(blue="2..1", hands=("HK", "BD"), seat=BLUE), play("B", 0))


# A test of the test.


def forgetful(truth: Position, seat: int, chance: Random) -> Position:
    """A world sampled from what lies on the table, without any memory."""
    world = truth.copy()
    others = [crew for owner, crew in enumerate(world.crews) if owner != seat]
    unseen = [card for crew in others for card in crew.cards()] + list(world.stock())
    chance.shuffle(unseen)
    for crew in others:
        refill(crew, [unseen.pop() for _ in crew.cards()])
    world.order = bytes(unseen)
    world.stock_top = world.row_head = 0
    return world


@pytest.mark.parametrize("case", [laid_down_what_was_drawn, renewed_for_two, renewed_for_three])
def test_exact_counting_finds_out_who_forgets(case: Callable[[], Script]) -> None:
    script = case()
    truth = end_of(script)
    chance = Random(3)
    chances = exact_chances(script, RED)
    try:
        far = deviation(chances, lambda: forgetful(truth, RED, chance), SAMPLES)
    except AssertionError:
        return
    assert far > TOO_FAR


@pytest.mark.parametrize("seat", [RED, BLUE, None])
def test_a_world_in_mid_trim_waits_for_the_same_seat(seat: int | None) -> None:
    position = nest_table(red="16", hands=("MAP", "ca ca ch ch co co du du"))
    advance(position, play("MAP", "16"))
    assert position.to_act == BLUE
    twin = world(view(position, seat), Random(3))
    assert twin.to_act == BLUE
    assert broken_law(twin) is None
    if seat == BLUE:
        assert legal(twin) == legal(position)


def test_a_card_that_lies_face_down_is_one_of_its_owners_in_every_world() -> None:
    truth = end_of(trimming())
    twin = world(view(truth, RED), Random(3))
    assert [number // KEYS for number in twin.trimmed] == [BLUE]
    assert len(twin.crews[BLUE].cards()) == len(truth.crews[BLUE].cards())
    assert broken_law(twin) is None
