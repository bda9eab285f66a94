"""The soak itself: it plays, it counts, it repeats a game, and it does not look away."""

from pathlib import Path

import pytest

from cartagena.bots.random_games import Dice, random_opening
from cartagena.rules.ruleset import PIRATES_NEST, PRESETS
from harness import ledger
from research import soak


def test_a_small_soak_plays_every_preset_and_number_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--games", "12", "--seed", "3", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "0 violations"
    assert "12 of 12 games, 0 violations" in lines
    for preset in PRESETS:
        assert sum(preset in line for line in lines) == 4


def test_a_game_can_be_played_again_by_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    seed = soak.seed_of(3, 8)
    for _ in range(2):
        assert soak.main(["--only", "nest", "2", str(seed)]) == 0
    first, second = capsys.readouterr().out.split("0 violations\n")[:2]
    assert first.splitlines()[3] == second.splitlines()[3]
    assert "nest" in first


def test_the_seeds_of_a_soak_all_differ() -> None:
    assert len({soak.seed_of(1, number) for number in range(10_000)}) == 10_000


def test_a_game_is_written_read_and_replayed_with_undo() -> None:
    for preset in PRESETS.values():
        assert soak.broken_record(random_opening(preset, 2, Dice(5)), Dice(5)) is None


def test_whatever_goes_wrong_is_a_violation_that_can_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "CAP", "not a number")
    tally = soak.soak_chunk((1, 8, 10))
    assert tally.games == 2
    assert [line.split(":")[0] for line in tally.violations] == [
        f"nest 2 {soak.seed_of(1, 8)}",
        f"nest 3 {soak.seed_of(1, 9)}",
    ]


def test_a_broken_law_fails_the_soak(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fair = random_opening

    def one_card_too_many(*table: object) -> object:
        position = fair(*table)  # type: ignore[arg-type]  # handed on as it came
        position.discard.append(0)
        return position

    monkeypatch.setattr(soak, "random_opening", one_card_too_many)
    monkeypatch.setattr(soak, "RECORDS", 1_000_000)
    assert soak.main(["--games", "2", "--workers", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "2 violations"
    assert lines[-2].startswith("--only tortuga 3 ")
    assert lines[-2].endswith(": a card was lost or made, after 0 actions")


def test_tallies_add_up() -> None:
    total = soak.Tally()
    for first in (0, 6):
        total.add(soak.soak_chunk((2, first, first + 6)))
    assert total.games == total.endings.total() == 12
    assert total.actions.total() > 1000


def test_a_stopped_soak_goes_on_behind_the_legs_of_its_ledger(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ledger, "RESULTS", tmp_path / "benchmarks" / "results")
    monkeypatch.setattr(ledger, "commit", lambda: "0123456789")
    monkeypatch.setattr(soak, "LEG", 4)
    command = ["--seed", "4", "--workers", "1", "--ledger", "soak"]
    assert soak.main([*command, "--games", "8"]) == 0
    played = ledger.entries("soak", seed=4)
    assert [(leg["first"], leg["last"], leg["games"]) for leg in played] == [(0, 4, 4), (4, 8, 4)]

    monkeypatch.setattr(soak, "soak_chunk", lambda task: pytest.fail(f"{task} is played again"))
    assert soak.main([*command, "--games", "8"]) == 0
    assert ledger.entries("soak", seed=4) == played
    first, second = capsys.readouterr().out.split("4 of 8 games, 0 violations\n")[1:]
    assert first.startswith("8 of 8 games, 0 violations\n")
    assert second == first


def test_sampled_options_leave_every_second_game_as_it_is_printed() -> None:
    dice = Dice(7)
    games = [soak.sampled(PIRATES_NEST, dice) for _ in range(400)]
    assert 150 < games.count(PIRATES_NEST) < 250
    assert len(set(games)) > 100
    assert {game.quiet_rounds for game in games} == {0, 5, 20, 40}
