"""The backup scripts do what PostgreSQL and operators ask of them, and refuse what would do harm."""

import gzip
import subprocess
import time
from pathlib import Path

import pytest

from harness.restore.cluster import SCRIPTS
from harness.servers import program

PIECE = "000000010000000000000001"


def run(backups: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(program('pg_verifybackup')).parent}:/usr/bin:/bin"
    return subprocess.run(  # noqa: S603 - our own scripts
        [str(SCRIPTS / script), *arguments],
        env={"BACKUPS": str(backups), "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def keep(backups: Path, content: bytes) -> subprocess.CompletedProcess[str]:
    piece = backups / "piece"
    piece.write_bytes(content)
    return run(backups, "keep-wal", str(piece), PIECE)


def kept(backups: Path) -> bytes:
    return gzip.decompress((backups / "wal" / f"{PIECE}.gz").read_bytes())


def test_a_piece_of_the_log_is_kept_and_may_be_offered_twice(tmp_path: Path) -> None:
    assert keep(tmp_path, b"ahoy").returncode == 0
    assert keep(tmp_path, b"ahoy").returncode == 0
    assert kept(tmp_path) == b"ahoy"
    assert [file.name for file in (tmp_path / "wal").iterdir()] == [f"{PIECE}.gz"]


def test_another_cluster_cannot_overwrite_a_piece(tmp_path: Path) -> None:
    keep(tmp_path, b"ahoy")
    refused = keep(tmp_path, b"arr")
    assert refused.returncode == 1
    assert "second cluster" in refused.stderr
    assert kept(tmp_path) == b"ahoy"


@pytest.mark.parametrize(
    ("moment", "sentence"),
    [
        ("2026-11-16 20:15:00", "write the zone"),
        ("yesterday noonZ", "cannot be read"),
        ("2026-11-16 20:15:00Z", "no base backup"),
    ],
)
def test_a_restore_that_cannot_be_done_touches_nothing(tmp_path: Path, moment: str, sentence: str) -> None:
    (tmp_path / "base" / "2026-11-17T03-00-00Z").mkdir(parents=True)
    (tmp_path / "base" / "2026-11-17T03-00-00Z" / "finished").write_text("1794884400\n")
    data = tmp_path / "data"
    data.mkdir()
    refused = run(tmp_path, "restore", str(data), moment)
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("data")] == ["data"]


def test_a_running_cluster_is_not_restored(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with subprocess.Popen(["sleep", "60"]) as running:  # noqa: S607 - it only has to be alive
        (data / "postmaster.pid").write_text(f"{running.pid}\n")
        refused = run(tmp_path, "restore", str(data))
        running.kill()
    assert refused.returncode == 1
    assert "stop it first" in refused.stderr


def test_the_first_backup_is_tried_at_once_and_a_failure_does_not_end_the_night(tmp_path: Path) -> None:
    environment = {
        "BACKUPS": str(tmp_path),
        "BACKUP_PAUSE": "0.1",
        "PATH": "/usr/bin:/bin",
        "PGHOST": "/nowhere",
    }
    with subprocess.Popen(  # noqa: S603 - our own script
        [str(SCRIPTS / "nightly")], env=environment, stderr=subprocess.PIPE, text=True
    ) as nightly:
        assert nightly.stderr is not None
        told, last_moment = 0, time.monotonic() + 60
        while told < 2 and time.monotonic() < last_moment:
            told += "nightly: the first backup failed" in nightly.stderr.readline()
        nightly.terminate()
    assert told == 2
