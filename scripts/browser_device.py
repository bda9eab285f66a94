"""Build what plays on the reader's own device: the engine, the bots and a table, with Python for browsers.

python -m scripts.browser_device

The parts lie in a folder named after their content, so that a browser may keep them for ever; `parts.json`
says which folder that is and how large everything is. `pip install ./web` builds them too (web/setup.py).

If a wheel of these very sources that was compiled for browsers lies in dist/, its machine code goes into the
parts. Parts that have it keep it as long as the sources stay the same: the wheel is built elsewhere.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from scripts.browser_pages import (
    DEVICE,
    ROOT,
    WEB,
    NotBuilt,
    built_or_told,
    demand_node,
    digest_of,
    install_packages,
    run_in_web,
)

PACKAGE: Final = ROOT / "src" / "cartagena"
PARTS: Final = DEVICE / "parts.json"
STAMP: Final = DEVICE / ".sources"
"""Holds the digest of what the parts were built from."""
PACKAGES: Final = ("bots", "endpoints", "fairness", "local", "messages", "notation", "rules", "tables")
"""The packages that a table without a network is made of; what they import of others is a broken contract."""
LIBRARIES: Final = WEB / "device-libraries.txt"
DIST: Final = ROOT / "dist"
_SUFFIXES: Final = (".py", ".txt")
_PLATFORM: Final = "pyemscripten_2026_0_wasm32"
_PYTHON: Final = "3.14"
"""Those of the Pyodide in web/package.json."""
WHEELS: Final = f"cartagena-*-cp314-cp314-{_PLATFORM}.whl"
"""The names of wheels with an engine that was compiled for browsers."""
_DIGITS: Final = 16


def main() -> int:
    """Build them; 1 if that is not possible."""
    return built_or_told(build, "the parts for devices")


def build() -> bool:
    """Build the parts if they are out of date; return whether there was anything to do."""
    digest, wheel = digest_of_sources(), compiled_wheel()
    stamp = digest if wheel is None else f"{digest} {hashlib.sha256(wheel.read_bytes()).hexdigest()}"
    if STAMP.is_file() and is_fresh(STAMP.read_text(encoding="ascii"), stamp):
        # For make, which compares times.
        STAMP.touch()
        return False
    node, npm = demand_node()
    install_packages(npm)
    with tempfile.TemporaryDirectory() as place:
        site, parts = Path(place, "site"), Path(place, "parts")
        parts.mkdir()
        lay_out(site, wheel)
        unpack(LIBRARIES, site)
        run_in_web(node, "scripts/device.js", str(site), str(parts))
        run_in_web(node, "scripts/pack.js", str(parts))
        publish(parts)
    STAMP.write_text(stamp, encoding="ascii")
    return True


def is_fresh(built: str, wanted: str) -> bool:
    """Whether parts with the stamp `built` will do; with machine code in them no wheel needs to be there."""
    return built == wanted or built.split()[:1] == [wanted]


def compiled_wheel() -> Path | None:
    """The wheel in dist/ that holds the engine as machine code for browsers; None if there is none."""
    found = sorted(DIST.glob(WHEELS))
    if len(found) > 1:
        raise NotBuilt(f"dist/ holds {' and '.join(wheel.name for wheel in found)}: leave one there")
    return found[0] if found else None


def lay_out(site: Path, wheel: Path | None) -> None:
    """Lay the modules as an installation would; of those that the wheel has compiled, the machine code."""
    compiled = {} if wheel is None else machine_code(wheel)
    for name, code in compiled.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(code)
    modules = {name.partition(".")[0] for name in compiled}
    for file in sources():
        target = site / file.relative_to(PACKAGE.parent)
        if target.relative_to(site).as_posix().removesuffix(".py") not in modules:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


def machine_code(wheel: Path) -> dict[str, bytes]:
    """What a wheel has compiled of our modules, by name; raises NotBuilt if it was made of other sources."""
    with zipfile.ZipFile(wheel) as zipped:
        names = zipped.namelist()
        for file in sources():
            name = file.relative_to(PACKAGE.parent).as_posix()
            if name not in names or zipped.read(name) != file.read_bytes():
                raise NotBuilt(f"{wheel.name} was built from another {name}: build it again, or remove it")
        return {name: zipped.read(name) for name in names if _is_ours(PurePosixPath(name))}


def _is_ours(name: PurePosixPath) -> bool:
    """Whether a file is machine code for a device: of one of its packages, or what all of them share."""
    return name.suffix == ".so" and (len(name.parts) == 1 or name.parts[1] in PACKAGES)


def unpack(listing: Path, site: Path) -> None:
    """Install the libraries of a list into a folder."""
    with tempfile.TemporaryDirectory() as place:
        for wheel in download(listing, Path(place)):
            with zipfile.ZipFile(wheel) as zipped:
                zipped.extractall(site)


def sources() -> Iterator[Path]:
    """The files of the package that a device needs."""
    yield PACKAGE / "__init__.py"
    for package in PACKAGES:
        files = (file for file in sorted((PACKAGE / package).rglob("*")) if file.suffix in _SUFFIXES)
        yield from files


def download(listing: Path, folder: Path) -> list[Path]:
    """Fetch the libraries of a list, built for browsers, each with the hash that the list names."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--only-binary=:all:", "--platform", _PLATFORM, "--python-version", _PYTHON]
    command += ["--dest", str(folder), "--requirement", str(listing)]
    if subprocess.run(command, check=False).returncode:
        raise NotBuilt(f"pip could not fetch the libraries for Python in a browser ({listing.name})")
    return sorted(folder.iterdir())


def publish(parts: Path) -> None:
    """Replace what was there by these parts, in a folder named after their content."""
    files = sorted(file for file in parts.iterdir() if not file.name.endswith((".br", ".gz")))
    name = digest_of(files, parts)[:_DIGITS]
    shutil.rmtree(DEVICE, ignore_errors=True)
    shutil.copytree(parts, DEVICE / name)
    told = {
        "folder": name,
        "files": [[file.name, file.stat().st_size] for file in files],
        "download": sum(file.with_name(f"{file.name}.br").stat().st_size for file in files),
    }
    PARTS.write_text(json.dumps(told), encoding="ascii")


def digest_of_sources() -> str:
    """A digest of all that the parts are built from."""
    built_by = [Path(__file__), ROOT / "scripts" / "device_archive.py", WEB / "package-lock.json", LIBRARIES]
    built_by += [WEB / "scripts" / "device.js", WEB / "scripts" / "pack.js"]
    return digest_of([*built_by, *sources()], ROOT)


if __name__ == "__main__":
    sys.exit(main())
