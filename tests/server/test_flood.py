"""During a flood the others go on playing, and the flooder is told to wait (`make flood` takes longer)."""

import pytest

from harness.flood import Answered, Flood, Wish, flooded, p99, wrong

SECONDS = 1.0
BOUND = 5.0
"""Far more than an idle machine needs: other tests run beside this one."""
FLOOD = Flood(name="flood", wishes=(Wish(method="GET", path="/", address="192.0.2.1"),))


@pytest.mark.processes
async def test_during_a_flood_the_others_go_on_playing(capsys: pytest.CaptureFixture[str]) -> None:
    assert await flooded(SECONDS, BOUND) == []
    told = capsys.readouterr().out
    assert told.count("99 of 100 within") == 6


def answered(**statuses: int) -> Answered:
    made = Answered()
    made.statuses.update({int(status[1:]): number for status, number in statuses.items()})
    return made


def test_the_check_notices_what_is_wrong() -> None:
    quick, slow = [0.01] * 200, [0.01] * 100 + [3.0] * 100
    assert wrong(FLOOD, answered(s200=5, s429=5), quick, 0.5) == []
    assert wrong(FLOOD, answered(s200=5, s429=5), slow, 0.5) == ["flood: the others waited 3.000 s"]
    assert wrong(FLOOD, answered(s200=601), quick, 0.5) == ["flood: nobody was told to wait"]
    assert wrong(FLOOD, answered(s200=600), quick, 0.5) == [], "600 answers are within the limits"
    assert wrong(FLOOD, answered(s200=800), quick, 0.5, seconds=1) == []
    assert wrong(FLOOD, answered(s429=5, s503=1), quick, 0.5) == ["flood: the service failed"]
    hasty = answered(s429=5)
    hasty.without_wait = 2
    assert wrong(FLOOD, hasty, quick, 0.5) == ["flood: 2 were not told how long"]
    assert p99([1.0, 2.0]) <= 2.0
