"""The league: ratings follow from results, tables from summaries, and games from their names."""

from collections import Counter
from random import Random

import pytest

from cartagena.bots.players.registry import LEVELS as REGISTERED
from research.arena_bars import ARENA_BARS, BY_NAME
from research.experiment import Game, Row, Summary, summary_of
from research.league import (
    LEAGUE,
    Outcome,
    Rating,
    company_at,
    figures,
    league_table,
    outcomes,
    outcomes_at,
    outcomes_of_bar,
    ratings,
    told,
)

LEVELS = ["random", "deckhand", "sailor", "bosun"]


def test_without_games_nobody_is_rated() -> None:
    assert ratings(LEVELS, {}) == {}
    assert told(None) == ""


def test_ten_wins_to_one_are_four_hundred_points() -> None:
    company = ("bosun", "sailor")
    found = ratings(LEVELS, {Outcome(company, 0): 1000, Outcome(company, 1): 100})
    assert found["bosun"].points == pytest.approx(1400, abs=3)
    assert found["sailor"] == Rating(1000, 0)
    assert 30 < found["bosun"].margin < 45
    # A level that has not played may be anywhere.
    assert found["deckhand"].points == pytest.approx(1000)
    assert found["deckhand"].margin > 1900


def test_points_are_found_again_from_games_of_several_seats() -> None:
    truth = {"random": 400, "deckhand": 800, "sailor": 1000, "bosun": 1250}
    chance = Random(7)
    games: Counter[Outcome] = Counter()
    for _ in range(4000):
        company = tuple(chance.choices(LEVELS, k=4))
        weights = [10 ** (truth[level] / 400) for level in company]
        games[Outcome(company, chance.choices(range(4), weights)[0])] += 1
    for level, rating in ratings(LEVELS, games).items():
        assert rating.points == pytest.approx(truth[level], abs=max(1, 2 * rating.margin)), level


def test_who_always_loses_has_a_rating_and_one_without_a_winner_moves_nobody() -> None:
    lost = ratings(LEVELS, {Outcome(("random", "sailor"), 1): 50})
    assert lost["random"].points < 500
    even = ratings(LEVELS, {Outcome(("bosun", "sailor"), None): 50})
    assert even["bosun"].points == pytest.approx(1000)


def test_every_game_has_a_company_of_its_own_and_none_is_of_equals() -> None:
    companies = [company_at(Game("league", "jamaica 3", number, "1"), 3) for number in range(50)]
    assert all(len(company) == 3 and len(set(company)) > 1 for company in companies)
    assert len(set(map(tuple, companies))) > 20
    assert companies == [company_at(Game("league", "jamaica 3", number, "1"), 3) for number in range(50)]


def test_a_summary_gives_back_the_results() -> None:
    rows: list[Row] = [
        {"company": "captain sailor random", "winner": 1},
        {"company": "captain sailor random", "winner": None},
        {"company": "captain sailor random", "winner": 1},
    ]
    summary = Summary()
    for row in rows:
        summary.add(figures(row))
    company = ("captain", "sailor", "random")
    assert outcomes(summary) == {Outcome(company, 1): 2, Outcome(company, None): 1}


def test_games_of_a_bar_are_games_of_the_league() -> None:
    bar, company = BY_NAME["nest-4"], ("captain", "sailor", "sailor", "sailor")
    found = outcomes_of_bar(bar, Summary(10, Counter(wins=6, without_winner=1)))
    assert found == {Outcome(company, 0): 6, Outcome(company, 1): 3, Outcome(company, None): 1}
    played = outcomes(summary_of(LEAGUE, "nest 4"))
    assert outcomes_at("nest", 4) == played + outcomes_of_bar(bar, summary_of(ARENA_BARS, "nest-4"))


def test_who_is_no_level_is_not_in_the_league() -> None:
    assert {level for company, _ in outcomes_at("tortuga", 2) for level in company} <= set(REGISTERED)


def test_a_table_has_a_row_for_every_level() -> None:
    rows = league_table("tortuga").splitlines()
    assert [row.split(" | ")[0].strip("| ") for row in rows[2:]] == [
        "captain",
        "bosun",
        "sailor",
        "deckhand",
        "random",
    ]
