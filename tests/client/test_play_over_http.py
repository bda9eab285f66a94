"""The whole evening, short: the real service as processes, a few games over HTTP, and everything checked."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from harness.play.checks import Verdict
from harness.play.command import Tally, figures_of, main, report
from harness.play.plan import plan
from harness.play.service import database, harbour


@pytest.mark.long  # CI plays more of them by `make play-over-http`
@pytest.mark.processes
def test_a_few_games_are_played_and_everything_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["--games", "3", "--seed", "5", "--logs", str(tmp_path)])
    told = capsys.readouterr().out
    assert code == 0, told
    figures = json.loads(told.splitlines()[-1])
    assert figures["games"] == figures["over"] == 3
    assert figures["rated_games"] == figures["rated_once"] == 1
    assert figures["leaks"] == figures["troubles"] == 0
    assert figures["updates_checked"] > figures["actions"] > 100
    assert figures["log_lines_checked"] > 20
    logs = {log.stem for log in tmp_path.iterdir()}
    assert logs == {"web-0", "web-1", "worker-0", "worker-1"}


@pytest.mark.processes
async def test_the_service_is_ended_and_its_database_dropped(tmp_path: Path) -> None:
    async with harbour(tmp_path, nodes=1, workers=1) as running:
        assert running.troubles() == []
        assert await running.stop() == []
        assert len(running.troubles()) == 2, "both processes have ended"
    async with database() as dsn:
        assert running.settings.directory.rsplit("/", 1)[0] == dsn.rsplit("/", 1)[0]
        assert running.settings.directory != dsn


def test_the_report_counts_what_went_wrong() -> None:
    games = plan(2, seed=1)
    tally = Tally(
        verdicts=[
            Verdict(plan_number=0, ending="won", actions=5, streams=2, updates=9),
            Verdict(plan_number=1, ending=None, leaks=("a card",), troubles=("it is open",)),
        ],
        troubles=["game 1: it is open", "game 1: a card"],
    )
    console = Console(width=110, record=True, quiet=True)
    figures = report(tally, games, 1.0, console)
    assert figures == figures_of(tally, 2, 1.0)
    assert (figures["over"], figures["leaks"], figures["troubles"]) == (1, 1, 2)
    assert figures["streams_equal_to_the_store"] == 2
