"""What tests of joining stand on: the service of the client's tests; and for all a home of their own."""

from pathlib import Path

import pytest

from tests.client.conftest import client_database, service

__all__ = ["client_database", "service"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for guests and games, so that nobody's own are touched."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "cartagena"
