"""Keep the prose plain: phrases that readers stumbled over stay out of code, comments and docs.

Usage: python scripts/vocabulary.py
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
READ: Final = ("*.py", "*.md", "*.ts", "*.svelte", "*.js", "*.css", "*.toml", "*.sh", "Makefile")
# The rulebook has a voice of its own, in four languages; this file and its test name the phrases.
LEFT_OUT: Final = ("docs/rules/", "scripts/vocabulary.py", "tests/scripts/test_vocabulary.py")

PLAINER: Final = {
    re.compile(r"\bso many\b", re.IGNORECASE): "name the parameter, or say which number",
    re.compile(r"\bwho(?:so)?ever\b", re.IGNORECASE): "name them: the player, the client, the caller, they",
    re.compile(r"\bwhosever\b", re.IGNORECASE): "say whose",
    re.compile(r"\bnought\b", re.IGNORECASE): "write zero or nothing",
    re.compile(r'"""The same\b'): "say what it does before what it resembles",
}
"""What to write instead of each phrase."""


def findings_in(text: str) -> Iterator[tuple[int, str, str]]:
    r"""Each phrase in a text: its line, counted from 1, the phrase, and what to write instead.

    >>> list(findings_in("Draw the cards.\nIt takes so many cards."))
    [(2, 'so many', 'name the parameter, or say which number')]
    """
    for number, line in enumerate(text.splitlines(), start=1):
        for phrase, instead in PLAINER.items():
            for found in phrase.finditer(line):
                yield number, found[0], instead


def files() -> list[Path]:
    """Every file with prose that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *READ],  # noqa: S607 - the git that the developer uses
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    names = [name for name in listed.stdout.splitlines() if not name.startswith(LEFT_OUT)]
    # A file that was just deleted is still known.
    return [ROOT / name for name in names if (ROOT / name).exists()]


def main() -> int:
    """Print each phrase with its place; 1 if there is one."""
    read = files()
    found = [
        f"{file.relative_to(ROOT)}:{line}: {phrase!r}: {instead}"
        for file in read
        for line, phrase, instead in findings_in(file.read_text(encoding="utf-8"))
    ]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(read)} files, {len(found)} phrases to write more plainly")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
