"""Playing at the prompt, line by line, as a person or a pipe does it."""

import re
from pathlib import Path

import pytest

from cartagena.bots.players.registry import LEVELS
from cartagena.cli.table_flags import LEVEL
from cartagena.notation.record import Ending
from cartagena.notation.record_reader import parse_record
from tests.bots.packages import install
from tests.cli.scripts import Style, by_notation, by_number, run, script


def names_in(file: Path) -> tuple[str, ...]:
    return parse_record(file.read_text(encoding="utf-8")).headers.names


GAMES = [
    ("tortuga", 2, 0, by_notation),
    ("tortuga", 5, 3, by_number),
    ("jamaica", 3, 0, by_number),
    ("jamaica", 4, 3, by_notation),
    ("nest", 2, 0, by_notation),
    ("nest", 3, 1, by_number),
]


@pytest.mark.parametrize(("preset", "seats", "bots", "style"), GAMES)
def test_a_whole_game_is_played_and_kept(
    preset: str, seats: int, bots: int, style: Style, tmp_path: Path
) -> None:
    game = script(preset, seats, bots, style)
    file = tmp_path / "game.txt"
    result = run("play", *game.flags, "--save", str(file), typed=game.lines)
    assert result.exit_code == 0, result.output
    assert file.read_text(encoding="utf-8") == game.record
    assert run("verify", str(file)).exit_code == 0
    assert "wins." in result.output or "ends without a winner." in result.output


def test_bots_alone_play_to_the_end() -> None:
    flags = ("--bots", "2", "--level", "random", "--seed", "x", "--ruleset", "nest")
    result = run("play", *flags)
    assert result.exit_code == 0
    assert result.output == run("play", *flags).output


def test_a_game_can_be_left_and_taken_up_again(tmp_path: Path) -> None:
    game = script("nest", 2, 0, by_notation)
    file = tmp_path / "game.txt"
    # Both halves begin with a line for the covered screen.
    cut = [place for place, line in enumerate(game.lines) if not line][8]
    left = run("play", *game.flags, "--save", str(file), typed=[*game.lines[:cut], "", "quit"])
    assert "The game stops here." in left.output
    assert f"--resume {file}" in left.output
    assert parse_record(file.read_text(encoding="utf-8")).result.ending is Ending.RUNNING
    again = run("play", "--resume", str(file), typed=game.lines[cut:])
    assert again.exit_code == 0
    assert file.read_text(encoding="utf-8") == game.record


def test_the_bots_of_a_record_play_on(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--seats", "3", "--bots", "2", "--save", str(file), typed=["quit"])
    assert names_in(file) == ("", f"bot:{LEVEL}", f"bot:{LEVEL}")
    result = run("play", "--resume", str(file), "--bots", "3")
    assert result.exit_code == 0
    assert "of them at this keyboard" in result.output
    assert parse_record(file.read_text(encoding="utf-8")).result.ending is not Ending.RUNNING
    assert run("verify", str(file)).exit_code == 0


def test_bots_have_a_level_that_the_record_keeps_and_that_can_be_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "installed", "packaged_bot", "packaged = packaged_bot:LongestJump")
    monkeypatch.syspath_prepend(tmp_path / "installed")
    file = tmp_path / "game.txt"
    run("play", "--seats", "3", "--level", "packaged", "--save", str(file), typed=["quit"])
    assert names_in(file) == ("", "bot:packaged", "bot:packaged")
    assert run("play", "--resume", str(file), typed=["quit"]).exit_code == 0
    assert names_in(file) == ("", "bot:packaged", "bot:packaged")
    assert run("play", "--resume", str(file), "--level", "random", typed=["quit"]).exit_code == 0
    assert names_in(file) == ("", "bot:random", "bot:random")
    run("play", "--resume", str(file), "--bots", "1", "--level", "packaged", typed=["quit"])
    assert names_in(file) == ("", "", "bot:packaged")


