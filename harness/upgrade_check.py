"""Upgrade a service of an earlier release while games are played on it, and show that nothing was lost.

Usage: python -m harness.upgrade_check [--from e4212e1] [--games 40] [--seconds 30] [--calm 25] [--seed 1]

Web nodes and workers of the earlier release are started from an environment of their own. While people play,
with their streams open, the databases are upgraded by this release, as docs/operations.md says, and the
processes are replaced one by one. Then the checker of `make faults` reads the store: every acknowledged
choice is there, once and in order, and every stream has told the same. `--keep FOLDER` leaves the logs.
web/e2e/upgrade.spec.ts checks open browser tabs; it starts the earlier release with the Python that
`--python` prints.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Final

from harness.faults.processes import CARTAGENA, House
from harness.faults.run import Plan, Report, figures, folder_of_logs, ledger, play
from harness.faults.schedule import Happened
from harness.servers import program

ROOT: Final = Path(__file__).parents[1]
FIRST_RELEASE: Final = "e4212e1"
PROCESSES: Final = ("worker 1", "web 1", "worker 2", "web 2")
"""In the order in which they are replaced."""
ENVIRONMENTS: Final = ROOT / "build" / "upgrade"
UNTOLD: Final = frozenset({"is_guest"})
"""Fields of a chair that the first release did not know; a client that came from it learns them later."""


def python_of(release: str) -> Path:
    """The Python of an environment with an earlier release; the environment is made once."""
    home = ENVIRONMENTS / release
    python = home / "environment" / "bin" / "python"
    if not (home / "ready").exists():
        source = home / "source"
        source.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(
            [program("git"), "archive", release], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run([program("tar"), "-x", "-C", str(source)], input=archive.stdout, check=True)
        # It builds its own pages; interpreted, because the engine is not what is upgraded here.
        subprocess.run([program("make"), "--silent", "web"], cwd=source, check=True)
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
        plain = os.environ | {"CARTAGENA_COMPILE": "0", "CARTAGENA_PAGES": "1"}
        install = [str(python), "-m", "pip", "install", "--quiet", f"{source}[server]"]
        subprocess.run(install, env=plain, check=True)
        (home / "ready").touch()
    return python


class Upgrade:
    """What is done while people play: the databases first, then one process after the other."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.happened: list[Happened] = []

    async def run(self, seconds: float) -> None:
        """Upgrade everything within `seconds`; at the beginning and at the end people play undisturbed."""
        pause = seconds / (len(PROCESSES) + 2)
        await asyncio.sleep(pause)
        await self._step("databases", self._house.upgrade(CARTAGENA))
        for name in PROCESSES:
            await self._step(name, self._house.replace(name, CARTAGENA))
            await asyncio.sleep(pause)

    async def _step(self, name: str, doing: Awaitable[None]) -> None:
        began = time.monotonic()
        one = Happened(name)
        self.happened.append(one)
        await doing
        one.recovered = time.monotonic() - began

    async def settled(self) -> None:
        """All is well when the last process is ready, for which `run` has waited."""


async def run(plan: Plan, release: str) -> Report:
    """Play on a service of the earlier release while it is upgraded."""
    with folder_of_logs(plan.keep) as folder:
        house = House(folder, (str(python_of(release)), "-m", "cartagena"))
        try:
            await house.start()
            return await play(plan, house, lambda _running, _chance: Upgrade(house))
        finally:
            await house.stop()


def main() -> int:
    """Upgrade, print the ledger and one line of JSON; 0 if all is well."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument(
        "--from", dest="release", default=FIRST_RELEASE, help=f"the release ({FIRST_RELEASE})"
    )
    parser.add_argument("--games", type=int, default=40, help="how many games (40)")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long the upgrade may take (30)")
    parser.add_argument("--calm", type=float, default=25.0, help="how long is played on after it (25)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave the logs in this folder")
    parser.add_argument("--python", action="store_true", help="only tell the Python of the release")
    given = parser.parse_args()
    if given.python:
        print(python_of(given.release))
        return 0
    plan = Plan(
        games=given.games,
        timed=given.games,
        seconds=given.seconds,
        calm=given.calm,
        rate=20.0,
        pause=1.0,
        seed=given.seed,
        keep=given.keep,
        untold=UNTOLD,
    )
    report = asyncio.run(run(plan, given.release))
    for line in ledger(report):
        print(line)
    print(json.dumps(figures(report)))
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
