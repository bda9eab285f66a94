"""Games of the arena: judged by the engine, timed, kept, the same on any number of workers."""

from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import pytest

from cartagena.arena.contest import Contestant
from cartagena.arena.referee import BotFault, play_game
from cartagena.arena.run import play_games, until_decided
from cartagena.arena.tally import Sprt, Tally
from cartagena.fairness.record import verify_record
from cartagena.notation.record import format_record
from cartagena.notation.record_reader import parse_record
from cartagena.notation.replay import replay
from cartagena.rules.position import QUIET, WON
from cartagena.rules.ruleset import PRESETS, TORTUGA
from tests.arena.players import RANDOM, RUNNER, TWIN, Broken, Cheat, Slow, Steady, Vague, Witness, contest


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_records_replay_to_their_result_and_their_chance_is_proved(preset: str, seats: int) -> None:
    plan = contest(RUNNER, RANDOM, preset=preset, seats=seats)
    for played in play_games(plan, range(plan.rotations), recorded=True):
        assert played.record is not None
        assert played.record.headers.names == played.bots
        assert verify_record(played.record).holds
        again = parse_record(format_record(played.record))
        position = replay(again).position
        assert (position.ending, position.turn) == (played.ending, played.turns)
        assert position.winner == (-2 if played.winner is None else played.winner)


def test_all_rotations_of_a_deal_have_the_same_table() -> None:
    plan = contest(RUNNER, RANDOM, seats=4)
    headers = [played.record.headers for played in play_games(plan, range(4), recorded=True) if played.record]
    assert len({(header.board, header.deal, header.first_seat) for header in headers}) == 1
    assert [header.names.index("runner") for header in headers] == [0, 1, 2, 3]


def test_games_do_not_depend_on_the_number_of_workers_or_on_each_other() -> None:
    plan = contest(RANDOM, TWIN, preset="nest")
    alone = list(play_games(plan, range(8), recorded=True))
    assert list(play_games(plan, range(8), workers=2, recorded=True)) == alone
    assert play_game(plan, 5, recorded=True) == alone[5]
    assert [played.number for played in alone] == list(range(8))
    other = contest(RANDOM, TWIN, preset="nest", seed="2")
    assert [one.record for one in play_games(other, range(8), recorded=True)] != [one.record for one in alone]


def test_workers_can_be_stopped_early() -> None:
    with closing(play_games(contest(RANDOM, TWIN, preset="nest"), range(10**9), workers=2)) as games:
        assert next(games).number == 0


def test_a_bot_is_asked_with_its_own_view_once_for_each_choice() -> None:
    witness = Witness()
    plan = contest(Contestant("witness", lambda: witness), RANDOM, preset="jamaica")
    played = play_game(plan, 0, recorded=True)
    assert played.record is not None
    asked = [(view.turn, view.actions_used) for view in witness.seen]
    assert all(one < other for one, other in pairwise(asked))
    assert {view.seat for view in witness.seen} == {0}
    assert all(view.legal and view.hands[1] is None for view in witness.seen)
    # After three actions there is nothing left to choose: the turn ends by itself.
    assert {used for _, used in asked} <= {0, 1, 2}
    made = [step for step in played.record.steps if step.seat == 0]
    assert len(witness.seen) < len(made)


