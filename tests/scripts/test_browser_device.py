"""What plays in a browser: modules compiled as they are, the same bytes for the same sources."""

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from scripts import browser_device
from scripts.browser_device import PACKAGE, compiled_wheel, is_fresh, lay_out, publish, sources
from scripts.browser_pages import NotBuilt
from scripts.device_archive import archive, folder, library

MODULE = b'"""A module."""\nANSWER = 42\nassert ANSWER\n'


def test_modules_are_compiled_and_data_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = archive(
        [("pirates/__init__.py", b""), ("pirates/crew.py", MODULE), ("pirates/crew.txt", b"six")]
    )
    (tmp_path / "site.zip").write_bytes(packed)
    with zipfile.ZipFile(io.BytesIO(packed)) as zipped:
        assert zipped.namelist() == ["pirates/__init__.pyc", "pirates/crew.pyc", "pirates/crew.txt"]
        assert {entry.compress_type for entry in zipped.infolist()} == {zipfile.ZIP_STORED}
        zipped.extractall(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("pirates.crew")
    assert sys.modules["pirates.crew"].ANSWER == 42


def test_the_same_sources_give_the_same_bytes() -> None:
    files = [("b.py", MODULE), ("a.txt", b"text")]
    assert archive(files) == archive(reversed(files))


def test_of_the_library_only_what_a_table_needs_is_kept() -> None:
    standard = io.BytesIO()
    with zipfile.ZipFile(standard, "w") as zipped:
        for name in ("json/decoder.py", "tkinter/__init__.py", "unittest/case.py", "email/parser.py"):
            zipped.writestr(name, "")
    assert [name for name, _ in library(standard.getvalue())] == ["json/decoder.py", "email/parser.py"]


def test_a_folder_is_read_without_what_python_left_there(tmp_path: Path) -> None:
    for name in ("rules/legality.py", "rules/__pycache__/play.cpython-311.pyc", "words.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert [name for name, _ in folder(str(tmp_path))] == ["rules/legality.py", "words.txt"]


def test_every_room_is_there_and_none_of_the_server() -> None:
    taken = {file.relative_to(PACKAGE).parts[0] for file in sources()}
    assert taken == {"__init__.py", *browser_device.PACKAGES}
    assert not taken & {"server", "terminal", "cli", "envs", "arena", "client"}


def test_parts_lie_in_a_folder_named_after_their_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "engine"
    monkeypatch.setattr(browser_device, "DEVICE", target)
    monkeypatch.setattr(browser_device, "PARTS", target / "parts.json")
    parts = tmp_path / "parts"
    parts.mkdir()
    folders = []
    for content in (b"one", b"one", b"another"):
        (parts / "site.zip").write_bytes(content)
        (parts / "site.zip.br").write_bytes(b"packed")
        publish(parts)
        told = json.loads((target / "parts.json").read_text())
        assert told["files"] == [["site.zip", len(content)]]
        assert told["download"] == len(b"packed")
        assert sorted(file.name for file in target.iterdir()) == sorted([told["folder"], "parts.json"])
        folders.append(told["folder"])
    assert folders[0] == folders[1] != folders[2]


SUFFIX = ".cpython-314-wasm32-emscripten.so"
COMPILED = ("cartagena/rules/legality", "cartagena/bots/search/uct")


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty dist/."""
    folder = tmp_path / "dist"
    folder.mkdir()
    monkeypatch.setattr(browser_device, "DIST", folder)
    return folder


def write_wheel(dist: Path, *, version: str = "0.1.0", **changed: bytes) -> Path:
    """A wheel as cibuildwheel names it: all our modules, and what stands for machine code of some of them."""
    wheel = dist / browser_device.WHEELS.replace("*", version)
    with zipfile.ZipFile(wheel, "w") as packed:
        for file in sources():
            packed.writestr(
                file.relative_to(PACKAGE.parent).as_posix(), changed.get(file.stem, file.read_bytes())
            )
        for name in (*COMPILED, "cartagena__mypyc", "cartagena/envs/encoding"):
            packed.writestr(name + SUFFIX, f"\0asm {name}")
    return wheel


def test_without_a_wheel_the_engine_stays_as_it_is_written(dist: Path, tmp_path: Path) -> None:
    (dist / "cartagena-0.1.0-py3-none-any.whl").touch()
    (dist / "cartagena-0.1.0-cp311-cp311-linux_x86_64.whl").touch()
    assert compiled_wheel() is None
    lay_out(tmp_path / "site", None)
    laid = {file for file in (tmp_path / "site").rglob("*") if file.is_file()}
    assert laid == {tmp_path / "site" / file.relative_to(PACKAGE.parent) for file in sources()}


def test_the_machine_code_of_a_wheel_in_dist_takes_the_place_of_its_modules(
    dist: Path, tmp_path: Path
) -> None:
    wheel, site = write_wheel(dist), tmp_path / "site"
    assert compiled_wheel() == wheel
    lay_out(site, wheel)
    for name in COMPILED:
        assert (site / (name + SUFFIX)).read_text() == f"\0asm {name}"
        assert not (site / f"{name}.py").exists()
    assert {file.name for file in site.iterdir()} == {"cartagena", "cartagena__mypyc" + SUFFIX}
    assert not (site / "cartagena/envs").exists()
    assert (site / "cartagena/rules/places.py").is_file()


def test_a_wheel_of_other_sources_is_refused(dist: Path, tmp_path: Path) -> None:
    with pytest.raises(NotBuilt, match=r"wasm32.whl was built from another cartagena/rules/legality.py"):
        lay_out(tmp_path / "site", write_wheel(dist, legality=b"other rules"))


def test_two_wheels_are_one_too_many(dist: Path) -> None:
    write_wheel(dist)
    write_wheel(dist, version="0.2.0")
    with pytest.raises(NotBuilt, match="leave one there"):
        compiled_wheel()


def test_machine_code_stays_in_the_parts_until_a_source_changes() -> None:
    assert is_fresh("sources wheel", "sources"), "as in a source package, which has no dist/"
    assert is_fresh("sources wheel", "sources wheel")
    assert not is_fresh("sources", "sources wheel")
    assert not is_fresh("sources wheel", "sources another")
    assert not is_fresh("sources wheel", "others")
