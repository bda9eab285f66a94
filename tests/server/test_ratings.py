"""Ratings: one winner before all others, and a lost seat wins nothing."""

from random import Random
from uuid import uuid4

import pytest

from cartagena.server.lobby.ratings import RatedGame, Rating, changes_of, ranks_of, rated

NEW = Rating()


def test_everybody_begins_at_a_thousand() -> None:
    assert NEW.shown == 1000


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_winner_rises_and_the_others_fall_alike(seats: int) -> None:
    winner, *others = rated([NEW] * seats, ranks_of(0, [False] * seats))
    assert winner.mu > NEW.mu
    assert all(other.mu < NEW.mu for other in others)
    assert len({(other.mu, other.sigma) for other in others}) == 1


@pytest.mark.parametrize("seat", range(4))
def test_it_does_not_matter_on_which_seat_one_wins(seat: int) -> None:
    after = rated([NEW] * 4, ranks_of(seat, [False] * 4))
    assert after[seat].mu == pytest.approx(rated([NEW] * 4, ranks_of(0, [False] * 4))[0].mu)
    assert max(after, key=lambda rating: rating.mu) is after[seat]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nobody_is_rated_above_those_who_tie_for_first(seats: int) -> None:
    # An issue of openskill (#155): two who tied for first came out below the third.
    for losers in range(1, seats):
        lost = [seat < losers for seat in range(seats)]
        after = rated([NEW] * seats, ranks_of(None, lost))
        best_loser = max(rating.mu for rating in after[:losers])
        worst_winner = min(rating.mu for rating in after[losers:])
        assert best_loser < NEW.mu < worst_winner, lost


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_draw_of_equals_changes_nothing_but_the_doubt(seats: int) -> None:
    for rating in rated([NEW] * seats, ranks_of(None, [False] * seats)):
        assert rating.mu == pytest.approx(NEW.mu)
        assert rating.sigma < NEW.sigma


def test_a_sole_winner_never_falls_and_a_sole_loser_never_rises() -> None:
    chance = Random(155)
    for _ in range(500):
        seats = chance.randint(2, 5)
        before = [Rating(mu=chance.uniform(5, 45), sigma=chance.uniform(1, 8)) for _ in range(seats)]
        seat = chance.randrange(seats)
        won = rated(before, ranks_of(seat, [False] * seats))
        assert won[seat].mu >= before[seat].mu
        lost = rated(before, ranks_of(None, [number == seat for number in range(seats)]))
        assert lost[seat].mu <= before[seat].mu


def test_an_upset_moves_more_than_a_victory_that_was_expected() -> None:
    strong, weak = Rating(mu=35, sigma=3), Rating(mu=15, sigma=3)
    upset = rated([strong, weak], ranks_of(1, [False, False]))
    expected = rated([strong, weak], ranks_of(0, [False, False]))
    assert upset[1].mu - weak.mu > expected[0].mu - strong.mu


def test_who_runs_out_of_time_does_not_win_by_the_bot_that_plays_on() -> None:
    assert ranks_of(0, [True, False, False]) == [2, 1, 1]
    assert ranks_of(0, [True, False]) == [2, 1]
    assert ranks_of(2, [True, False, True, False]) == [2, 1, 2, 1]


def test_who_lost_his_seat_is_behind_in_a_draw() -> None:
    assert ranks_of(None, [False, True, False]) == [1, 2, 1]
    assert ranks_of(None, [False, False]) == [1, 1]


def test_who_lost_his_seat_is_one_of_the_others_behind_the_winner() -> None:
    assert ranks_of(1, [True, False, False]) == [2, 1, 2]


def test_only_a_sole_first_counts_as_a_win() -> None:
    def wins(winner: int | None, seats: int, *, lost_seat: int | None = None) -> list[bool]:
        lost = tuple(seat == lost_seat for seat in range(seats))
        players = tuple(uuid4() for _ in lost)
        game = RatedGame(game_id=uuid4(), ruleset="nest", players=players, winner=winner, lost=lost)
        return [change.won for change in changes_of(game, [NEW] * len(lost))]

    assert wins(1, 3) == [False, True, False]
    assert wins(1, 3, lost_seat=1) == [False, False, False]
    assert wins(1, 2, lost_seat=1) == [True, False]
    assert wins(None, 2) == [False, False]
