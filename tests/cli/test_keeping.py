"""Games kept in files: where they may be kept, who may read them, and what happens when that fails."""

import os
import stat
from pathlib import Path

import pytest

from cartagena.cli import kept_games
from cartagena.cli.files import write_text
from cartagena.notation.record import Ending
from cartagena.notation.record_reader import parse_record
from tests.cli.scripts import by_notation, run, script


def permissions(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def fresh_record(file: Path, *flags: str) -> str:
    text = run("new", *flags).output
    file.write_text(text, encoding="utf-8")
    return text


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    assert run("play", "--save", str(file), typed=["quit"]).exit_code == 0
    assert permissions(file) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_was_there_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    fresh_record(file)
    file.chmod(0o640)
    assert run("play", "--resume", str(file), typed=["1", "quit"]).exit_code == 0
    assert (permissions(file), "start" in file.read_text(encoding="utf-8")) == (0o640, True)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    link = tmp_path / "link.txt"
    link.symlink_to(folder / "game.txt")
    assert run("play", "--bots", "0", "--save", str(link), typed=["quit"]).exit_code == 0
    assert link.is_symlink()
    assert [path.name for path in folder.iterdir()] == ["game.txt"]
    assert run("play", "--resume", str(folder / "game.txt"), "--save", str(link), typed=["1"]).exit_code == 0
    assert len(parse_record(link.read_text(encoding="utf-8")).steps) == 1


def test_what_is_no_plain_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for place in (pipe, tmp_path, loop):
        result = run("play", "--save", str(place), typed=["quit"])
        assert (result.exit_code, "cannot be written (" in result.output) == (3, True), result.output
    assert pipe.is_fifo()
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "loop"}


def test_a_new_game_never_takes_the_place_of_a_file(tmp_path: Path) -> None:
    file, other = tmp_path / "my game.txt", tmp_path / "other.txt"
    text = fresh_record(file)
    fresh_record(other)
    for flags in (("--bots", "0"), ("--resume", str(other))):
        result = run("play", *flags, "--save", str(file), typed=["1"])
        assert (result.exit_code, f"--resume '{file}'" in result.output) == (3, True)
    assert file.read_text(encoding="utf-8") == text


def test_a_game_can_go_on_in_another_file(tmp_path: Path) -> None:
    file, other = tmp_path / "game.txt", tmp_path / "other.txt"
    text = fresh_record(file)
    assert run("play", "--resume", str(file), "--save", str(other), typed=["1"]).exit_code == 0
    assert file.read_text(encoding="utf-8") == text
    assert len(parse_record(other.read_text(encoding="utf-8")).steps) == 1


@pytest.mark.parametrize("flag", ["--save", "--resume"])
@pytest.mark.parametrize(("name", "message"), [("", "a file has a name"), ("-", "so - will not do")])
def test_a_game_needs_the_name_of_a_file(flag: str, name: str, message: str) -> None:
    result = run("play", flag, name)
    assert (result.exit_code, message in result.output) == (2, True)


def test_a_write_that_fails_leaves_the_old_text_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    write_text(file, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_text(file, "new")
    assert (file.read_text(encoding="utf-8"), list(tmp_path.iterdir())) == ("old", [file])


class Disk:
    """Writes files, but fails on the attempts listed in `full`, counted from 1."""

    def __init__(self, *full: int) -> None:
        self.full = full
        self.times = 0

    def write(self, file: Path, text: str) -> None:
        self.times += 1
        if self.times in self.full:
            raise OSError(28, "No space left on device")
        write_text(file, text)


@pytest.mark.parametrize("preset", ["tortuga", "jamaica"])
def test_a_save_that_fails_is_told_once_and_tried_again(
    preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = script(preset, 2, 0, by_notation)
    file = tmp_path / "game.txt"
    monkeypatch.setattr(kept_games, "write_text", Disk(3, 4, 5, 7).write)
    result = run("play", *game.flags, "--save", str(file), typed=game.lines)
    assert result.exit_code == 0
    assert result.output.count("could not be kept") == 2
    assert file.read_text(encoding="utf-8") == game.record


def test_a_game_that_could_not_be_kept_ends_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_games, "write_text", Disk(*range(2, 99)).write)
    result = run("play", "--save", str(tmp_path / "game.txt"), typed=["quit"])
    assert (result.exit_code, "The game is not kept: " in result.output) == (3, True)
    assert "--resume" not in result.output


@pytest.mark.parametrize("ending", ["resigned, blue wins", "abandoned"])
def test_a_game_that_was_left_for_good_is_not_taken_up(ending: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = fresh_record(file).replace("Result: running", f"Result: {ending}")
    file.write_text(text, encoding="utf-8")
    result = run("play", "--resume", str(file), typed=["1"])
    assert (result.exit_code, f"has ended ({ending})" in result.output) == (1, True)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("rounds", ["1", "40"])
def test_a_game_that_is_over_is_not_taken_up(rounds: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    flags = ("--bots", "2", "--seed", "y", "--option", f"quiet_rounds={rounds}")
    played = run("play", *flags, "--save", str(file))
    assert f"Read it with: cartagena replay {file}\n" in played.output
    assert "Go on with" not in played.output
    ending = parse_record(file.read_text(encoding="utf-8")).result.ending
    assert ending is (Ending.QUIET if rounds == "1" else Ending.WON)
    result = run("play", "--resume", str(file))
    assert (result.exit_code, "holds a game that has ended (" in result.output) == (1, True)
