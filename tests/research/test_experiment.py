"""Experiments: games have names, summaries add up, and results belong to the bots that played them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from research.experiment import Experiment, Game, Row, Summary, summary_of, write_summaries

pytestmark = pytest.mark.usefixtures("own_results")


def experiment(bots: Callable[[str], str] = lambda _: "sailor 1") -> Experiment:
    def play(game: Game) -> Row:
        return {"points": game.chance().randrange(10)}

    return Experiment(
        name="points",
        games={"tortuga 2": 4, "nest 2": 4},
        bots=bots,
        play=play,
        figures=lambda row: {"points": row["points"], "half": row["points"] / 2},
        table=lambda: "",
    )


def test_a_game_follows_from_its_name() -> None:
    play = experiment().play
    games = [Game("points", "nest 2", number, "1") for number in range(50)]
    rows = [play(game) for game in games]
    assert rows == [play(game) for game in games]
    for other in ("league", "nest 2", "1"), ("points", "nest 3", "1"), ("points", "nest 2", "2"):
        name, cell, seed = other
        assert rows != [play(Game(name, cell, number, seed)) for number in range(50)]


def test_a_summary_is_found_again_as_it_was_written(own_results: Path) -> None:
    one = experiment()
    summary = Summary()
    for points in (3, 4):
        summary.add({"points": points, "half": points / 2})
    write_summaries(one, {"nest 2": summary}, "1", "python -m research.run points")
    assert summary_of(one, "nest 2") == summary == Summary(2, summary.figures)
    assert summary_of(one, "tortuga 2") == Summary()
    assert summary_of(one, "nest 2", seed="2") == Summary()
    (line,) = (own_results / "points.jsonl").read_text(encoding="utf-8").splitlines()
    kept = json.loads(line)
    assert kept["figures"] == {"half": 3.5, "points": 7}
    assert (kept["commit"], kept["command"]) == ("0000000000", "python -m research.run points")


def test_results_of_other_bots_do_not_count_and_are_replaced(own_results: Path) -> None:
    old, new = experiment(), experiment(lambda _: "sailor 2")
    write_summaries(old, {"nest 2": Summary(2), "tortuga 2": Summary(3)}, "1", "old")
    assert summary_of(new, "nest 2") == Summary()
    write_summaries(new, {"nest 2": Summary(1)}, "1", "new")
    lines = [json.loads(line) for line in (own_results / "points.jsonl").read_text("utf-8").splitlines()]
    assert [(line["cell"], line["bots"]) for line in lines] == [
        ("tortuga 2", "sailor 1"),
        ("nest 2", "sailor 2"),
    ]
