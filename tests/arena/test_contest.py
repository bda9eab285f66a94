"""A contest deals equal luck: every bot gets every deal on every seat equally often."""

from collections import Counter

import pytest

from cartagena.arena.contest import Contest, Contestant, contestant, line_up
from cartagena.fairness.shuffle import opening
from cartagena.rules.laws import same
from cartagena.rules.ruleset import PRESETS, TORTUGA

RANDOM = contestant("random")


def named(*names: str) -> tuple[Contestant, ...]:
    return tuple(Contestant(name, RANDOM.make) for name in names)


def contest(*names: str, preset: str = "tortuga", seed: str = "1") -> Contest:
    return Contest(ruleset=PRESETS[preset], line_up=named(*names), seed=seed)


@pytest.mark.parametrize(
    ("names", "rotations"),
    [("ab", 2), ("aa", 1), ("abc", 3), ("abb", 3), ("abbb", 4), ("abab", 2), ("aabb", 4), ("abcde", 5)],
)
def test_every_bot_sits_equally_often_on_each_seat_of_a_deal(names: str, rotations: int) -> None:
    plan = contest(*names)
    assert plan.rotations == rotations
    sat = Counter(
        (seat, bot.name) for rotation in range(rotations) for seat, bot in enumerate(plan.sitting(rotation))
    )
    for seat in range(plan.seats):
        for name in names:
            assert sat[seat, name] * plan.seats == rotations * plan.chairs(name)


def test_the_last_bot_takes_the_seats_that_are_left() -> None:
    assert [bot.name for bot in line_up(named("a", "b"), 4)] == ["a", "b", "b", "b"]
    assert [bot.name for bot in line_up(named("a", "b", "c"), 3)] == ["a", "b", "c"]


def test_par_is_the_share_of_the_chairs() -> None:
    plan = contest("a", "b", "b", "b")
    assert (plan.names, plan.par("a"), plan.par("b")) == (("a", "b"), 0.25, 0.75)


def test_games_are_numbered_deal_by_deal() -> None:
    plan = contest("a", "b", "c")
    assert [plan.place_of(number) for number in (0, 1, 2, 3, 7)] == [(0, 0), (0, 1), (0, 2), (1, 0), (2, 1)]
    assert [plan.whole_deals(games) for games in (1, 3, 4)] == [3, 3, 6]


def test_deals_differ_and_come_again_from_their_seed() -> None:
    plan = contest("a", "b")
    tables = [opening(plan.shuffle(deal), TORTUGA, 2) for deal in range(20)]
    assert len({(table.board.signs, table.order) for table in tables}) == 20
    assert {table.seat for table in tables} == {0, 1}
    assert same(opening(contest("a", "b").shuffle(7), TORTUGA, 2), tables[7])
    assert not same(opening(contest("a", "b", seed="2").shuffle(7), TORTUGA, 2), tables[7])


def test_every_seat_of_every_game_has_chance_of_its_own() -> None:
    plan = contest("a", "b")
    first = {
        plan.chance(deal, rotation, seat).random()
        for deal in range(5)
        for rotation in range(2)
        for seat in range(2)
    }
    assert len(first) == 20
    assert plan.chance(3, 1, 0).random() in first


def test_a_contest_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 5 bots, not 1"):
        contest("a")
    with pytest.raises(ValueError, match="may never end"):
        Contest(ruleset=TORTUGA.with_options(quiet_rounds=0), line_up=named("a", "b"), seed="1")
