"""Half an hour of faults on a whole cluster, with thousands of games: nothing acknowledged is lost.

Usage: python -m harness.faults.long_drill [--games 5000] [--seconds 1800] [--calm 120] [--rate 30] [--seed 1]

Starts a cluster of its own in a temporary folder (three primaries, one with a synchronous standby and one on
a small disk, three NATS servers and web nodes, two workers, nginx) and breaks something about every twenty
seconds. `--keep FOLDER` leaves the logs there. The figures are appended to benchmarks/results/faults.jsonl.
"""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from harness import ledger as results
from harness.cluster.servers import Cluster
from harness.faults.run import Plan, Report, figures, folder_of_logs, ledger, play
from harness.faults.schedule import ClusterSchedule
from harness.faults.sending import Running

PACE = 100_000


def main() -> int:
    """Run, print the ledger and one line of JSON; 0 if all is well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--timed", type=int, default=40, help="at most this many tables with little time")
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--calm", type=float, default=120.0)
    parser.add_argument("--rate", type=float, default=30.0, help="about how many choices a second")
    parser.add_argument("--pause", type=float, default=20.0, help="seconds between two faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave the logs in this folder")
    plan = Plan(**vars(parser.parse_args()))
    # SIGTERM ends this program early, and the whole cluster with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    report, schedule = asyncio.run(run(plan))
    for line in ledger(report):
        print(line)
    told = figures(report) | memory_of(schedule)
    results.append("faults", seed=str(plan.seed), **told)
    print(json.dumps(told))
    return 0 if report.is_good else 1


async def run(plan: Plan) -> tuple[Report, ClusterSchedule]:
    """Play on a cluster of our own."""
    async with opened_cluster(plan.keep) as cluster:
        schedules: list[ClusterSchedule] = []

        def course(running: Running, chance: Random) -> ClusterSchedule:
            schedules.append(ClusterSchedule(cluster, running, chance, plan.pause))
            return schedules[-1]

        return await play(plan, cluster, course), schedules[0]


def memory_of(schedule: ClusterSchedule) -> dict[str, object]:
    """The memory of all processes in the second and last third, in megabytes: in the first, games begin."""
    held = [kilobytes // 1024 for _, kilobytes in schedule.memory]
    third = len(held) // 3
    if not third:
        return {}
    return {"memory_early_mb": max(held[third : 2 * third]), "memory_late_mb": max(held[2 * third :])}


@asynccontextmanager
async def opened_cluster(keep: Path | None) -> AsyncIterator[Cluster]:
    """A cluster in a temporary folder."""
    with folder_of_logs(keep) as folder:
        cluster = Cluster(folder, pace=PACE, fragile=True)
        try:
            await cluster.start()
            yield cluster
        finally:
            await cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
