"""The command that fuzzes: how it reads what libFuzzer says, and what it says itself."""

import json
from pathlib import Path

import pytest

from harness import ledger
from harness.fuzz import command
from harness.fuzz.command import Turn


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#4096\tpulse  cov: 812 ft: 1305 corp: 96/12Kb exec/s: 2048 rss: 88Mb", 4096),
        ("stat::number_of_executed_units: 65498", 65498),
        ("stat::new_units_added:          220", 0),
        ("INFO: seed corpus: files: 5 min: 6b max: 51b", 0),
    ],
)
def test_executions_are_read_from_what_libfuzzer_says(line: str, expected: int) -> None:
    assert command.executions(line) == expected


def test_the_first_folder_is_the_one_that_may_change() -> None:
    words = command.command(Turn("codes", 10, 3), Path("own"), Path("faults"))
    assert words[-2:] == ["own", str(command.SEEDS / "codes")]
    assert {"-max_total_time=10", "-seed=3"} < set(words)


def test_targets_take_turns_until_each_has_had_its_seconds() -> None:
    assert list(command.turns(["codes", "records"], 700, None)) == [
        Turn("codes", 600, 1),
        Turn("records", 600, 2),
        Turn("codes", 100, 3),
        Turn("records", 100, 4),
    ]


def test_a_ledger_counts_towards_the_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "RESULTS", tmp_path)
    lines = [{"target": "codes", "seconds": 600}, {"target": "codes", "seconds": 40}]
    (tmp_path / "fuzz.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert list(command.turns(["codes", "records"], 640, "fuzz")) == [
        Turn("records", 600, 3),
        Turn("records", 40, 4),
    ]


def test_a_fault_is_told_with_the_command_that_replays_it() -> None:
    outcome = command.Outcome(target="codes", executions=9, kept=2, faults=(Path("crash-1"),), status=77)
    assert list(outcome.lines()) == [
        "codes: 9 executions, 2 new in the corpus, 1 faults",
        "  python -m harness.fuzz.command codes --replay crash-1",
    ]


def test_a_target_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["treasure"])
    assert "the targets are records, notation" in capsys.readouterr().err
