"""A cluster is lost while games run, and restored to a moment with the scripts that operators use."""

import pytest

from harness.restore.drill import Plan, drill

pytestmark = pytest.mark.processes


@pytest.mark.long
async def test_all_that_was_acknowledged_before_the_moment_is_there_and_games_go_on() -> None:
    report = await drill(Plan(tables=2, seconds=1.5, pause=0.1, apart=False))
    assert report.before > 0
    assert report.lost == 0
    assert report.after > report.kept_after, "the restore stopped at the moment"
    assert report.people_gone == 0
    assert report.is_good, "every game came to its end, and its record holds"
