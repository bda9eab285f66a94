"""Records on the command line: made, told, and checked."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cartagena.fairness.record import headers_of_shuffle, shuffle_of_headers
from cartagena.notation.record import Ending, Record, Result, format_record
from cartagena.notation.record_reader import parse_record
from tests.cli.scripts import by_notation, run, script

GAME = script("jamaica", 3, 0, by_notation).record
FALSE = "Not everything in this record is true."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A whole game of Jamaica."""
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture
def running(tmp_path: Path) -> Path:
    """The first turns of the same game."""
    path = tmp_path / "running.txt"
    lines = GAME.splitlines()
    first_turn = next(number for number, line in enumerate(lines) if line.startswith("1 "))
    path.write_text("\n".join([*lines[: first_turn + 9], "Result: running\n"]), encoding="utf-8")
    return path


@pytest.mark.parametrize("preset", ["tortuga", "jamaica", "nest"])
def test_a_fresh_record_is_whole_and_repeatable(preset: str) -> None:
    flags = ("new", "--ruleset", preset, "--seats", "4")
    text = run(*flags, "--seed", "7").output
    record = parse_record(text)
    assert (format_record(record), record.steps, record.headers.seats) == (text, (), 4)
    assert run(*flags, "--seed", "7").output == text
    assert run(*flags).output != run(*flags).output


def test_verify_accepts_what_was_played(file: Path) -> None:
    result = run("verify", str(file))
    assert result.exit_code == 0, result.output
    assert "played by its rules. Result: " in result.output
    assert "  The deal follows from the shuffle: true\n" in result.output
    assert "  Renewal 1 of the stock follows from the shuffle: true\n" in result.output
    assert "\nEvery shuffle follows from the secret. " in result.output
    assert "nobody but the operator took part" in result.output.splitlines()[-1]


def test_verify_says_more_if_somebody_brought_a_nonce(file: Path) -> None:
    shuffle = shuffle_of_headers(parse_record(GAME).headers)
    assert shuffle is not None
    shuffle = replace(shuffle, nonces=(bytes(32), None, None))
    headers = headers_of_shuffle(shuffle, parse_record(GAME).headers.ruleset, ("Ada", "", ""))
    record = Record(headers=headers, steps=(), result=Result(Ending.RUNNING))
    file.write_text(format_record(record), encoding="utf-8")
    result = run("verify", str(file))
    assert result.exit_code == 0
    assert (
        "\n  Your own number took part in the shuffle: not checked, nothing was kept of it\n" in result.output
    )
    assert "\nEvery shuffle follows from the promises in this record. " in result.output


def test_verify_compares_the_commitment_that_was_kept(file: Path) -> None:
    kept = parse_record(GAME).headers.commitment
    assert kept is not None
    right = run("verify", str(file), "--commitment", f" {kept.upper()}")
    assert (
        right.exit_code,
        "\n  The commitment is the one that you saw before the deal: true\n" in right.output,
    ) == (0, True)
    wrong = run("verify", str(file), "--commitment", kept[::-1])
    assert (wrong.exit_code, wrong.output.splitlines()[-1]) == (1, FALSE)
    assert "before the deal: false, this is not the commitment that you kept: the record has " in wrong.output
    assert run("verify", str(file), "--commitment", "promise").exit_code == 2


def test_verify_does_not_praise_the_shuffles_of_a_false_game(file: Path) -> None:
    file.write_text(re.sub(r"^Result: .*", "Result: quiet", GAME, flags=re.MULTILINE), encoding="utf-8")
    lines = run("verify", str(file)).output.splitlines()
    assert (lines[0][:35], lines[-1]) == ("The game was not played by its rule", FALSE)
    assert "  The deal follows from the shuffle: true" in lines


def test_the_record_of_a_view_cannot_be_checked(running: Path) -> None:
    text = run("replay", str(running), "--seat", "red", "--record").output
    result = run("verify", "-", typed=text.splitlines())
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert result.output.startswith("This is the record of a view: ")
    assert "so it cannot be checked" in result.output
    answer = json.loads(run("verify", "-", "--json", typed=text.splitlines()).output)
    assert (answer["hidden"], answer["game"], answer["chance"]) == (True, None, None)


def test_a_record_may_begin_with_a_byte_order_mark(file: Path) -> None:
    file.write_text(GAME, encoding="utf-8-sig")
    assert run("verify", str(file)).exit_code == 0
    assert run("verify", "-", typed=("\ufeff" + GAME).splitlines()).exit_code == 0


def test_verify_answers_programs(file: Path) -> None:
    answer = json.loads(run("verify", str(file), "--json").output)
    assert (answer["hidden"], answer["game"], answer["chance"]) == (False, True, True)
    assert (answer["broken"], answer["missing"], answer["nonces"]) == (None, [], 0)
    assert {"claim": "deal", "holds": True, "failure": None, "reason": None} in answer["findings"]