def test_a_bot_of_an_old_record_plays_the_level_for_everybody(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--seats", "2", "--level", "random", "--save", str(file), typed=["quit"])
    file.write_text(file.read_text(encoding="utf-8").replace("bot:random", "bot"), encoding="utf-8")
    result = run("play", "--resume", str(file), typed=["quit"])
    assert (result.exit_code, "2 seats, 1 of them at this keyboard" in result.output) == (0, True)
    assert names_in(file) == ("", "bot")


def test_a_bot_that_is_not_installed_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--level", "random", "--save", str(file), typed=["quit"])
    file.write_text(file.read_text(encoding="utf-8").replace("bot:random", "bot:gone"), encoding="utf-8")
    result = run("play", "--resume", str(file), typed=["quit"])
    assert (result.exit_code, "no bot 'gone'" in result.output) == (1, True)
    assert "Choose other bots with --level" in result.output
    assert run("play", "--resume", str(file), "--level", "random", typed=["quit"]).exit_code == 0


def test_a_record_cannot_make_the_program_run_code_that_it_names(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--level", "tests.arena.players:Runner", "--save", str(file), typed=["quit"])
    assert names_in(file) == ("", "bot:tests.arena.players:Runner")
    result = run("play", "--resume", str(file), typed=["quit"])
    assert (result.exit_code, "no bot 'tests.arena.players:Runner'" in result.output) == (1, True)
    again = ("play", "--resume", str(file), "--level", "tests.arena.players:Runner")
    assert run(*again, typed=["quit"]).exit_code == 0


def test_the_help_names_every_level_and_the_one_for_everybody() -> None:
    page = " ".join(run("play", "--help").output.split())
    assert f"{LEVEL} if nothing is said, those of the record" in page
    assert all(f"{level}, " in page for level in LEVELS)


def test_a_record_without_a_secret_goes_on_with_new_chance(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = run("new", "--ruleset", "jamaica", "--seats", "4").output
    file.write_text(re.sub(r"(Secret|Nonces): .*\n", "", text), encoding="utf-8")
    assert run("play", "--resume", str(file), "--bots", "4", "--level", "random").exit_code == 0
    assert "[order:" in file.read_text(encoding="utf-8")
    verdict = run("verify", str(file))
    assert (verdict.exit_code, "cannot be checked" in verdict.output) == (0, True)


def test_why_not_quotes_the_rule() -> None:
    typed = [
        "why retreat start",
        "why r 7",
        "retreat 7",
        "why end turn",
        "why 1",
        "why play",
        "why",
        "why 99",
    ]
    output = run("play", "--seed", "3", "--bots", "0", typed=typed).output
    assert "A pirate in the fort has nothing behind it.\nR4.7: A pirate at the start cannot" in output
    assert output.count("No such pirate stands there.\nR4.1: To retreat, a seat moves") == 2
    assert "you must make at least one action.\nR2.8: A seat that has made no action" in output
    assert "That is possible: to space" in output
    assert "Expected: one of play" in output
    assert "Expected: an action (play, retreat, end_turn)" in output
    assert "The choices are numbered from 1 to" in output


def test_why_names_a_card_that_is_not_held() -> None:
    signs = "bottle|dagger|hat|key|pistol|skull"
    typed = [f"why play {sign} start" for sign in signs.split("|")]
    output = run("play", "--seed", "3", "--bots", "0", typed=typed).output
    assert re.search(rf"You hold no ({signs})\.\nR3\.1: To play", output)


def test_why_of_a_choice_without_an_effect() -> None:
    output = run("play", "--option", "pass_allowed=true", "--bots", "0", typed=["why end turn"]).output
    assert "That is possible.\n" in output


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Tip: play the "), ("de", "Tipp: spiele "), ("nl", "Tip: speel "), ("sv", "Tips: spela ")],
)
def test_a_tip_is_told_in_words_of_the_language(language: str, told: str) -> None:
    output = run("play", "--seed", "3", "--bots", "0", "--lang", language, typed=["tip", "quit"]).output
    [tip] = [line for line in output.splitlines() if told in line]
    assert re.search(r"\d %\.$", tip)
    assert not re.search(r"end_turn|play \w+ start", tip)


def test_undo_takes_back_what_showed_no_card() -> None:
    output = run("play", "--seed", "3", "--bots", "0", typed=["undo", "1", "undo", "table"]).output
    assert "You have done nothing in this turn that could be taken back.\nR8.2: Undo" in output
    assert "Red takes the last choice back.\n" in output
    first, *_, last = re.findall(r"^row .*?^Turn \d+: .*?$", output, flags=re.DOTALL | re.MULTILINE)
    assert first == last


def test_the_next_seat_is_told_what_was_taken_back() -> None:
    flags = ("--ruleset", "jamaica", "--seed", "3", "--bots", "0")
    output = run("play", *flags, typed=["", "1", "undo", "2", "end_turn", "", "quit"]).output
    *_, told_to_next = output.split("press Enter")
    assert re.findall("plays the|takes the last choice back", told_to_next) == [
        "plays the",
        "takes the last choice back",
        "plays the",
    ]


def test_undo_before_a_shown_card_is_refused() -> None:
    typed = ["push blue start", "push yellow start", "push red start", "undo"]
    output = run(
        "play", "--ruleset", "nest", "--seed", "3", "--seats", "3", "--bots", "0", typed=["", *typed]
    )
    assert "A card was shown or given away, so you cannot take this back.\nR8.3" in output.output


def test_the_turn_ends_by_itself_only_if_asked() -> None:
    flags = ("play", "--seed", "3", "--bots", "0", "--option", "quiet_rounds=1")
    three_actions = ["1", "2", "2"]
    assert "The turn goes from" not in run(*flags, typed=three_actions).output
    assert "The turn goes from" in run(*flags, "--auto-end", typed=three_actions).output


@pytest.mark.parametrize("preset", ["jamaica", "nest"])
def test_hands_that_are_hidden_stay_hidden(preset: str) -> None:
    game = script(preset, 3, 2, by_number)
    output = run("play", *game.flags, typed=game.lines[:-1]).output
    assert re.search(r"^Red +\d+ cards: ", output, flags=re.MULTILINE)
    assert not re.search(r"^(Blue|Yellow) +\d+ cards?: ", output, flags=re.MULTILINE)
    assert not re.search(r"(Blue|Yellow) draws the", output)


def test_people_at_one_keyboard_cover_their_hands() -> None:
    game = script("jamaica", 2, 0, by_notation)
    output = run("play", *game.flags, typed=game.lines[:60]).output
    for sitting in output.split("come to the keyboard")[1:]:
        shown = set(re.findall(r"^(Red|Blue) +\d+ cards?: ", sitting, flags=re.MULTILINE))
        assert len(shown) <= 1
    assert {"Red, ", "Blue, "} <= set(re.findall(r"(?:Red|Blue), (?=come)", output))


def test_the_end_of_the_input_leaves_the_game() -> None:
    for typed in ([], ["", "help"]):
        result = run("play", "--ruleset", "jamaica", "--bots", "0", typed=typed)
        assert (result.exit_code, "The game stops here." in result.output) == (0, True)


def test_help_names_everything_that_can_be_typed() -> None:
    output = run("play", "--bots", "0", typed=["", "help"]).output
    for word in ("undo", "why", "tip", "table", "discard", "quit", "play skull 9"):
        assert f"\n  {word}" in output


def test_the_discard_is_listed_in_its_order() -> None:
    output = run("play", "--seed", "3", "--bots", "0", typed=["discard", "1", "discard"]).output
    played = re.findall(r"^\w+ plays the (\w+)\.", output, flags=re.MULTILINE)
    listed = re.findall(r"^The discard, oldest card first: (.*)\.$", output, flags=re.MULTILINE)
    assert listed == ["none", *played]


def test_a_number_of_thousands_of_digits_is_no_choice() -> None:
    result = run("play", "--bots", "0", typed=["9" * 5000, f"why {'9' * 5000}", "quit"])
    assert (result.exit_code, result.output.count("The choices are numbered from 1 to")) == (0, 2)


def test_the_game_can_be_left_at_the_covered_screen() -> None:
    result = run("play", "--ruleset", "jamaica", "--bots", "0", typed=["quit", "1"])
    assert (result.exit_code, "The game stops here." in result.output) == (0, True)
    assert "cards:" not in result.output


def test_an_edition_sets_its_options(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "--edition", "de", "--option", "quiet_rounds=7", "--save", str(file), "--bots", "0")
    ruleset = parse_record(file.read_text(encoding="utf-8")).headers.ruleset
    assert (ruleset.pass_allowed, ruleset.quiet_rounds) == (True, 7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bots", "3"), "3 bots do not fit on 2 seats"),
        (("--seats", "6"), "range"),
        (("--level", "admiral"), "there is no bot 'admiral'; choose one of random, "),
        (("--option", "pass_allowed=maybe"), "pass_allowed=false or true"),
        (("--option", "colour=red"), "an option as name=value"),
        (("--resume", "game.txt", "--seed", "1"), "has set the table already"),
    ],
)
def test_wrong_flags_are_a_wrong_use(arguments: tuple[str, ...], message: str) -> None:
    result = run("play", *arguments)
    assert (result.exit_code, message in result.output) == (2, True), result.output


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    result = run("play", "--save", str(tmp_path / "no" / "folder.txt"), "--bots", "0")
    assert (result.exit_code, "cannot be written" in result.output) == (3, True)
