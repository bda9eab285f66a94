"""Every input of the corpora of `make fuzz` is read, or refused as its reader promises."""

from pathlib import Path

import pytest

from harness.fuzz import command
from harness.fuzz.targets import TARGETS

LARGEST = 2000
INPUTS = [path for target in TARGETS for path in sorted((command.SEEDS / target).iterdir())]


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_an_input_is_no_fault(path: Path) -> None:
    assert command.main([path.parent.name, "--replay", str(path)]) == 0


def test_every_input_is_small() -> None:
    assert [path.name for path in INPUTS if path.stat().st_size > LARGEST] == []
