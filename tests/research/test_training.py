"""Courses: the same seed gives the same weights, also when a course was stopped on its way."""

from pathlib import Path

import pytest

from cartagena.bots.evaluation.linear import WEIGHTS
from cartagena.bots.evaluation.network import INSIGHTS
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, TORTUGA

pytest.importorskip("ray")
pytest.importorskip("torch")

from research.training import train
from research.training.train import COURSES, STUDIES, Course, WorthCourse, learn_insight


def course(games: int) -> Course:
    return Course(ruleset=TORTUGA, seats=2, games=games)


def test_there_is_a_course_for_every_family_and_number_of_seats() -> None:
    names = {
        f"{family}-{seats}" for family in ("escape", "nest") for seats in range(FEWEST_SEATS, MOST_SEATS + 1)
    }
    assert set(COURSES) == names == set(STUDIES)


@pytest.mark.usefixtures("two_cores")
def test_the_same_seed_gives_the_same_worth_also_when_the_course_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "ROUND", 5)
    monkeypatch.setattr(train, "BATCH", 2)
    heard: list[int] = []
    whole = WorthCourse(course(15), 5, tmp_path / "whole").learn(heard.append)
    assert len(whole) == WEIGHTS
    assert sum(heard) == 15
    assert whole != WorthCourse(course(15), 6, tmp_path / "other").learn(heard.append)

    def stop(_done: int) -> None:
        if stopped.games == 7:
            raise KeyboardInterrupt

    stopped = WorthCourse(course(15), 5, tmp_path / "stopped")
    with pytest.raises(KeyboardInterrupt):
        stopped.learn(stop)
    again = WorthCourse(course(15), 5, tmp_path / "stopped")
    again.resume()
    assert again.games == 5
    assert again.learn(heard.append) == whole


@pytest.mark.usefixtures("two_cores")
def test_the_same_seed_gives_the_same_insight_and_no_game_is_played_again(tmp_path: Path) -> None:
    heard: list[int] = []
    weights = learn_insight(course(40), 5, heard.append, tmp_path)
    assert len(weights) == INSIGHTS
    assert sum(heard) == 40
    parts = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.parquet")}
    assert len(parts) == 2
    assert learn_insight(course(40), 5, heard.append, tmp_path) == weights
    assert parts == {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.parquet")}
