"""The page about the package: what each extra brings, and how big that is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.package_rooms import Room

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "package.md"
BEGIN: Final = "<!-- written by `make package PACKAGE=--write` -->\n"
ROW: Final = re.compile(r"^\| `([\w.-]+)` \|", re.MULTILINE)
SECTION: Final = re.compile(r"^### (.+)$", re.MULTILINE)
BASE: Final = "cartagena"


def write(rooms: list[Room]) -> None:
    """Write the tables into the page."""
    before = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(_tables(rooms)), encoding="utf-8")


def _tables(rooms: list[Room]) -> Iterator[str]:
    base = rooms[0].sizes
    for room in rooms:
        own = {name: size for name, size in room.sizes.items() if not room.extra or name not in base}
        total = sum(room.sizes.values())
        yield f"### {_title(room)}\n"
        yield f"{len(room.sizes)} packages, {_megabytes(total)} in all."
        yield (
            ""
            if not room.extra
            else f"Beside the base, {len(own)} packages, {_megabytes(sum(own.values()))}:\n"
        )
        yield "| package | size |\n|---|---:|"
        yield from (f"| `{name}` | {_megabytes(size)} |" for name, size in sorted(own.items()))
        yield ""


def _title(room: Room) -> str:
    return f"{BASE}[{room.extra}]" if room.extra else BASE


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


def differences(rooms: list[Room]) -> list[str]:
    """How the page differs: packages that are new or gone; sizes may change with every release."""
    page = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2]
    titles = SECTION.split(page)[1:]
    told = {title: set(ROW.findall(rows)) for title, rows in zip(titles[::2], titles[1::2], strict=True)}
    base = set(rooms[0].sizes)
    found = {_title(room): set(room.sizes) - (base if room.extra else set()) for room in rooms}
    return [
        f"{title}: {name} is {'new' if name in found.get(title, set()) else 'gone'}"
        for title in sorted({*told, *found})
        for name in sorted(told.get(title, set()) ^ found.get(title, set()))
    ]
