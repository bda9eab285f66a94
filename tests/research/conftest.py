"""What tests of long runs share."""

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
