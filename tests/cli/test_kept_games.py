"""Games that are saved automatically: each in a file of its own, listed, resumed, told and deleted."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from cartagena import Game
from cartagena.cli import kept_games as module
from cartagena.cli.deal import fresh, names_of_seats
from cartagena.cli.kept_games import LAST_GAME, Autosave, Sitting, is_begun, kept_games, last_running
from cartagena.cli.main import entrance
from cartagena.notation.record import format_record
from cartagena.notation.record_reader import parse_record
from cartagena.rules.ruleset import TORTUGA
from tests.cli.scripts import run
from tests.cli.test_keeping import Disk


def begun(seed: str = "1672", choices: int = 0) -> Game:
    """A game of two bots after some choices."""
    game = Game.start(TORTUGA, seats=2, seed=seed, names=names_of_seats(2, 2, "random"))
    for _ in range(choices):
        game.push(game.choice_of("random"))
    return game


def played(turns: int, seed: str = "1672", people: int = 0) -> str:
    """Play and save `turns` turns of a game; return its id."""
    game, keeper = begun(seed), Autosave()
    while not game.over and game.turn <= turns:
        game.push(game.choice_of("random"))
        assert keeper.keep(game.record()) == ""
    assert keeper.id is not None
    if people:
        record = game.record()
        names = names_of_seats(2, 2 - people, "random")
        keeper.file.write_text(format_record(replace(record, headers=replace(record.headers, names=names))))
    return keeper.id


def touched(game_id: str, seconds: int) -> None:
    """Date the last save of a game `seconds` after a fixed moment."""
    file = next(game.file for game in kept_games() if game.id == game_id)
    os.utime(file, (2_000_000_000 + seconds,) * 2)


def test_a_game_is_kept_from_its_first_choice_on_for_its_owner_alone(home: Path) -> None:
    keeper, record = Autosave(), begun(choices=1).record()
    assert (keeper.keep(begun().record()), keeper.id, kept_games()) == ("", None, [])
    keeper.keep(record)
    [game] = kept_games()
    assert game.file.parent == home / "games"
    assert game.file.name == f"{game.begun.isoformat()}-{game.id}.txt"
    assert stat.S_IMODE(game.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(game.file.parent.stat().st_mode) == 0o700
    assert game.file.read_text(encoding="utf-8") == format_record(record)


def test_no_game_takes_the_place_of_another_not_even_of_its_twin() -> None:
    ids = [played(2), played(2), played(3, "other")]
    assert {game.id for game in kept_games()} == set(ids)
    assert len(set(ids)) == 3


def test_an_id_that_is_taken_is_not_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = iter("aaaaaaaaaabbbbb")
    monkeypatch.setattr("secrets.choice", lambda _: next(letters))
    assert [played(1), played(1)] == ["aaaaa", "bbbbb"]


def test_the_last_running_game_is_the_one_that_was_played_last() -> None:
    first, second, over = played(3), played(2), played(999)
    for at, game_id in enumerate((second, first, over)):
        touched(game_id, at)
    assert [game.id for game in kept_games()] == [over, first, second]
    found = last_running()
    assert found is not None
    [kept] = [game.record() for game in kept_games() if game.id == first]
    assert (found.record, found.turn) == (kept, 4)


def test_a_game_in_which_only_bots_chose_takes_no_place_of_one_that_was_played() -> None:
    mine, empty = played(3, people=1), played(1)
    seated = replace(begun(choices=1).record().headers, names=("", "bot:random"))
    bots_began = replace(begun(choices=1).record(), headers=seated)
    bots_began = replace(bots_began, steps=(replace(bots_began.steps[0], seat=1),))
    assert not is_begun(bots_began)
    assert (Autosave().keep(bots_began), len(kept_games())) == ("", 2)
    # An older version kept such games as well.
    [file] = [game.file for game in kept_games() if game.id == empty]
    text = format_record(begun().record()).replace("bot:random", "", 1)
    file.write_text(text, encoding="utf-8")
    touched(mine, 0)
    touched(empty, 1)
    found = last_running()
    assert found is not None
    assert is_begun(found.record)
    [file] = [game.file for game in kept_games() if game.id == mine]
    file.unlink()
    assert last_running() is not None


def test_a_game_that_cannot_go_on_is_none_to_go_on_with() -> None:
    played(3)
    [game] = kept_games()
    text = game.file.read_text(encoding="utf-8")
    for broken in ("", text.replace("bot:random", "bot:somebody:else"), text.replace("play", "retreat", 1)):
        game.file.write_text(broken, encoding="utf-8")
        assert last_running() is None


def test_the_game_that_an_older_version_kept_is_taken_over(home: Path) -> None:
    record = begun(choices=1).record()
    home.mkdir(parents=True)
    (home / LAST_GAME).write_text(format_record(record), encoding="utf-8")
    [game] = kept_games()
    assert game.record() == record
    assert not (home / LAST_GAME).exists()
    assert kept_games() == [game]


def test_a_game_that_cannot_be_kept_is_told_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "write_text", Disk(1, 2).write)
    keeper = Autosave()
    with entrance.make_context("cartagena", ["rules"]):
        told = [keeper.keep(begun(choices=number).record()) for number in (1, 2, 3)]
    assert [bool(text) for text in told] == [True, False, False]
    assert keeper.is_kept


def test_the_list_tells_who_plays_and_how_it_stands() -> None:
    assert "No game is kept yet" in run("games").output
    running, over = played(3), played(999)
    touched(running, 1)
    lines = run("games").output.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{running}  2033-")
    assert lines[0].endswith("Tortuga: Red (random), Blue (random); turn 4")
    assert lines[1].startswith(over)
    assert lines[1].endswith("has won.")


def test_the_latest_game_is_seen_again_without_its_id() -> None:
    assert (run("games", "replay").exit_code, run("games", "replay").output.count("No game is kept yet")) == (
        1,
        1,
    )
    older, latest = played(2), played(3)
    touched(older, 1)
    touched(latest, 2)
    assert run("games", "replay").output == run("games", "replay", latest).output
    assert run("games", "replay").output != run("games", "replay", older).output


@pytest.mark.parametrize(("choices", "hint"), [(3, "games resume ID"), (999, "games replay ID")])
def test_the_list_hints_at_what_can_be_done(choices: int, hint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartagena.cli.games.is_terminal", lambda _: True)
    played(choices)
    assert run("games").output.rstrip().endswith(hint)


def test_the_list_answers_programs() -> None:
    game_id = played(2)
    [game] = kept_games()
    [told] = json.loads(run("games", "--json").output)
    assert (told["id"], told["file"], told["begun"]) == (game_id, str(game.file), game.begun.isoformat())
    assert (told["seats"], told["turn"], told["result"]) == (["bot:random", "bot:random"], 3, "running")
    assert told["ruleset"].startswith("tortuga")
    record = game.record()
    assert record is not None
    assert told["actions"] == len(record.steps)
    game.file.write_text("no record", encoding="utf-8")
    [told] = json.loads(run("games", "--json").output)
    assert (told["id"], told["result"]) == (game_id, None)
    assert "cannot be read: " in run("games").output


def test_a_game_goes_on_where_it_was_left_and_stays_in_its_file() -> None:
    game_id = played(2, people=1)
    [game] = kept_games()
    before = parse_record(game.file.read_text(encoding="utf-8"))
    result = run("games", "resume", game_id, typed=["1", "quit"])
    assert result.exit_code == 0, result.output
    assert f"To go on: cartagena games resume {game_id}" in result.output
    after = parse_record(game.file.read_text(encoding="utf-8"))
    assert after.steps[: len(before.steps)] == before.steps
    assert len(after.steps) > len(before.steps)
    assert [each.id for each in kept_games()] == [game_id]


def test_a_game_that_is_over_is_told_and_analysed_but_not_taken_up() -> None:
    game_id = played(999)
    refused = run("games", "resume", game_id)
    assert (refused.exit_code, "has ended" in refused.output) == (1, True)
    told = run("games", "replay", game_id)
    assert told.output.startswith("Game: Tortuga\nSeats: Red (bot:random), Blue (bot:random)\n")


def test_a_game_is_analysed_by_its_id() -> None:
    told = run("games", "analyse", played(1), "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["steps"]


def test_games_are_deleted_for_good() -> None:
    first, second, third = played(1), played(2), played(3)
    result = run("games", "delete", first, third)
    assert result.output == f"{first} is deleted.\n{third} is deleted.\n"
    assert [game.id for game in kept_games()] == [second]
    assert run("games", "delete").exit_code == 2


def test_the_beginning_of_an_id_will_do_if_it_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = iter("abcdeabxyzkmnpq")
    monkeypatch.setattr("secrets.choice", lambda _: next(letters))
    for _ in range(3):
        played(1)
    assert run("games", "delete", "K").output == "kmnpq is deleted.\n"
    unclear = run("games", "replay", "ab")
    assert (unclear.exit_code, "abcde" in unclear.output, "abxyz" in unclear.output) == (2, True, True)
    unknown = run("games", "replay", "zzz")
    assert (unknown.exit_code, "`cartagena games`" in " ".join(unknown.output.split())) == (2, True)


def test_a_pipe_keeps_nothing_unless_it_is_asked_to() -> None:
    assert run("play", "--bots", "0", typed=["1", "quit"]).exit_code == 0
    assert kept_games() == []


def test_another_game_at_the_same_table_is_another_one() -> None:
    record = fresh(TORTUGA.with_options(pass_allowed=True), names_of_seats(3, 2, "random"), "1672")
    again = Sitting.autosaved(record).again().record
    assert again.headers.ruleset == record.headers.ruleset
    assert again.headers.names == record.headers.names
    assert again.headers.deal != record.headers.deal
    assert again.steps == ()
