"""The build: a wheel of this build alone, and pages for browsers as CARTAGENA_PAGES wishes."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from cartagena.install import NODE, pages_command
from scripts.package_check import copy_repository

INDEX = "cartagena/server/pages/files/index.html"
PAGES = Path("src", INDEX)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    copy_repository(folder)
    return folder


@pytest.fixture
def checkout(repository: Path, tmp_path: Path) -> Path:
    """A copy of the repository in which nothing was built."""
    shutil.copytree(repository, tmp_path / "checkout")
    return tmp_path / "checkout"


def build(checkout: Path, **wishes: str) -> tuple[int, str]:
    """Build a wheel as pip does, with the tools that are here: the exit code, and what was said."""
    program = "from setuptools import build_meta; build_meta.build_wheel('dist')"
    environment = {**os.environ, "CARTAGENA_COMPILE": "0", "CARTAGENA_PAGES": "0", **wishes}
    done = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", program],
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def names_in_wheel(checkout: Path) -> list[str]:
    [wheel] = (checkout / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        return packed.namelist()


def plant(checkout: Path) -> None:
    """Leave a module wherever an earlier build might have left one."""
    platform = sysconfig.get_platform()
    kinds = ["lib", f"lib.{platform}-{sys.implementation.cache_tag}", f"bdist.{platform}/wheel"]
    for kind in kinds:
        file = checkout / "build" / kind / "cartagena" / "planted.py"
        file.parent.mkdir(parents=True)
        file.touch()


def test_what_an_earlier_build_left_behind_is_not_packed(checkout: Path) -> None:
    plant(checkout)
    code, said = build(checkout)
    assert code == 0, said
    names = names_in_wheel(checkout)
    assert ("cartagena/api.py" in names, "cartagena/planted.py" in names) == (True, False)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler on this machine")
def test_nor_is_it_packed_beside_machine_code(checkout: Path) -> None:
    plant(checkout)
    # Any extension gives folders and a wheel of this platform; the whole engine would take minutes.
    setup = checkout / "setup.py"
    probe = '[Extension("cartagena.probe", ["probe.c"])]'
    setup.write_text(setup.read_text().replace("extensions(sys.argv)", probe))
    (checkout / "probe.c").write_text(
        "#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n"
    )
    code, said = build(checkout)
    assert code == 0, said
    names = names_in_wheel(checkout)
    assert any(name.startswith("cartagena/probe.") and name.endswith(".so") for name in names)
    assert "cartagena/planted.py" not in names


def test_without_node_the_build_says_what_to_do(checkout: Path, tmp_path: Path) -> None:
    code, said = build(checkout, CARTAGENA_PAGES="auto", PATH=str(tmp_path))
    assert code == 0, said
    assert f"Node.js {NODE} or newer, which builds the pages for browsers, is not installed" in said
    assert f"install Node.js {NODE} or newer, then {pages_command()}\n" in said
    assert INDEX not in names_in_wheel(checkout)


def test_pages_that_are_demanded_and_cannot_be_built_end_the_build(checkout: Path, tmp_path: Path) -> None:
    code, said = build(checkout, CARTAGENA_PAGES="1", PATH=str(tmp_path))
    assert code != 0
    assert "CARTAGENA_PAGES is 1, but the pages for browsers cannot be built" in said


def test_another_wish_is_refused(checkout: Path) -> None:
    code, said = build(checkout, CARTAGENA_PAGES="yes")
    assert code != 0
    assert "CARTAGENA_PAGES is 'yes'; it may be 0, 1 or auto" in said


def test_pages_built_elsewhere_are_packed_as_they_are(checkout: Path) -> None:
    (checkout / "web" / "package.json").unlink()
    (checkout / PAGES).parent.mkdir()
    (checkout / PAGES).write_text("<!doctype html>")
    code, said = build(checkout, CARTAGENA_PAGES="1")
    assert code == 0, said
    assert INDEX in names_in_wheel(checkout)
