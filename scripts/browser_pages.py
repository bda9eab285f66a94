"""Build the pages for browsers into the package, unless they are already built from these sources.

python -m scripts.browser_pages

`pip install` of a checkout runs it too (setup.py). It needs Node.js with npm, and says so.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scripts import browser_words, lessons

ROOT: Final = Path(__file__).parents[1]
WEB: Final = ROOT / "web"
FILES: Final = ROOT / "src" / "cartagena" / "server" / "pages" / "files"
STAMP: Final = FILES / ".sources"
"""Holds the digest of what the pages were built from. vite empties the folder first, so after a failed
build it is missing."""
WORDS: Final = WEB / "src" / "words" / "generated"
LESSONS: Final = WEB / "src" / "learn" / "generated"
ICONS: Final = WEB / "src" / "ui" / "generated"
"""Written from packages that the lock names, so the digest can do without them."""


class NotBuilt(Exception):
    """The pages cannot be built here; the sentence says what is missing."""


def main() -> int:
    """Build them; 1 if that is not possible."""
    try:
        print("the pages are built" if build() else "the pages are up to date")
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
    # Not `npm ci`: it wants the lock to name the binaries of every platform. --no-save leaves the lock alone.
    _run(npm, "install", "--no-save", "--no-audit", "--no-fund")
    _run(node, "scripts/sprite.js")
    _run(npm, "run", "--silent", "build")
    STAMP.write_text(digest, encoding="ascii")
    return True


def digest_of_sources(web: Path = WEB) -> str:
    """A digest of all that the pages are built from, words and lessons included."""
    digest = hashlib.sha256()
    for file in sorted(_sources(web)):
        digest.update(f"{file.relative_to(web).as_posix()}\0{file.stat().st_size}\0".encode())
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


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=WEB, check=False).returncode:
        program = Path(command[0]).stem
        raise NotBuilt(f"`{program} {' '.join(command[1:])}` failed in web/, so there are no new pages")


if __name__ == "__main__":
    sys.exit(main())
