"""Twins that are asked the same: a leak that is put back is found, and without it nothing is."""

import pytest

from harness.noninterference.command import main


@pytest.mark.parametrize(
    ("requests", "flags"), [(150, ()), pytest.param(1_000, ("--plant",), marks=pytest.mark.long)]
)
def test_a_leak_is_found_and_nothing_else(
    requests: int, flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ended = main(["--requests", str(requests), "--seed", "2", *flags])
    told = capsys.readouterr().out
    assert ended == 0, told
    assert ("POST /api/tables/{table}/actions" in told) is bool(flags)
