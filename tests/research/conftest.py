"""What tests of long runs share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from research import experiment


@pytest.fixture
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No results yet, and a place for new ones away from those that are committed."""
    results = tmp_path / "results"
    monkeypatch.setattr(experiment, "RESULTS", results)
    monkeypatch.setattr(experiment, "commit", lambda: "0000000000")
    return results


@pytest.fixture(scope="session")
def two_cores() -> Iterator[None]:
    """Ray on two cores of this machine, started once."""
    from research.run import cluster  # noqa: PLC0415 - Ray may be absent

    with cluster(None, 2):
        yield
