"""The league: ratings follow from results, tables from the ledger, and games from their names."""

from collections import Counter
from random import Random

import pytest

from cartagena.bots.players.registry import LEVELS as REGISTERED
from research.arena_bars import BARS, Measured, ledger_of
from research.league import (
    GAMES_OF_A_LEG,
    Game,
    Rating,
    game_of,
    games_of,
    games_of_bar,
    line_of,
    ratings,
    table_of,
    tables,
    told,
)
from research.legs import Leg

LEVELS = ["random", "deckhand", "sailor", "bosun"]


def test_without_games_nobody_is_rated() -> None:
    assert ratings(LEVELS, []) == {}
    assert told(None) == ""


def test_ten_wins_to_one_are_four_hundred_points() -> None:
    games = [Game(("bosun", "sailor"), 0)] * 1000 + [Game(("bosun", "sailor"), 1)] * 100
    found = ratings(LEVELS, games)
    assert found["bosun"].points == pytest.approx(1400, abs=3)
    assert found["sailor"] == Rating(1000, 0)
    assert 30 < found["bosun"].margin < 45
    # A level that has not played may be anywhere.
    assert found["deckhand"].points == pytest.approx(1000)
    assert found["deckhand"].margin > 1900


def test_points_are_found_again_from_games_of_several_seats() -> None:
    truth = {"random": 400, "deckhand": 800, "sailor": 1000, "bosun": 1250}
    chance = Random(7)
    games = []
    for _ in range(4000):
        company = tuple(chance.choices(LEVELS, k=4))
        weights = [10 ** (truth[level] / 400) for level in company]
        games.append(Game(company, chance.choices(range(4), weights)[0]))
    for level, rating in ratings(LEVELS, games).items():
        assert rating.points == pytest.approx(truth[level], abs=max(1, 2 * rating.margin)), level


def test_who_always_loses_has_a_rating_and_one_without_a_winner_moves_nobody() -> None:
    lost = ratings(LEVELS, [Game(("random", "sailor"), 1)] * 50)
    assert lost["random"].points < 500
    even = ratings(LEVELS, [Game(("bosun", "sailor"), None)] * 50)
    assert even["bosun"].points == pytest.approx(1000)


def test_a_leg_has_tables_of_its_own_and_none_of_equals() -> None:
    laid = list(tables(Leg("jamaica", 3, 5)))
    assert len(laid) == GAMES_OF_A_LEG
    assert len({table.seed for table in laid}) == GAMES_OF_A_LEG
    assert all(table.seats == 3 and len(table.names) > 1 for table in laid)
    assert [table.names for table in laid] == [table.names for table in tables(Leg("jamaica", 3, 5))]


def test_the_ledger_gives_back_a_game() -> None:
    game = Game(("captain", "sailor", "random"), 1)
    assert game_of(line_of(game)) == game


def test_games_of_a_bar_are_games_of_the_league() -> None:
    bar = next(bar for bar in BARS if bar.name == "nest-4")
    games = games_of_bar(bar, Measured(games=10, wins=6, without_winner=1))
    assert Counter(winner for _, winner in games) == {0: 6, 1: 3, None: 1}
    assert {company for company, _ in games} == {("captain", "sailor", "sailor", "sailor")}
    assert Counter(games_of("nest", 4)) >= Counter(games_of_bar(bar, ledger_of(bar)))


def test_who_is_no_level_is_not_in_the_league() -> None:
    assert {level for company, _ in games_of("tortuga", 2) for level in company} <= set(REGISTERED)


def test_a_table_has_a_row_for_every_level() -> None:
    rows = table_of("tortuga").splitlines()
    assert [row.split(" | ")[0].strip("| ") for row in rows[2:]] == [
        "captain",
        "bosun",
        "sailor",
        "deckhand",
        "random",
    ]