@pytest.mark.parametrize(
    ("pattern", "instead", "message"),
    [
        (
            r"^Deal: (\S+) (\S+)",
            r"Deal: \2 \1",
            "The deal follows from the shuffle: false, the shuffle gives another deal",
        ),
        (r"^Secret: .", "Secret: -", "64 hexadecimal digits"),
        (
            r"^(Secret: )(.)(.)",
            r"\1\3\2",
            "before the game: false, the secret is not the one that was promised",
        ),
        (r"^First: \w+", "First: yellow", "The first seat follows from the shuffle: false"),
        (r"^(1 \w+: )[^;]+;", r"\1retreat 9;", "not played by its rules: line"),
        (r"^Result: .*", "Result: quiet", "but its game is"),
    ],
)
def test_verify_refuses_what_was_changed(file: Path, pattern: str, instead: str, message: str) -> None:
    changed, times = re.subn(pattern, instead, GAME, count=1, flags=re.MULTILINE)
    assert (times, changed != GAME) == (1, True)
    file.write_text(changed, encoding="utf-8")
    result = run("verify", str(file))
    assert message in result.output
    assert result.exit_code == (3 if "digits" in message else 1)


def test_verify_says_in_json_what_is_wrong(file: Path) -> None:
    file.write_text(re.sub(r"\[order: (\S+) (\S+)", r"[order: \2 \1", GAME, count=1), encoding="utf-8")
    result = run("verify", str(file), "--json")
    answer = json.loads(result.output)
    broken = [finding for finding in answer["findings"] if not finding["holds"]]
    assert (result.exit_code, answer["chance"], broken[0]["failure"]) == (1, False, "renewal_differs")


def test_replay_tells_the_game_in_words(file: Path) -> None:
    output = run("replay", str(file)).output
    assert output.startswith("Game: Jamaica\nSeats: Red, Blue, Yellow\n\n1. turn 1, ")
    assert "  A pirate of Red goes from the fort to space" in output
    assert re.search(r"^  \w+ draws the \w+\.$", output, flags=re.MULTILINE)
    assert output.endswith(f"\n{GAME.splitlines()[-1]}\n")


def test_replay_stops_where_it_is_told(file: Path) -> None:
    output = run("replay", str(file), "--until", "2").output
    assert re.findall(r"^(\d+)\. ", output, flags=re.MULTILINE) == ["1", "2"]
    steps = len(parse_record(file.read_text(encoding="utf-8")).steps)
    assert output.endswith(f"\nUp to action 2 of {steps}.\n")
    assert "Result: running" not in output


def test_replay_answers_programs(file: Path) -> None:
    answer = json.loads(run("replay", str(file), "--json", "--until", "3").output)
    assert [step["seq"] for step in answer["steps"]] == [1, 2, 3]
    kinds = {happening["happening"] for step in answer["steps"] for happening in step["happenings"]}
    assert {"played", "moved"} <= kinds
    assert answer["result"] == "running"


def test_replay_for_a_seat_keeps_the_secrets_of_the_others(file: Path) -> None:
    output = run("replay", str(file), "--seat", "blue").output
    assert "Red draws a card." in output
    assert re.search(r"Blue draws the \w+\.", output)
    assert not re.search(r"(Red|Yellow) draws the", output)
    assert "draws the" not in run("replay", str(file), "--seat", "spectator").output


def test_the_record_of_a_view_hides_the_deal_of_a_running_game(running: Path) -> None:
    text = run("replay", str(running), "--seat", "red", "--record").output
    view = parse_record(text)
    assert view.headers.secret is None
    hand = view.headers.ruleset.hand_size
    assert None not in view.headers.deal[:hand]
    assert set(view.headers.deal[hand : 3 * hand]) == {None}
    refused = run("replay", "-", typed=text.splitlines())
    assert (refused.exit_code, "this is the record of a view" in refused.output) == (1, True)


def test_replay_can_cut_a_record(file: Path) -> None:
    cut = parse_record(run("replay", str(file), "--record", "--until", "5").output)
    assert cut.steps == parse_record(GAME).steps[:5]
    assert run("replay", str(file), "--record").output == GAME


def test_a_trim_is_told_to_its_owner_alone() -> None:
    game = script("nest", 3, 0, by_notation, seed="3").record
    own = run("replay", "-", "--seat", "red", typed=game.splitlines()).output
    assert re.search(r"Red: trim \w", own)
    assert re.search(r"(Blue|Yellow): trim \?", own)
    assert not re.search(r"(Blue|Yellow): trim \w", own)
    assert not re.search(r"(Blue|Yellow) lays the", own)


def test_replay_knows_the_seats_of_the_game(file: Path) -> None:
    result = run("replay", str(file), "--seat", "violet")
    assert (result.exit_code, "No such crew plays in this game." in result.output) == (2, True)


def test_replay_refuses_a_game_that_cannot_have_been(file: Path) -> None:
    file.write_text(re.sub(r"^Result: .*", "Result: dead", GAME, flags=re.MULTILINE), encoding="utf-8")
    for command in (("replay", str(file)), ("play", "--resume", str(file))):
        result = run(*command)
        assert (result.exit_code, "cannot be played" in result.output) == (1, True)


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_that_is_no_record_is_unreadable(command: str, tmp_path: Path) -> None:
    file = tmp_path / "thing"
    missing = run(command, str(file))
    assert (missing.exit_code, "cannot be read" in missing.output) == (3, True)
    file.write_bytes(b"\xff\xfe\x00")
    binary = run(command, str(file))
    assert (binary.exit_code, "is not a text file" in binary.output) == (3, True)
    file.write_text("Cartagena record 1\nRules: one\n", encoding="utf-8")
    other = run(command, str(file))
    assert (other.exit_code, "is not a record: line 2, column" in other.output) == (3, True)
