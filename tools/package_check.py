"""Build the package and see that it is what we promise: the same bytes twice, its licences, every extra.

python -m tools.package_check [--write] [--compiled]
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Final

from tools.package_build import ROOT, Built, build, copy_checkout
from tools.package_page import differences, write
from tools.package_rooms import CALLS, furnish

CREDITS: Final = ROOT / "web" / "src" / "shell" / "credits.ts"
PART: Final = re.compile(r'licence: "([^"]+)",\s+file: "/licences/([^"]+)"')
"""How the page of credits names the licence of a part and the file in which it is written."""
ICON: Final = re.compile(r'title: "([\w-]+)", author: "(\w+)"')
ICONS: Final = "game-icons.txt"
DIST: Final = ROOT / "dist"


def main() -> None:
    """Check all of it; exit with a message about the first thing that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help="write the sizes into the page about the package"
    )
    parser.add_argument("--compiled", action="store_true", help="also compare two compiled wheels")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = built_twice(folder, compiled=False)
        if asked.compiled:
            built_twice(folder / "compiled", compiled=True)
        _step("described well (twine check)", _twine(built))
        _step("licences of all that is shipped", wrong_licences(built.wheel))
        _step("every extra in a fresh environment", _furnished(folder, built.wheel, write_page=asked.write))
        for file in (built.sources, built.wheel):
            DIST.mkdir(exist_ok=True)
            print(f"{shutil.copy(file, DIST)}: {file.stat().st_size / 1e6:.2f} MB")


def _step(promise: str, wrong: Iterator[str]) -> None:
    began = time.monotonic()
    faults = list(wrong)
    print(f"{'FAILED' if faults else 'ok':6} {promise} ({time.monotonic() - began:.0f} s)", flush=True)
    if faults:
        sys.exit("\n".join(faults))


def built_twice(folder: Path, *, compiled: bool) -> Built:
    """Build in two folders, once through the source package, which shows that it is complete."""
    one, other = folder / "one", folder / "elsewhere" / "another"
    copy_checkout(one)
    shutil.copytree(one, other)
    began = time.monotonic()
    first = build(one, folder / "first", through_sources=True, compiled=compiled)
    second = build(other, folder / "second", through_sources=False, compiled=compiled)
    print(f"built twice in {time.monotonic() - began:.0f} s", flush=True)
    kind = "compiled wheel" if compiled else "pure wheel"
    _step(
        f"two builds of the sources, byte by byte (beside the {kind})",
        _other_bytes(first.sources, second.sources),
    )
    _step(f"two builds of the {kind}, byte by byte", _other_bytes(first.wheel, second.wheel))
    return first


def _other_bytes(one: Path, other: Path) -> Iterator[str]:
    if one.read_bytes() == other.read_bytes():
        return
    yield f"{one.name} is not the same twice"
    if one.suffix == ".whl":
        with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
            sums = {entry.filename: entry.CRC for entry in second.infolist()}
            yield from (entry.filename for entry in first.infolist() if sums.get(entry.filename) != entry.CRC)


def _twine(built: Built) -> Iterator[str]:
    command = [sys.executable, "-m", "twine", "check", "--strict", str(built.sources), str(built.wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield done.stdout + done.stderr


def wrong_licences(wheel: Path) -> Iterator[str]:
    """Third-party parts that the wheel contains without naming their licence or including its text."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        about = message_from_bytes(packed.read(next(name for name in names if name.endswith("/METADATA"))))
        texts = {Path(name).name: packed.read(name).decode() for name in names if "/licenses/" in name}
    yield from missing_licences(about, texts, CREDITS.read_text(encoding="utf-8"))


def missing_licences(about: Message, texts: dict[str, str], credits_page: str) -> Iterator[str]:
    """What the page of credits names and the package lacks."""
    named = set(str(about["License-Expression"]).split(" AND "))
    for licences, file in PART.findall(credits_page):
        unnamed = [licence for licence in licences.split(", ") if licence.replace(" ", "-") not in named]
        yield from (f"{licence} of {file} is not in the licence expression" for licence in unnamed)
    needed = ["LICENSE", "NOTICE", ICONS, *(file for _, file in PART.findall(credits_page))]
    yield from (f"{file} is not among the licence files" for file in needed if not texts.get(file))
    for title, author in ICON.findall(credits_page):
        if f"{author.lower()}/{title}.html" not in texts.get(ICONS, ""):
            yield f"{ICONS} does not name {title} by {author}"


def _furnished(folder: Path, wheel: Path, *, write_page: bool) -> Iterator[str]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        rooms = list(pool.map(lambda extra: furnish(folder / f"room-{extra}", wheel, extra), CALLS))
    for room in rooms:
        total = sum(room.sizes.values()) / 1e6
        print(f"       {room.extra or 'base'}: {len(room.sizes)} packages, {total:.1f} MB")
    if write_page:
        write(rooms)
    yield from differences(rooms)


if __name__ == "__main__":
    main()
