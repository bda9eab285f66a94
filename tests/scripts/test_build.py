"""The build: wheels of this build alone, and one of pages for browsers as CARTAGENA_PAGES wishes."""

import os
import shutil
import struct
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import cartagena_web
import pytest

import cartagena
from cartagena.install import NODE, pages_command
from scripts.package_check import copy_repository

INDEX = "cartagena_web/files/index.html"
PAGES = Path("web", "package", INDEX)
WEB = "web"


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


def build(folder: Path, **wishes: str) -> tuple[int, str]:
    """Build a wheel as pip does, with the tools that are here: the exit code, and what was said."""
    program = "from setuptools import build_meta; build_meta.build_wheel('dist')"
    environment = {**os.environ, "CARTAGENA_COMPILE": "0", "CARTAGENA_PAGES": "0", **wishes}
    done = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def names_in_wheel(folder: Path) -> list[str]:
    [wheel] = (folder / "dist").glob("*.whl")
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


WIDTHS = """
import runpy, sys
setup = runpy.run_path(sys.argv[1])
setup["COMPILED"][:] = ["far.py"]
setup["by_mypyc"]()
from mypyc.common import SIZEOF_SIZE_T
print(SIZEOF_SIZE_T)
"""


@pytest.mark.parametrize(
    ("platform", "width"),
    [("pyemscripten_2026_0_wasm32", 4), ("", struct.calcsize("N"))],
    ids=["wasm", "here"],
)
def test_mypyc_writes_for_the_width_of_the_platform(tmp_path: Path, platform: str, width: int) -> None:
    (tmp_path / "far.py").write_text("def far() -> int:\n    return 3_000_000_000\n")
    environment = {**os.environ, **({"_PYTHON_HOST_PLATFORM": platform} if platform else {})}
    command = [sys.executable, "-c", WIDTHS, str(Path("setup.py").resolve())]
    done = subprocess.run(  # noqa: S603 - our own
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(width)
    # A small number is written as its double; what does not fit into 31 bits is an object of Python.
    written = "".join(file.read_text() for file in tmp_path.rglob("*.c"))
    assert ("6000000000" in written) == (width == 8)


def test_nobody_who_plays_in_a_terminal_installs_pages(checkout: Path) -> None:
    (checkout / PAGES).parent.mkdir()
    (checkout / PAGES).write_text("<!doctype html>")
    code, said = build(checkout)
    assert code == 0, said
    names = names_in_wheel(checkout)
    assert not [name for name in names if name.endswith((".html", ".js", ".wasm")) or "cartagena_web" in name]


def test_both_wheels_are_of_one_version() -> None:
    texts = [Path(name).read_text(encoding="utf-8") for name in ("pyproject.toml", "web/pyproject.toml")]
    main, pages = (tomllib.loads(text)["project"] for text in texts)
    assert main["version"] == pages["version"] == cartagena.__version__ == cartagena_web.__version__
    assert f"cartagena-web=={main['version']}" in main["optional-dependencies"]["server"]


def test_without_node_the_build_says_what_to_do(checkout: Path, tmp_path: Path) -> None:
    code, said = build(checkout / WEB, CARTAGENA_PAGES="auto", PATH=str(tmp_path))
    assert code == 0, said
    assert f"Node.js {NODE} or newer, which builds the pages for browsers, is not installed" in said
    assert f"install Node.js {NODE} or newer, then {pages_command()}\n" in said
    assert INDEX not in names_in_wheel(checkout / WEB)


def test_pages_that_are_demanded_and_cannot_be_built_end_the_build(checkout: Path, tmp_path: Path) -> None:
    code, said = build(checkout / WEB, CARTAGENA_PAGES="1", PATH=str(tmp_path))
    assert code != 0
    assert "CARTAGENA_PAGES is 1, but the pages for browsers cannot be built" in said


def test_another_wish_is_refused(checkout: Path) -> None:
    code, said = build(checkout / WEB, CARTAGENA_PAGES="yes")
    assert code != 0
    assert "CARTAGENA_PAGES is 'yes'; it may be 0, 1 or auto" in said


def test_pages_built_elsewhere_are_packed_as_they_are(checkout: Path) -> None:
    (checkout / "scripts" / "browser_pages.py").unlink()
    (checkout / PAGES).parent.mkdir()
    (checkout / PAGES).write_text("<!doctype html>")
    code, said = build(checkout / WEB, CARTAGENA_PAGES="1")
    assert code == 0, said
    assert INDEX in names_in_wheel(checkout / WEB)
