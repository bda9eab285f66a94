"""The ledger of long runs: one JSON line for each finished leg, kept in benchmarks/results/.

A stopped run continues after its last line; readers see which commit and command produced a figure.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"


def entries(name: str, **like: object) -> list[dict[str, Any]]:
    """The lines of a ledger that have these values, oldest first."""
    path = RESULTS / f"{name}.jsonl"
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if all(line.get(key) == value for key, value in like.items())]


def append(name: str, **figures: object) -> None:
    """Add a line that names the commit and the command beside the figures."""
    entry = {"commit": commit(), "command": " ".join(["python", *sys.orig_argv[1:]]), **figures}
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / f"{name}.jsonl").open("a") as ledger:
        ledger.write(json.dumps(entry) + "\n")


def commit() -> str:
    """The commit of the checkout, with a plus when files differ from it."""
    return subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--abbrev=10"],  # noqa: S607
        cwd=RESULTS.parents[1],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
