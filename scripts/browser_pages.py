"""Build the pages for browsers into their package, unless they are already built from these sources.

python -m scripts.browser_pages

`pip install ./web` runs it too (web/setup.py). It needs Node.js with npm, and says so.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from scripts import browser_words, lessons

ROOT: Final = Path(__file__).parents[1]
WEB: Final = ROOT / "web"
FILES: Final = WEB / "package" / "cartagena_web" / "files"
STAMP: Final = FILES / ".sources"
"""Holds the digest of what the pages were built from. The folder is emptied first, so after a failed build it
is missing."""
LIST: Final = FILES / "files.json"
"""Which files a browser needs to show every page without a network."""
DEVICE: Final = FILES / "engine"
"""What plays on the reader's own device, with Python for browsers."""
WORDS: Final = WEB / "src" / "words" / "generated"
LESSONS: Final = WEB / "src" / "learn" / "generated"
ICONS: Final = WEB / "src" / "ui" / "generated"
"""Written from packages that the lock names, so the digest can do without them."""


class NotBuilt(Exception):
    """The pages cannot be built here; the sentence says what is missing."""


def main() -> int:
    """Build them; 1 if that is not possible."""
    return built_or_told(build, "the pages")


def built_or_told(build: Callable[[], bool], what: str) -> int:
    """Build what is out of date and say so; 1, with the reason, if that is not possible."""
    try:
        print(f"{what} are built" if build() else f"{what} are up to date")
    except NotBuilt as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def build() -> bool:
    """Build the pages if they are out of date; return whether there was anything to do."""
    browser_words.write(WORDS)
    lessons.write(LESSONS)
    digest = digest_of_sources()
    if STAMP.is_file() and STAMP.read_text(encoding="ascii") == digest:
        # For make, which compares times.
        STAMP.touch()
        return False
    node, npm = demand_node()
    install_packages(npm)
    _empty()
    run_in_web(node, "scripts/sprite.js")
    run_in_web(npm, "run", "--silent", "build")
    LIST.write_text(json.dumps(list_of_files()), encoding="ascii")
    STAMP.write_text(digest, encoding="ascii")
    return True


def list_of_files() -> dict[str, object]:
    """The hashed files by their paths in the site, with their bytes as unpacked, and all on the way."""
    files = [file for file in sorted((FILES / "assets").iterdir()) if file.suffix not in {".br", ".gz"}]
    packed = (file.with_name(f"{file.name}.br") for file in files)
    return {
        "files": [[f"assets/{file.name}", file.stat().st_size] for file in files],
        "download": sum(
            (small if small.is_file() else file).stat().st_size
            for file, small in zip(files, packed, strict=True)
        ),
    }


def _empty() -> None:
    """Remove what an earlier build left, but not the parts for devices: browser_device.py builds those."""
    for file in FILES.glob("*"):
        if file.is_file():
            file.unlink()
        elif file != DEVICE:
            shutil.rmtree(file)


def digest_of_sources(web: Path = WEB) -> str:
    """A digest of all that the pages are built from, words and lessons included."""
    return digest_of(sorted(_sources(web)), web)


def digest_of(files: Iterable[Path], root: Path) -> str:
    """A digest of files: their paths below a folder, and what is in them."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(root).as_posix()}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _sources(web: Path) -> Iterator[Path]:
    yield from (file for suffix in ("html", "js", "json", "ts") for file in web.glob(f"*.{suffix}"))
    for folder in ("public", "scripts", "src"):
        files = (file for file in (web / folder).rglob("*") if file.is_file())
        yield from (file for file in files if ICONS.relative_to(WEB) not in file.relative_to(web).parents)


def demand_node(web: Path = WEB) -> tuple[str, str]:
    """Where Node.js and npm are; raises NotBuilt if they are missing or too old."""
    oldest = json.loads((web / "package.json").read_text(encoding="utf-8"))["engines"]["node"].removeprefix(
        ">="
    )
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotBuilt(f"Node.js {oldest} or newer, which builds the pages for browsers, is not installed")
    found = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if _numbers(found) < _numbers(oldest):
        raise NotBuilt(f"Node.js {found} is too old to build the pages for browsers: {oldest} or newer can")
    return node, npm


def _numbers(version: str) -> tuple[int, ...]:
    """A version to compare.

    >>> _numbers("v20.9.0") < _numbers("20.19") < _numbers("v23.0.0-pre")
    True
    """
    return tuple(int(part) for part in version.removeprefix("v").partition("-")[0].split("."))


def install_packages(npm: str) -> None:
    """Install the packages that the lock names; without any other change that takes a second."""
    # Not `npm ci`: it wants the lock to name the binaries of every platform. --no-save leaves the lock alone.
    run_in_web(npm, "install", "--no-save", "--no-audit", "--no-fund")


def run_in_web(*command: str) -> None:
    """Run a program in web/; raises NotBuilt if it fails."""
    if subprocess.run(command, cwd=WEB, check=False).returncode:
        program = Path(command[0]).stem
        raise NotBuilt(f"`{program} {' '.join(command[1:])}` failed in web/, so there are no new pages")


if __name__ == "__main__":
    sys.exit(main())
