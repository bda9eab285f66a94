"""Engines play: in the arena, on any number of workers, and at the keyboard, also if they fail."""

from pathlib import Path

import pytest

from cartagena.arena.contest import Contest, Contestant, contestant, line_up
from cartagena.arena.referee import BotFault
from cartagena.arena.run import play_games
from cartagena.arena.tally import Tally
from cartagena.rules.ruleset import PRESETS
from tests.cli.scripts import run
from tests.engine_protocol.engines import FURTHEST, FURTHEST_JS, broken, is_there, named
from tests.marks import NO_NODE


def contest(*commands: tuple[str, ...], preset: str = "nest", seed: str = "1") -> Contest:
    """Engines against a bot that leaves everything to chance."""
    bots = [Contestant(command[-1], contestant(named(command)).make) for command in commands]
    line = line_up([*bots, contestant("random")], max(2, len(bots)))
    return Contest(ruleset=PRESETS[preset], line_up=line, seed=seed, seconds=20)


@pytest.mark.parametrize(
    ("command", "preset"),
    [(FURTHEST, "tortuga"), (FURTHEST, "jamaica"), pytest.param(FURTHEST_JS, "nest", marks=NO_NODE)],
)
def test_the_examples_play_better_than_chance(command: tuple[str, ...], preset: str) -> None:
    tally = Tally(contest(command, preset=preset))
    for played in play_games(tally.contest, range(4)):
        tally.add(played)
    assert tally.rate(command[-1]).score >= 3


def test_games_do_not_depend_on_the_number_of_workers() -> None:
    plan = contest(FURTHEST)
    alone = list(play_games(plan, range(2), recorded=True))
    assert list(play_games(plan, range(2), workers=2, recorded=True)) == alone


def test_every_game_has_a_process_of_its_own_which_ends_with_it(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for _ in play_games(contest(broken("noted", notes)), range(2)):
        pass
    processes = list(map(int, notes.read_text(encoding="utf-8").split()))
    assert len(set(processes)) == 2
    assert not any(map(is_there, processes))


def test_an_engine_that_fails_stops_the_arena_and_is_named() -> None:
    reason = "on seat 0 of deal 0, rotation 0: It chose what is not among the choices.* 'choice 1023'$"
    with pytest.raises(BotFault, match=reason):
        list(play_games(contest(broken("illegal")), range(2)))


def test_the_command_line_lets_engines_into_the_arena_and_limits_their_time() -> None:
    flags = ("--ruleset", "nest", "--games", "1", "--workers", "1", "--seed", "1")
    result = run("arena", named(FURTHEST), "random", "--seconds", "20", *flags)
    assert (result.exit_code, named(FURTHEST) in result.output) == (0, True), result.output
    late = run("arena", named(broken("late", 5)), "random", "--seconds", "0.01", *flags)
    assert late.exit_code == 1
    assert "It wrote no `choice` within 1.01 seconds." in late.output
    assert "than `go` says. To see it again, add" in late.output


def played(command: tuple[str, ...]) -> str:
    """What a person sees who leaves after the first turn, which is that of an engine."""
    result = run("play", "--level", named(command), "--seats", "2", "--seed", "2", "--plain", typed=["quit"])
    assert result.exit_code == 0, result.output
    assert "The turn goes from Blue to Red." in result.output
    return result.output


def test_an_engine_plays_at_the_keyboard(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    assert "The sailor plays on" not in played(broken("noted", notes))
    (process,) = map(int, notes.read_text(encoding="utf-8").split())
    assert not is_there(process)


@pytest.mark.parametrize("way", ["crash", "illegal"])
def test_at_the_keyboard_the_sailor_plays_on_for_an_engine_that_fails(way: str) -> None:
    (told,) = [line for line in played(broken(way)).splitlines() if "The sailor plays on" in line]
    assert told.startswith(f"The sailor plays on for {named(broken(way))}. It ")
    # What it wrote may tell a card.
    assert "skull" not in told
