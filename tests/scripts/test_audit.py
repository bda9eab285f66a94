"""The audit fails when something is found, says so when nobody could be asked, and finds a planted secret."""

import json
import subprocess
from pathlib import Path

import pytest

from scripts.audit import BASELINE, ROOT, node_verdict, python_verdict, secrets_in, secrets_verdict

KNOWN = {"name": "click", "version": "8.1", "vulns": []}
HOLE = {"name": "nats-py", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.0"]}]}
OWN = {"name": "cartagena", "skip_reason": "not on PyPI"}


def python(*packages: object) -> str:
    return json.dumps({"dependencies": packages})


def test_a_package_with_a_known_hole_is_a_finding() -> None:
    assert python_verdict(python(KNOWN, HOLE)).findings == ("  nats-py 1.0: PYSEC-1, mended in 2.0",)
    assert python_verdict(python(KNOWN, OWN)).findings == ()
    holes = {"vulnerabilities": {"vite": {"severity": "high", "range": "<5"}}}
    assert node_verdict(json.dumps(holes)).findings == ("  vite: high, <5",)
    assert node_verdict('{"vulnerabilities": {}}').findings == ()


@pytest.mark.parametrize(
    "verdict",
    [
        python_verdict(""),
        python_verdict("no JSON"),
        python_verdict(python(OWN)),
        node_verdict(""),
        node_verdict('{"message": "request failed", "error": {}}'),
    ],
)
def test_who_could_not_be_asked_is_named_loudly_and_fails_nothing(verdict: object) -> None:
    assert "COULD NOT BE ASKED" in str(verdict)
    assert not getattr(verdict, "findings", None)


def test_a_search_that_did_not_run_is_a_finding() -> None:
    assert secrets_verdict(2, "no such option").findings
    assert secrets_verdict(3, "the baseline was updated").findings == ()


def repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", folder], check=True)  # noqa: S603, S607 - our own folder
    (folder / "harmless.py").write_text('NAME = "Anne"\n', encoding="utf-8")
    return folder


def test_a_planted_secret_is_found(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    assert secrets_in(folder, ROOT / BASELINE).findings == ()
    # In two pieces, so that this file is not found itself.
    (folder / "settings.py").write_text(f'KEY = "AKIA{"Z7QX2M4N6P8R1S3T"}"\n', encoding="utf-8")
    found = "\n".join(secrets_in(folder, ROOT / BASELINE).findings)
    assert "AWS Access Key" in found
    assert "settings.py:1" in found
