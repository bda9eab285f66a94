"""The build: a wheel holds what this build made, and nothing of an earlier one."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tools.package_build import copy_repository


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
