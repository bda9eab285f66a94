"""Games that are saved automatically: each in a file of its own, listed, resumed, told and deleted."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from cartagena.cli import kept_games as module
from cartagena.cli.kept_games import LAST_GAME, Autosave, Sitting, kept_games, last_running
from cartagena.cli.main import entrance
from cartagena.cli.match import Match, fresh, names_of_seats
from cartagena.notation.record import format_record
from cartagena.notation.record_reader import parse_record
from cartagena.rules.ruleset import TORTUGA
from tests.cli.scripts import run
from tests.cli.test_keeping import Disk


def play_on(match: Match, keeper: Autosave, turns: int) -> None:
    """Let bots choose until `turns` turns are over, or the game is."""
    while not match.position.over and match.position.turn <= turns:
        match.push(match.choose_for(match.position.to_act))
        assert keeper.keep() == ""


def played(turns: int, seed: str = "1672", people: int = 0) -> str:
    """Play and save `turns` turns of a game; return its id."""
    match = fresh(TORTUGA, names_of_seats(2, 2, "random"), seed)
    keeper = Autosave(match)
    play_on(match, keeper, turns)
    assert keeper.id is not None
    if people:
        record = match.record()
        names = names_of_seats(2, 2 - people, "random")
        keeper.file.write_text(format_record(replace(record, headers=replace(record.headers, names=names))))
    return keeper.id


def touched(game_id: str, seconds: int) -> None:
    """Date the last save of a game `seconds` after a fixed moment."""
    file = next(game.file for game in kept_games() if game.id == game_id)
    os.utime(file, (2_000_000_000 + seconds,) * 2)


def test_a_game_is_kept_from_its_first_choice_on_for_its_owner_alone(home: Path) -> None:
    match = fresh(TORTUGA, names_of_seats(2, 2, "random"), "1672")
    keeper = Autosave(match)
    assert (keeper.keep(), keeper.id, kept_games()) == ("", None, [])
    match.push(match.choose_for(match.position.to_act))
    keeper.keep()
    [game] = kept_games()
    assert game.file.parent == home / "games"
    assert game.file.name == f"{game.begun.isoformat()}-{game.id}.txt"
    assert stat.S_IMODE(game.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(game.file.parent.stat().st_mode) == 0o700
    assert game.file.read_text(encoding="utf-8") == format_record(match.record())


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
    assert (found[0].id, found[1].position.turn) == (first, 4)


def test_a_game_that_cannot_go_on_is_none_to_go_on_with() -> None:
    played(3)
    [game] = kept_games()
    text = game.file.read_text(encoding="utf-8")
    for broken in ("", text.replace("bot:random", "bot:somebody:else"), text.replace("play", "retreat", 1)):
        game.file.write_text(broken, encoding="utf-8")
        assert last_running() is None


def test_the_game_that_an_older_version_kept_is_taken_over(home: Path) -> None:
    match = fresh(TORTUGA, names_of_seats(2, 2, "random"), "1672")
    match.push(match.choose_for(match.position.to_act))
    home.mkdir(parents=True)
    (home / LAST_GAME).write_text(format_record(match.record()), encoding="utf-8")
    [game] = kept_games()
    assert game.record() == match.record()
    assert not (home / LAST_GAME).exists()
    assert kept_games() == [game]


def test_a_game_that_cannot_be_kept_is_told_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    match = fresh(TORTUGA, names_of_seats(2, 2, "random"), "1672")
    monkeypatch.setattr(module, "write_text", Disk(1, 2).write)
    keeper = Autosave(match)
    told = []
    with entrance.make_context("cartagena", ["rules"]):
        for _ in range(3):
            match.push(match.choose_for(match.position.to_act))
            told.append(keeper.keep())
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
    match = fresh(TORTUGA.with_options(pass_allowed=True), names_of_seats(3, 2, "random"), "1672")
    again = Sitting.autosaved(match).again()
    assert again.match.headers.ruleset == match.headers.ruleset
    assert again.match.headers.names == match.headers.names
    assert again.match.headers.deal != match.headers.deal
    assert again.match.events == ()
