"""Weigh what a browser loads before a table can be played: script and style, packed by gzip.

python -m scripts.browser_budget

The build notes which file needs which (`vite build --manifest`). Fonts and icon sheets are not counted: they
load separately and are cached for ever.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scripts.browser_pages import FILES

LIMIT: Final = 150_000
"""Bytes; on a slow phone network (1.6 Mbit/s) three quarters of a second."""
FIRST: Final = ("index.html", "src/table/TablePage.svelte")
"""What a browser loads when a player follows an invitation: the entrance, and the page of a table."""

# Any: the build's own notes are JSON of its own shape.
Notes = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A file that is loaded, and its bytes on the way."""

    name: str
    size: int


def loaded(notes: Notes, first: tuple[str, ...] = FIRST) -> set[str]:
    """The scripts and styles that these sources need at once, with everything that those need."""
    seen: set[str] = set()
    waiting = list(first)
    while waiting:
        source = waiting.pop()
        if source not in seen:
            seen.add(source)
            waiting += notes[source].get("imports", ())
    return {file for source in seen for file in _files_of(notes[source])}


def _files_of(note: dict[str, Any]) -> Iterator[str]:
    if note["file"].endswith(".js"):
        yield note["file"]
    yield from note.get("css", ())


def weighed(folder: Path) -> list[Weighed]:
    """What the first load of a table brings, heaviest first."""
    notes: Notes = json.loads((folder / ".vite" / "manifest.json").read_text(encoding="utf-8"))
    files = [Weighed(name=name, size=_packed_size(folder / name)) for name in loaded(notes)]
    return sorted(files, key=lambda file: (-file.size, file.name))


def _packed_size(file: Path) -> int:
    packed = file.with_name(f"{file.name}.gz")
    return packed.stat().st_size if packed.exists() else len(gzip.compress(file.read_bytes(), 9))


def main(arguments: list[str]) -> int:
    """Print the list; 1 if it is too heavy, or if nothing was built."""
    parser = argparse.ArgumentParser(description="Weigh the first load of a table.")
    parser.add_argument("--folder", type=Path, default=FILES, help="where the built files are")
    parser.add_argument("--limit", type=int, default=LIMIT, help="most bytes")
    options = parser.parse_args(arguments)
    if not (options.folder / ".vite" / "manifest.json").exists():
        print("nothing is built: make web", file=sys.stderr)
        return 1
    files = weighed(options.folder)
    for file in files:
        print(f"{file.size:>8,}  {file.name}")
    total = sum(file.size for file in files)
    verdict = "within" if total <= options.limit else "ABOVE"
    print(f"{total:>8,}  of {options.limit:,} bytes: {verdict} the budget")
    return 0 if total <= options.limit else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
