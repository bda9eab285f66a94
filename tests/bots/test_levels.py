"""The levels: they finish games, keep to their plans, forget them when they must, and can be hurried."""

import time
from random import Random

import pytest

from cartagena.bots.players.interface import UNHURRIED, Bot, Budget, Planner
from cartagena.bots.players.levels import BOSUN, CAPTAIN, deckhand, sailor
from cartagena.bots.players.simple import Greedy
from cartagena.bots.random_games import Dice, deal_again, random_opening
from cartagena.bots.search.bot import Breadth, Depth, Searcher
from cartagena.rules.hidden.view import View, view
from cartagena.rules.legality import advance
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame
from tests.tables import nest_table, play, retreat, table


class Counting(Greedy):
    """A sailor that counts how often it thinks."""

    def __init__(self) -> None:
        super().__init__()
        self.plans = 0

    def plan(self, view: View, chance: Random, budget: Budget) -> tuple[Position, list[int]]:
        """Count and think."""
        self.plans += 1
        return super().plan(view, chance, budget)


def choose(bot: Bot, position: Position) -> int:
    """What a bot chooses for the seat to act."""
    return bot.choose(view(position, position.to_act), Random(1), UNHURRIED)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_sailor_a_deckhand_and_searchers_finish_a_game(ruleset: Ruleset, seats: int) -> None:
    dice = Dice(seats)
    position = random_opening(ruleset, seats, dice)
    quick = Depth(simulations=2, hidden_worlds=2, width=4, duel=Breadth(4, 3), crowd=Breadth(2, 3))
    bots: list[Bot] = [sailor(), deckhand(), *(Searcher(quick) for _ in range(seats - 2))]
    while not position.over:
        advance(position, choose(bots[position.to_act], position))
        if position.order_due:
            deal_again(position, dice)
    assert position.winner in range(-2, seats)


def test_a_plan_is_kept_until_something_is_revealed() -> None:
    open_table = table(TORTUGA, row="K" * 12, red=[9], blue=[3], hands=("BDH", "B"))
    bot = Counting()
    for _ in range(4):
        advance(open_table, choose(bot, open_table))
    assert bot.plans == 1
    hidden = table(JAMAICA, red=[9, 9, 9], blue=[3], hands=("", "B"))
    bot = Counting()
    while hidden.to_act == 0:
        advance(hidden, choose(bot, hidden))
    assert bot.plans > 1


def test_a_plan_is_forgotten_when_the_table_is_another_one() -> None:
    bot = Counting()
    position = table(TORTUGA, row="K" * 12, red=[9], blue=[3], hands=("BDH", "B"))
    first = choose(bot, position)
    assert choose(bot, position) == first, "asked again, as after an undo"
    assert bot.plans == 2
    other = midgame(TORTUGA, 2, 3)
    assert choose(bot, other) in view(other, other.to_act).legal
    assert bot.plans == 3


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_what_a_bot_says_it_chooses_next_is_what_it_chooses(ruleset: Ruleset) -> None:
    position, dice = midgame(ruleset, 2, 3), Dice(3)
    bots = [Searcher(Depth(simulations=40)) for _ in range(2)]
    said: tuple[int, ...] = ()
    kept = 0
    for _ in range(40):
        if position.over:
            break
        bot = bots[position.to_act]
        code = choose(bot, position)
        assert not said or (code, *bot.ahead()) == said
        kept += bool(said)
        said = bot.ahead()
        advance(position, code)
        if position.order_due:
            deal_again(position, dice)
    assert kept > 5


def test_a_hurried_search_answers_in_time() -> None:
    position = midgame(TORTUGA, 2, 1)
    endless = Searcher(Depth(simulations=10_000_000))
    began = time.monotonic()
    code = endless.choose(view(position, position.to_act), Random(1), Budget(seconds=0.1))
    assert time.monotonic() - began < 5
    assert code in view(position, position.to_act).legal


def test_a_search_makes_no_more_simulations_than_its_level_and_stops_when_it_is_sure() -> None:
    position = midgame(TORTUGA, 2, 1)
    seen = view(position, position.to_act)
    search = Searcher(Depth(simulations=40)).search(seen, Random(1), UNHURRIED)
    assert 20 <= search.visits <= 40
    sure = table(TORTUGA, row="K" * 12, red=[0] * 6, hands=("", "B"))
    assert Searcher(Depth(simulations=40)).search(view(sure, 0), Random(1), UNHURRIED).visits == 0


def test_what_is_left_of_a_turn_gets_its_share_of_the_simulations() -> None:
    depth = Depth(simulations=300)
    shares = [
        depth.share(view(table(TORTUGA, row="K" * 12, hands=("BDH", "B"), actions_used=used), 0))
        for used in range(4)
    ]
    assert shares == [300, 200, 100, 100]
    trimming = nest_table(hands=("MAP", "chest " * 8))
    advance(trimming, play("MAP", "start"))
    assert depth.share(view(trimming, 1)) == 100


@pytest.mark.parametrize(("seats", "most"), [(2, 3), (3, 2), (5, 2)])
def test_with_several_opponents_fewer_answers_are_weighed(seats: int, most: int) -> None:
    position = midgame(TORTUGA, seats, 1)
    depth = Depth(simulations=40, width=9, duel=Breadth(3, 4), crowd=Breadth(2, 4))
    search = Searcher(depth).search(view(position, position.to_act), Random(1), UNHURRIED)
    answers = [len(branch.node.branches) for branch in search.roots[0].branches if branch.node is not None]
    assert max(answers) == most
    assert len(search.branches) == 9


def test_curiosity_and_habits_suit_the_table() -> None:
    depth = Depth(simulations=1, explore=0.3, explore_open_duel=0.2)
    chosen = {}
    for ruleset, seats in [(TORTUGA, 2), (TORTUGA, 3), (JAMAICA, 2)]:
        position = midgame(ruleset, seats, 1)
        search = depth.search(view(position, position.to_act), Dice(1))
        chosen[ruleset.key, seats] = (search.explore, search.habits is not None)
    assert chosen == {("tortuga", 2): (0.2, False), ("tortuga", 3): (0.3, True), ("jamaica", 2): (0.3, False)}


def test_the_captain_searches_longer_than_the_bosun() -> None:
    assert CAPTAIN.simulations > 3 * BOSUN.simulations


def test_the_deckhand_does_not_always_do_its_best() -> None:
    position = midgame(TORTUGA, 2, 6)
    seen = view(position, position.to_act)
    plans = {tuple(Greedy(2.4).plan(seen, Random(seed), UNHURRIED)[1]) for seed in range(12)}
    best = {tuple(Greedy().plan(seen, Random(seed), UNHURRIED)[1]) for seed in range(12)}
    assert len(plans) > len(best)


def test_a_planner_must_plan() -> None:
    position = table(TORTUGA, row="K" * 12, red=[9], blue=[3], hands=("B", "B"))
    assert retreat(9) in view(position, 0).legal
    assert play("B", 9) in view(position, 0).legal
    with pytest.raises(NotImplementedError):
        choose(Planner(), position)
