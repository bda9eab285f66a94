"""The pages for browsers are built again if, and only if, something that they are built from has changed."""

import json
import shutil
from pathlib import Path

import pytest

from cartagena.install import NODE
from scripts import browser_pages
from scripts.browser_pages import WEB, NotBuilt, build, demand_node, digest_of_sources


def test_package_and_program_name_the_same_node() -> None:
    assert json.loads((WEB / "package.json").read_text())["engines"]["node"] == f">={NODE}"


def test_without_node_nothing_can_be_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotBuilt, match=f"Node.js {NODE} or newer, .* is not installed"):
        demand_node()


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node.js on this machine")
def test_an_old_node_is_told_what_would_do(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"engines": {"node": ">=1000.1"}}')
    with pytest.raises(NotBuilt, match=r"Node\.js v\d+\.\d+\.\d+ is too old .*: 1000\.1 or newer can"):
        demand_node(tmp_path)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Sources of pages, one of each kind."""
    files = (
        "index.html",
        "package-lock.json",
        "src/main.ts",
        "public/icon.svg",
        "src/words/generated/nl.json",
    )
    for name in (*files, "src/ui/generated/signs.svg", "node_modules/svelte/index.js", "tests/board.test.ts"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    return tmp_path


@pytest.mark.parametrize(
    "changed",
    ["index.html", "package-lock.json", "src/main.ts", "public/icon.svg", "src/words/generated/nl.json"],
)
def test_what_goes_into_the_pages_counts(web: Path, changed: str) -> None:
    before = digest_of_sources(web)
    (web / changed).write_text("other")
    assert digest_of_sources(web) != before


@pytest.mark.parametrize(
    "changed", ["src/ui/generated/signs.svg", "node_modules/svelte/index.js", "tests/board.test.ts"]
)
def test_what_does_not_go_into_them_does_not_count(web: Path, changed: str) -> None:
    before = digest_of_sources(web)
    (web / changed).write_text("other")
    assert digest_of_sources(web) == before


def test_pages_of_these_sources_need_no_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser_pages, "STAMP", tmp_path / "stamp")
    with pytest.raises(NotBuilt):
        build()
    (tmp_path / "stamp").write_text(digest_of_sources())
    assert build() is False
