"""The budget of the first load: everything that is needed at once is weighed, and nothing else."""

import gzip
import json
from pathlib import Path
from random import Random

import pytest

from scripts.browser_budget import FIRST, Notes, Weighed, loaded, main, weighed

NOTES: Notes = {
    "index.html": {"file": "assets/index-1.js", "imports": ["_shared.js"], "css": ["assets/index-1.css"]},
    "src/table/TablePage.svelte": {
        "file": "assets/table-1.js",
        "imports": ["_shared.js", "_board.js"],
        "dynamicImports": ["src/table/Help.svelte"],
        "css": ["assets/table-1.css"],
        "assets": ["assets/signs.svg"],
    },
    "_shared.js": {"file": "assets/shared-1.js"},
    "_board.js": {"file": "assets/board-1.js", "imports": ["_shared.js"], "css": ["assets/board-1.css"]},
    "src/table/Help.svelte": {"file": "assets/help-1.js"},
    "src/home/HomePage.svelte": {"file": "assets/home-1.js"},
    "src/ui/generated/signs.svg": {"file": "assets/signs.svg"},
}
AT_ONCE = {
    "assets/index-1.js", "assets/index-1.css", "assets/table-1.js", "assets/table-1.css",
    "assets/shared-1.js", "assets/board-1.js", "assets/board-1.css",
}  # fmt: skip


def build(folder: Path) -> Path:
    """A build of files that cannot be packed, a thousand bytes each."""
    chance = Random(1)
    (folder / ".vite").mkdir()
    (folder / ".vite/manifest.json").write_text(json.dumps(NOTES))
    (folder / "assets").mkdir()
    for name in AT_ONCE:
        (folder / name).write_bytes(chance.randbytes(1000))
    return folder


def test_what_is_needed_at_once_is_counted_once_and_what_comes_later_is_not() -> None:
    assert loaded(NOTES, FIRST) == AT_ONCE


def test_a_file_weighs_what_it_weighs_on_the_way(tmp_path: Path) -> None:
    folder = build(tmp_path)
    (folder / "assets/index-1.js.gz").write_bytes(b"x" * 7)
    (folder / "assets/table-1.js").write_bytes(b"x" * 100_000)
    files = weighed(folder)
    assert {file.name for file in files} == AT_ONCE
    assert files[-1] == Weighed(name="assets/index-1.js", size=7)
    packed = len(gzip.compress(b"x" * 100_000, 9))
    assert Weighed(name="assets/table-1.js", size=packed) in files


def test_a_build_that_is_too_heavy_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = build(tmp_path)
    assert main(["--folder", str(folder)]) == 0
    assert "within" in capsys.readouterr().out
    assert main(["--folder", str(folder), "--limit", "7000"]) == 1
    assert "ABOVE" in capsys.readouterr().out


def test_no_build_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--folder", str(tmp_path)]) == 1
    assert "make web" in capsys.readouterr().err
