"""Break everything while hundreds of games are played, and show that nothing acknowledged was lost.

Usage: python -m harness.faults.drill [--short] [--games 500] [--seconds 300] [--calm 75] [--rate 25]
                                      [--seed 1]

Starts a PostgreSQL cluster, a NATS server, two web nodes and two workers of its own in a temporary folder,
plays with HTTP clients, kills and cuts, and then lets the checker read the store. `--keep FOLDER` leaves the
logs of all processes there.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from harness.faults.processes import House
from harness.faults.run import Plan, Report, figures, folder_of_logs, ledger, play
from harness.faults.schedule import Schedule


def main() -> int:
    """Run, print the ledger and one line of JSON; 0 if all is well."""
    plan = _plan()
    report = asyncio.run(run(plan))
    for line in ledger(report):
        print(line)
    print(json.dumps(figures(report)))
    return 0 if report.is_good else 1


def _plan() -> Plan:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="for CI: at most two minutes")
    parser.add_argument("--games", type=int)
    parser.add_argument("--seconds", type=float, help="how long there are faults")
    parser.add_argument("--calm", type=float, help="how long there are none, at the end")
    parser.add_argument("--rate", type=float, help="about how many choices people make a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave the logs in this folder")
    given = parser.parse_args()
    # In the calm, people may still be away for sixteen seconds, or wait twenty for a stream to open.
    short, long = (60, 30.0, 40.0, 30.0, 1.0), (500, 300.0, 75.0, 25.0, 6.0)
    games, seconds, calm, rate, pause = short if given.short else long
    return Plan(
        games=given.games or games,
        timed=given.games or games,
        seconds=seconds if given.seconds is None else given.seconds,
        calm=calm if given.calm is None else given.calm,
        rate=given.rate or rate,
        pause=pause,
        seed=given.seed,
        keep=given.keep,
    )


async def run(plan: Plan) -> Report:
    """Play in a house of our own."""
    with folder_of_logs(plan.keep) as folder:
        async with _opened_house(folder) as house:
            return await play(
                plan,
                house,
                lambda running, chance: Schedule(house, running.nodes, running.notebook, chance, plan.pause),
            )


# --- What it stands on -----------------------------------------------------------------------------


@asynccontextmanager
async def _opened_house(folder: Path) -> AsyncIterator[House]:
    house = House(folder)
    try:
        await house.start()
        yield house
    finally:
        await house.stop()


if __name__ == "__main__":
    sys.exit(main())
