"""Runs on Ray: a lost node costs time and no game, none counts twice, and a stopped run goes on."""

from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from research import arena_bars
from research.arena_bars import ARENA_BARS, BARS
from research.experiment import Experiment, Game, Row, Summary, summary_of, summed
from research.league import LEAGUE
from research.seat_advantage import SEAT_ADVANTAGE

pytest.importorskip("ray")

from research import run as runner
from research.run import Batch, Parts, batches, cluster, gathered, play_missing, run

pytestmark = pytest.mark.usefixtures("own_results")

SEED = "7"
Nothing = Mapping[str, Summary]
Step = Callable[[], None]


@pytest.fixture
def two_nodes() -> Iterator[tuple[Step, Step]]:
    """A Ray cluster of two nodes with a core each: kill the second one, and wait until it is missed."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - the module may be absent

    # A node is missed after seconds instead of half a minute.
    quickly = {
        "health_check_period_ms": 1000,
        "health_check_timeout_ms": 2000,
        "health_check_failure_threshold": 3,
    }
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": quickly}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    second = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    try:
        with cluster(nodes.address, None):
            # Asked after a death, it waits until no more nodes are alive than were not removed.
            yield partial(nodes.remove_node, second, allow_graceful=False), nodes.wait_for_nodes
    finally:
        nodes.shutdown()


def nothing_known(experiment: Experiment) -> dict[str, Summary]:
    return {cell: Summary() for cell in experiment.games}


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, byte for byte."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize(
    ("experiment", "games"),
    [
        pytest.param(replace(SEAT_ADVANTAGE, batch=25), {"tortuga 2": 100, "nest 3": 100}, id="seats"),
        pytest.param(LEAGUE, {"tortuga 2": 40, "nest 3": 40}, id="league", marks=pytest.mark.long),
    ],
)
def test_a_lost_node_costs_no_game(
    experiment: Experiment, games: dict[str, int], two_nodes: tuple[Step, Step], tmp_path: Path
) -> None:
    known = nothing_known(experiment)
    wanted = batches(experiment, games, known)
    calm, rough = (Parts(experiment, SEED, tmp_path / name) for name in ("calm", "rough"))
    assert sorted(play_missing(experiment, wanted, calm, SEED)) == sorted(wanted)
    kill_one, until_it_is_missed = two_nodes
    finished = []
    for batch in play_missing(experiment, wanted, rough, SEED):
        finished.append(batch)
        if len(finished) == 1:
            kill_one()
    until_it_is_missed()
    assert sorted(finished) == sorted(wanted)
    assert files(tmp_path / "calm") == files(tmp_path / "rough")


def points(bad: int | None = None) -> Experiment:
    """Very quick games, of which one fails."""

    def play(game: Game) -> Row:
        if game.number == bad:
            raise ValueError("a game that breaks")
        return {"points": game.chance().randrange(10)}

    return Experiment(
        name="points",
        games={"a": 10, "b": 6},
        bots=lambda _: "none",
        play=play,
        figures=lambda row: {"points": row["points"]},
        table=lambda: "",
        batch=4,
    )


def test_all_cells_grow_together_behind_what_is_known() -> None:
    known = {"a": Summary(5), "b": Summary(0)}
    assert batches(points(), {"a": 10, "b": 6}, known) == [
        Batch("b", 0, 4),
        Batch("b", 4, 6),
        Batch("a", 5, 8),
        Batch("a", 8, 10),
    ]
    assert batches(points(), {"a": 10, "b": 3}, {"a": Summary(10), "b": Summary(3)}) == []


def wish(**changed: object) -> Namespace:
    return Namespace(**{"only": None, "games": None, "seed": SEED, **changed})


@pytest.fixture
def own_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "parts"
    monkeypatch.setattr(runner, "PARTS", folder)
    return folder


@pytest.mark.usefixtures("two_cores")
def test_a_run_writes_a_summary_and_continues_from_it_or_from_its_parts(own_parts: Path) -> None:
    experiment = points()
    run(experiment, wish(games=3), "first")
    assert {cell: summary_of(experiment, cell, SEED).games for cell in "ab"} == {"a": 3, "b": 3}
    run(experiment, wish(), "second")
    whole = {cell: summary_of(experiment, cell, SEED) for cell in "ab"}
    assert {cell: one.games for cell, one in whole.items()} == {"a": 10, "b": 6}
    for cell, one in whole.items():
        rows = [experiment.play(Game("points", cell, number, SEED)) for number in range(one.games)]
        assert one == summed(experiment, rows, Summary())
    kept = {file: file.stat().st_mtime_ns for file in own_parts.rglob("*.parquet")}
    run(experiment, wish(), "third")
    assert kept == {file: file.stat().st_mtime_ns for file in own_parts.rglob("*.parquet")}


@pytest.mark.usefixtures("two_cores", "own_parts")
def test_a_game_that_fails_ends_the_run_and_what_was_played_before_it_counts() -> None:
    with pytest.raises(ValueError, match="a game that breaks"):
        run(points(bad=9), wish(only=["a"]), "a run that fails")
    assert summary_of(points(), "a", SEED).games in {0, 4, 8}
    run(points(), wish(only=["a"]), "a run that does not")
    assert summary_of(points(), "a", SEED).games == 10


def test_only_what_follows_without_a_gap_is_gathered(tmp_path: Path) -> None:
    experiment = points()
    parts = Parts(experiment, SEED, tmp_path)
    known = {"a": Summary(), "b": Summary()}
    wanted = batches(experiment, {"a": 10}, known)
    for batch in wanted[0], wanted[2]:
        parts.write(batch, [{"number": number, "points": 1} for number in range(batch.first, batch.end)])
    gathered(experiment, wanted, parts, known)
    assert known["a"] == Summary(4, Counter(points=4))


@pytest.mark.usefixtures("two_cores")
def test_the_quick_bars_can_still_be_cleared(tmp_path: Path) -> None:
    quick = {bar.name: bar.short for bar in BARS if bar.short}
    known = nothing_known(ARENA_BARS)
    wanted = batches(ARENA_BARS, quick, known)
    parts = Parts(ARENA_BARS, SEED, tmp_path)
    list(play_missing(ARENA_BARS, wanted, parts, SEED))
    gathered(ARENA_BARS, wanted, parts, known)
    for name, games in quick.items():
        assert known[name].games == games
        assert arena_bars.still_possible(arena_bars.BY_NAME[name], known[name]), name
