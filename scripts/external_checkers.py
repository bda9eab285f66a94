"""Checks that let another program read our files; one that is not installed is named and left out."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

BIN: Final = Path(sys.executable).parent
"""The programs of this environment."""

Trouble = str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What is read, by which program, and how; the function says what is wrong.

    A check of our own has no program. The folder that the function gets is empty and removed afterwards.
    """

    what: str
    program: str
    run: Callable[[str, Path], Iterator[Trouble]]


def run_all(description: str, checks: Iterable[Check], words: list[str] | None) -> int:
    """Run every check whose program is here; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="a program that is not installed is an error")
    asked = parser.parse_args(words)
    wrong = False
    for check in checks:
        found = _find(check.program) if check.program else ""
        if found is None:
            wrong |= asked.all
            print(f"NOT RUN  {check.what}: {check.program} is not installed")
            continue
        with tempfile.TemporaryDirectory() as name:
            troubles = list(check.run(found, Path(name)))
        wrong |= bool(troubles)
        print(f"{'WRONG' if troubles else 'well':7}  {check.what}", *troubles, sep="\n" if troubles else "")
    return int(wrong)


def _find(program: str) -> str | None:
    return shutil.which(program, path=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")


def told(*command: object, also: str | None = None, **variables: str) -> Iterator[Trouble]:
    """What a program prints when it finds trouble: it fails, or its output contains `also`."""
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    if done.returncode or (also is not None and also in said):
        yield said.strip()
