"""The runner of CI: order, cores, failures, second tries, budgets."""

import time
from pathlib import Path

import pytest

from scripts import ci
from scripts.ci import Step, StepsError, read_steps

ROOT = Path(__file__).parents[2]


def run(*steps: Step, logs: Path, keep_going: bool = False) -> tuple[list[ci.Result], str]:
    told: list[str] = []
    results = ci.run_steps(list(steps), logs, told.append, keep_going=keep_going)
    return results, "\n".join(told) + ci.table(results, list(steps), 1.0, 0.25)


def names(results: list[ci.Result]) -> list[str]:
    return [result.step.name for result in results]


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(ci, "ROOT", tmp_path)
    return tmp_path


def test_a_step_waits_for_what_it_comes_after_and_two_of_one_core_run_side_by_side(logs: Path) -> None:
    began = time.monotonic()
    meet = "touch {0}; until [ -e {1} ]; do sleep 0.02; done"
    results, _ = run(
        Step(name="left", run=meet.format("left", "right"), seconds=9, cores=1),
        Step(name="right", run=meet.format("right", "left"), seconds=9, cores=1),
        Step(name="last", run="test -e left && test -e right", seconds=9, after=("left", "right")),
        logs=logs,
    )
    assert names(results)[-1] == "last"
    assert [result.status for result in results] == [0, 0, 0]
    assert all(result.seconds <= time.monotonic() - began for result in results)


def test_a_failure_shows_its_end_and_starts_nothing_more(logs: Path) -> None:
    results, told = run(
        Step(name="bad", run="echo some reason; exit 3", seconds=9),
        Step(name="never", run="touch never", seconds=9),
        logs=logs,
    )
    assert [(result.step.name, result.status) for result in results] == [("bad", 3)]
    assert "FAILED (3)" in told
    assert "some reason" in told
    assert "NOT RUN: never" in told
    assert not (logs / "never").exists()


def test_a_run_that_keeps_going_leaves_out_only_what_comes_after_a_failure(logs: Path) -> None:
    results, told = run(
        Step(name="bad", run="false", seconds=9),
        Step(name="after it", run="true", seconds=9, after=("bad",)),
        Step(name="apart", run="true", seconds=9),
        logs=logs,
        keep_going=True,
    )
    assert names(results) == ["bad", "apart"]
    assert "NOT RUN: after it" in told


def test_a_second_try_is_given_only_where_asked_for_and_is_named_with_its_reason(logs: Path) -> None:
    once = "test -e seen || { touch seen; echo the port was taken; echo 'make: *** Error 1'; exit 1; }"
    results, told = run(Step(name="drill", run=once, seconds=9, retry=True), logs=logs)
    assert [result.status for result in results] == [0]
    assert "Needed a second try:\ndrill: the port was taken" in told
    (logs / "seen").unlink()
    results, told = run(Step(name="test", run=once, seconds=9), logs=logs)
    assert [result.status for result in results] == [1]


def test_a_step_that_fails_twice_has_failed(logs: Path) -> None:
    results, _ = run(Step(name="drill", run="exit 4", seconds=9, retry=True), logs=logs)
    assert [result.status for result in results] == [4]


def test_tests_that_needed_their_second_try_are_named_at_the_end(logs: Path) -> None:
    step = Step(name="tests", run="echo 'SECOND TRY tests/test_a.py::test_b: late'", seconds=9)
    assert "Needed a second try:\ntests/test_a.py::test_b: late" in run(step, logs=logs)[1]
    assert "Nothing needed a second try." in run(Step(name="quiet", run="true", seconds=9), logs=logs)[1]


def test_a_step_over_its_budget_is_marked(logs: Path) -> None:
    result = ci.Result(Step(name="slow", run="true", seconds=5), 6.0, 0)
    assert "over budget" in ci.table([result], [result.step], 6.0, 0)
    assert logs.exists()


@pytest.mark.parametrize("name", ["steps.toml", "nightly.toml"])
def test_the_steps_of_this_checkout_can_be_read_and_fit_their_budget(name: str) -> None:
    assert read_steps(ROOT / ".ci" / name)


STEPS = """
seconds = 10
[[step]]
name = "a"
run = "true"
seconds = {a}
[[step]]
name = "{b}"
run = "true"
seconds = 4
after = ["{after}"]
"""


@pytest.mark.parametrize(
    ("changed", "trouble"),
    [
        ({"a": 7}, "11 s"),
        ({"b": "a"}, "two steps"),
        ({"after": "c"}, "comes after c"),
    ],
)
def test_steps_that_make_no_sense_are_refused(
    tmp_path: Path, changed: dict[str, object], trouble: str
) -> None:
    path = tmp_path / "steps.toml"
    path.write_text(STEPS.format(**{"a": 6, "b": "b", "after": "a"} | changed))
    with pytest.raises(StepsError, match=trouble):
        read_steps(path)


def test_a_step_that_is_run_alone_waits_for_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "steps.toml"
    path.write_text(STEPS.format(a=6, b="b", after="a"))
    assert [step.after for step in read_steps(path, ["b"])] == [()]
    with pytest.raises(StepsError, match="no step c"):
        read_steps(path, ["c"])


def test_the_table_says_how_much_of_the_processors_others_took(logs: Path) -> None:
    assert ci.Ticks(200, 50).stolen_since(ci.Ticks(100, 20)) == 0.3
    assert ci.Ticks(0, 0).stolen_since(ci.Ticks(0, 0)) == 0
    _, told = run(Step(name="a step", run="true", seconds=9), logs=logs)
    assert "25%" in told.splitlines()[-3]
