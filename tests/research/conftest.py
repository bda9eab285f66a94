"""What tests of long runs share."""

from pathlib import Path

import pytest

from harness import ledger


@pytest.fixture
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty ledger, away from the one that is committed."""
    monkeypatch.setattr(ledger, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(ledger, "commit", lambda: "0000000000")