def test_the_time_of_a_turn_is_that_of_all_its_choices() -> None:
    played = play_game(contest(Contestant("slow", Slow), RANDOM, preset="nest"), 0)
    slow, quick = played.times
    assert sum(slow) / len(slow) > 4
    assert sum(quick) / len(quick) < 1
    assert abs(len(slow) - len(quick)) <= 1
    assert len(slow) + len(quick) <= played.turns


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        (Cheat, r"it chose the code 0, which is refused \(.*R2\.8\)+"),
        (Broken, r"KeyError: 'no idea' \(players.py, line \d+\)"),
        (Vague, "`choose` returned 1.5, not a code: return one of `view.legal`"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_fails_stops_the_arena_and_is_named(bot: type, reason: str, workers: int) -> None:
    plan = contest(RANDOM, Contestant("culprit", bot))
    with pytest.raises(BotFault, match=f"'culprit' on seat 1 of deal 0, rotation 0: {reason}"):
        list(play_games(plan, range(4), workers=workers))


# Counting.


def tally_of(plan_games: int, *bots: Contestant, seats: int = 2, preset: str = "tortuga") -> Tally:
    tally = Tally(contest(*bots, seats=seats, preset=preset))
    for _ in until_decided(play_games(tally.contest, range(plan_games)), tally, None):
        pass
    return tally


@pytest.mark.parametrize("preset", PRESETS)
def test_equal_bots_that_leave_nothing_to_chance_score_exactly_par(preset: str) -> None:
    equals = [Contestant(name, Steady) for name in ("a", "b", "c")]
    tally = tally_of(9, *equals, seats=3, preset=preset)
    assert [tally.rate(name).score for name in "abc"] == pytest.approx([3, 3, 3])


def test_equal_bots_score_about_par_and_the_better_one_more() -> None:
    equal = tally_of(60, RANDOM, TWIN, preset="nest")
    low, high = equal.rate("random").interval
    assert low < 0.5 < high
    assert equal.rate("random").score + equal.rate("twin").score == 60
    better = tally_of(40, RUNNER, RANDOM, seats=4, preset="nest")
    assert better.rate("runner").interval[0] > 0.25
    assert [(one.chairs, one.par) for one in better.standings()] == [(1, 0.25), (3, 0.75)]


def test_a_game_without_a_winner_gives_every_chair_an_equal_share() -> None:
    tally = Tally(contest(RANDOM, TWIN, seats=4))
    played = play_game(tally.contest, 0)
    winner = played.bots.index("random")
    for ending, seat in ((WON, winner), (QUIET, None), (QUIET, None)):
        tally.add(replace(played, first_seat=3, winner=seat, ending=ending))
    assert (tally.games, tally.undecided) == (3, 2)
    assert tally.rate("random").score == 1.5
    assert tally.rate("twin").score == 1.5
    # Seat 3 begins, so seat 0 is the second to play.
    assert [rate.score for rate in tally.chairs()] == [0.5, 1.5, 0.5, 0.5]


def test_quiet_games_end_and_are_counted() -> None:
    plan = replace(contest(RANDOM, TWIN), ruleset=TORTUGA.with_options(quiet_rounds=1))
    tally = Tally(plan)
    for played in play_games(plan, range(6)):
        tally.add(played)
    assert tally.undecided > 0
    assert tally.rate("random").score + tally.rate("twin").score == 6


def test_turns_and_times_of_a_standing_are_those_of_its_games() -> None:
    tally = tally_of(2, RANDOM, TWIN)
    games = list(play_games(tally.contest, range(2)))
    turns = [
        len(times)
        for played in games
        for name, times in zip(played.bots, played.times, strict=True)
        if name == "random"
    ]
    standing = tally.standing("random")
    assert standing.turns == sum(turns) / 2
    assert 0 < standing.mean <= max(tally.times["random"])
    below = sum(time <= standing.slow for time in tally.times["random"])
    assert below / len(tally.times["random"]) == pytest.approx(0.95, abs=0.02)


def test_before_the_first_game_nothing_is_counted() -> None:
    standing = Tally(contest(RANDOM, TWIN)).standing("random")
    assert (standing.turns, standing.mean, standing.slow, standing.rate.games) == (0, 0, 0, 0)


def test_the_sequential_test_stops_behind_the_same_whole_deal_on_any_number_of_workers() -> None:
    sprt = Sprt(0.6, 0.9)
    counts = []
    for workers in (1, 2):
        tally = Tally(contest(RUNNER, RANDOM, preset="nest"))
        # A worker can import a bot from the module next to this one.
        with closing(play_games(tally.contest, range(200), workers=workers)) as games:
            for _ in until_decided(games, tally, sprt):
                pass
        counts.append((tally.games, tally.rate("runner").score))
        assert sprt.verdict(tally.rate("runner")) is not None
    assert counts[0] == counts[1]
    assert counts[0][0] < 200
    assert counts[0][0] % 2 == 0
