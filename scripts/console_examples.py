"""Examples of a terminal in the docs are tests: blocks marked `console` are typed into bash and compared."""

import doctest
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sybil import Example

PROMPT: Final = "$ "
GOES_ON: Final = "> "
FOLDER: Final = "console_folder"
BIN: Final = Path(sys.executable).parent
PATIENCE: Final = 120
"""Seconds that one command may take."""

# Any: the namespace of a page holds whatever its examples put there.
Namespace = dict[str, Any]


def enter(namespace: Namespace) -> None:
    """Give a page an empty folder, in which all its commands run."""
    namespace[FOLDER] = tempfile.TemporaryDirectory()


def leave(namespace: Namespace) -> None:
    """Take the folder away."""
    namespace[FOLDER].cleanup()


def type_in(example: Example) -> str | None:
    """Type the commands of a block; each must print what stands below it, where `...` matches anything."""
    for command, wanted in commands(str(example.parsed)):
        printed = _run(command, Path(example.namespace[FOLDER].name))
        if not doctest.OutputChecker().check_output(wanted, printed, doctest.ELLIPSIS):
            return f"{PROMPT}{command}\nexpected:\n{wanted}\nprinted:\n{printed}"
    return None


def commands(block: str) -> Iterator[tuple[str, str]]:
    r"""The commands of a block, each with what it prints.

    >>> list(commands("$ echo a \\\n> b\na b\n$ true\n"))
    [('echo a \\\nb', 'a b\n'), ('true', '')]
    """
    for part in f"\n{block}".split(f"\n{PROMPT}")[1:]:
        first, *rest = part.rstrip("\n").split("\n")
        typed = [first]
        while rest and rest[0].startswith(GOES_ON):
            typed.append(rest.pop(0).removeprefix(GOES_ON))
        yield "\n".join(typed), "".join(f"{line}\n" for line in rest)


def _run(command: str, folder: Path) -> str:
    environment = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "LANGUAGE": "en",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["bash", "-c", command],  # noqa: S607  # wherever bash is
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.stdout
