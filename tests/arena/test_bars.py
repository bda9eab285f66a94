"""The bars of the levels: measured leg by leg, resumed, and measured again when a bot has changed."""

import json
from pathlib import Path

import pytest

from cartagena.rules.ruleset import PRESETS
from harness import ledger
from research import arena_bars
from research.arena_bars import Bar, Measured, holds, main

RUNNER = "tests.arena.players:Runner"
EASY = Bar(name="easy", preset="nest", bot=RUNNER, against="random", games=8, at_least=0.01, short=2, leg=4)
HARD = Bar(name="hard", preset="nest", bot="random", against=RUNNER, games=4, at_least=0.99, leg=4)


@pytest.fixture(autouse=True)
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger of its own for each test, and two quick bars."""
    monkeypatch.setattr(ledger, "RESULTS", tmp_path)
    monkeypatch.setattr(ledger, "commit", lambda: "0123456789")
    monkeypatch.setattr(arena_bars, "BARS", (EASY, HARD))
    return tmp_path / "arena.jsonl"


def legs(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_every_bar_is_played_in_legs_written_down_and_judged(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--workers", "1"]) == 1
    assert [(leg["bar"], leg["first"], leg["games"]) for leg in legs(results)] == [
        ("easy", 0, 4),
        ("easy", 4, 4),
        ("hard", 0, 4),
    ]
    *_, easy, hard = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert (easy[:4], easy[-1]) == (["easy", "nest", "2", "8"], "yes")
    assert (hard[:4], hard[-1]) == (["hard", "nest", "2", "4"], "NO")


def test_a_second_run_plays_only_what_is_missing(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--workers", "1", "--only", "easy"]) == 0
    first_table = capsys.readouterr().out.splitlines()[-3:]
    whole = legs(results)
    results.write_text(json.dumps(whole[1]) + "\n", encoding="utf-8")
    assert main(["--workers", "1", "--only", "easy"]) == 0
    again = legs(results)
    assert [leg["first"] for leg in again] == [4, 0]
    assert (again[1]["score"], again[1]["turns"]) == (whole[0]["score"], whole[0]["turns"])
    assert main(["--only", "easy", "--told"]) == 0
    assert len(legs(results)) == 2
    told = capsys.readouterr().out.splitlines()[-3:]
    assert told[1].split()[:8] == first_table[1].split()[:8]


def test_what_is_told_needs_no_games(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--told", "--markdown"]) == 1
    assert not results.exists()
    head, ruler, *rows = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert head.startswith("| bar ")
    assert set(ruler) <= set("|-: ")
    assert [row.split()[1] for row in rows] == ["easy", "hard"]


def test_the_short_run_takes_the_fast_bars_and_writes_nothing_down(results: Path) -> None:
    assert main(["--short", "--workers", "1"]) == 0
    assert not results.exists()


def test_a_bar_holds_by_its_rate_and_in_short_by_what_is_possible() -> None:
    bar = Bar(name="x", bot="a", against="b", games=100, at_least=0.10, at_most=0.25)
    cases = [(9, False, True), (10, True, True), (25, True, True), (26, False, True), (60, False, False)]
    for score, full, short in cases:
        measured = Measured(games=100, score=score)
        assert holds(bar, measured, short=False) is full, score
        assert holds(bar, measured, short=True) is short, score
    assert not holds(bar, Measured(games=99, score=15), short=False)


def test_the_bars_are_those_that_were_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    promised = {(bar.preset, bar.seats, bar.bot, bar.against): bar.at_least for bar in arena_bars.BARS}
    assert promised["tortuga", 2, "captain", "sailor"] == 0.97
    assert promised["tortuga", 4, "captain", "sailor"] == 0.60
    assert promised["tortuga", 2, "captain", "research.first_captain:captain"] == 0.60
    for bar in arena_bars.BARS:
        assert bar.preset in PRESETS
        assert 400 <= bar.games < 400 + bar.seats * bar.leg
        # A leg of whole deals keeps the seats balanced.
        assert bar.leg % bar.seats == bar.games % bar.leg == bar.short % bar.seats == 0
