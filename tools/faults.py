"""Break everything while hundreds of games are played, and show that nothing acknowledged was lost.

Usage: python -m tools.faults [--short] [--games 500] [--seconds 300] [--calm 75] [--rate 25] [--seed 1]

Starts a PostgreSQL cluster, a NATS server, two web nodes and two workers of its own in a temporary folder,
plays with HTTP clients, kills and cuts, and then lets the checker read the store. `--keep FOLDER` leaves the
logs of all processes there.
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import get_args

from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.guests import become_guest
from cartagena.server.accounts.sessions import Arrival
from cartagena.server.accounts.sessions import Kind as SessionKind
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.server.tables.sheet import EndingWord
from tools.faults_checker import Evidence, Verdict, check
from tools.faults_http import Node
from tools.faults_notes import Fault, Notebook
from tools.faults_schedule import Happened, Schedule
from tools.faults_sending import Guest, Running
from tools.faults_servers import House
from tools.faults_tables import Tables

FINISH_SECONDS = 15.0
CONVERGE_SECONDS = 30.0
"""So long after the last event every client must know all of it."""
MOST_SHOWN = 20
GAMES_FOR_GUEST = 5
STREAMS_A_SECOND = 3
"""About so many tables lose a stream each second: coming back costs a node more than a move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is done: how many games, for how long with faults and for how long without."""

    games: int
    seconds: float
    calm: float
    rate: float
    pause: float
    seed: int
    keep: Path | None


@dataclass(slots=True, kw_only=True)
class Report:
    """What came of it."""

    plan: Plan
    notebook: Notebook
    happened: list[Happened]
    verdict: Verdict
    converged: float | None
    orphans: int
    took: float

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong, and everything that broke was well again."""
        recovered = all(one.recovered is not None for one in self.happened)
        return not self.verdict.troubles and recovered and self.converged is not None


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
    short, long = (60, 30.0, 15.0, 30.0, 1.0), (500, 300.0, 75.0, 25.0, 6.0)
    games, seconds, calm, rate, pause = short if given.short else long
    return Plan(
        games=given.games or games,
        seconds=seconds if given.seconds is None else given.seconds,
        calm=calm if given.calm is None else given.calm,
        rate=given.rate or rate,
        pause=pause,
        seed=given.seed,
        keep=given.keep,
    )


async def run(plan: Plan) -> Report:
    """Play, break, wait, check."""
    began, chance = time.monotonic(), Random(plan.seed)
    with _folder(plan.keep) as folder:
        async with _opened_house(folder) as house:
            _tell(began, "everything is started")
            nodes = (Node("web 1", house.ports["web 1"]), Node("web 2", house.ports["web 2"]))
            stream_seconds = max(20.0, plan.games / STREAMS_A_SECOND)
            running = Running(nodes, Notebook(), plan.games / plan.rate, stream_seconds)
            async with _opened_databases(house) as databases:
                guests = await _guests(databases, max(8, plan.games // GAMES_FOR_GUEST))
            tables = Tables(guests, running, chance)
            schedule = Schedule(house, nodes, running.notebook, chance, plan.pause)
            try:
                tables.start(plan.games, plan.seconds / 3)
                await asyncio.sleep(2)
                await schedule.run(plan.seconds)
                await schedule.settled()
                _tell(began, f"{len(schedule.happened)} faults are over")
                verdict, converged = await _judged(house, tables, running, plan.calm, began)
            finally:
                await tables.close()
            orphans = sum(child.orphans() for child in house.children.values())
    return Report(
        plan=plan,
        notebook=running.notebook,
        happened=schedule.happened,
        verdict=verdict,
        converged=converged,
        orphans=orphans,
        took=time.monotonic() - began,
    )


async def _judged(
    house: House, tables: Tables, running: Running, calm: float, began: float
) -> tuple[Verdict, float | None]:
    """Let everybody play in peace for a while, then stop, and look."""
    async with _opened_databases(house) as databases:
        (pool,) = databases.shards()
        moving_since = await pool.fetchval("SELECT now()")
        await asyncio.sleep(calm)
        running.stopped.set()
        late = await tables.finish(FINISH_SECONDS)
        running.notebook.surprises.update({"client interrupted": late} if late else {})
        for name in ("worker 1", "worker 2"):
            if not await house.children[name].stop():
                running.notebook.surprises[f"{name} did not end"] += 1
        as_of = await pool.fetchval("SELECT now()")
        _tell(began, "nobody plays any longer")
        converged = await _convergence(databases, tables)
        running.is_listening = False
        running.notebook.seen = [client.seen for client in tables.clients]
        notebook = running.notebook
        evidence = Evidence(
            acks=tuple(notebook.acks),
            refusals=tuple(notebook.refusals),
            seen=tuple(notebook.seen),
            alive=frozenset(seen.player for seen in notebook.seen),
            as_of=as_of,
            moving_since=moving_since,
        )
        _tell(began, f"{len(notebook.seen)} clients have been asked what they know")
        return await check(databases, evidence), converged


async def _convergence(databases: Databases, tables: Tables) -> float | None:
    """After how many seconds every client was where the store is; None if that took too long."""
    began, store = time.monotonic(), Games(databases)
    while time.monotonic() < began + CONVERGE_SECONDS:
        seen = [client.seen for client in tables.clients]
        cursors = await store.cursors({one.game for one in seen})
        if all(cursors.get(one.game) == (one.standing.seq, one.chat) for one in seen):
            return time.monotonic() - began
        await asyncio.sleep(0.25)
    return None


# --- What it stands on -----------------------------------------------------------------------------


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cartagena-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as somebody else
        try:
            yield folder
        finally:
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                for log in (*folder.glob("*.log"), folder / "postgres" / "log"):
                    shutil.copy(log, keep / log.name)


@asynccontextmanager
async def _opened_house(folder: Path) -> AsyncIterator[House]:
    house = House(folder)
    try:
        await house.start()
        yield house
    finally:
        await house.stop()


@asynccontextmanager
async def _opened_databases(house: House) -> AsyncIterator[Databases]:
    settings = Settings.read({"CARTAGENA_DIRECTORY": house.dsn, "CARTAGENA_POOL": "2"})
    databases = await Databases.open(settings, program="cartagena faults")
    try:
        yield databases
    finally:
        await databases.close()


async def _guests(databases: Databases, number: int) -> list[Guest]:
    directory = Directory(pool=databases.directory, clock=lambda: datetime.now(UTC), chance=os.urandom)
    guests = []
    for place in range(number):
        admission = await become_guest(
            directory, f"Guest {place}", Arrival(kind=SessionKind.BEARER, label="")
        )
        address = f"127.0.{1 + place // 200}.{1 + place % 200}"
        guests.append(Guest(player_id=admission.session.player_id, token=admission.token, address=address))
    return guests


def _tell(began: float, what: str) -> None:
    print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)


# --- The ledger ------------------------------------------------------------------------------------


def ledger(report: Report) -> Iterator[str]:
    """What happened, for people."""
    verdict, notebook = report.verdict, report.notebook
    yield f"games      {sum(verdict.games.values())}: {_counted(verdict.games)}"
    yield f"events     {verdict.events}, clocks run out {verdict.expired}, records verified {verdict.records}"
    yield f"answers    {_counted(notebook.answers)}"
    yield f"mischief   {_counted(notebook.mischief)}"
    yield f"surprises  {_counted(notebook.surprises) or 'none'}"
    for one in report.happened:
        well = "NEVER WELL AGAIN" if one.recovered is None else f"well after {one.recovered:.1f} s"
        yield f"fault      {one.name}: {well}"
    yield f"orphans    {report.orphans}"
    known = "NEVER" if report.converged is None else f"after {report.converged:.1f} s"
    yield f"converged  {len(notebook.seen)} clients {known}"
    for trouble in verdict.troubles[:MOST_SHOWN]:
        yield f"TROUBLE    {trouble}"
    counts = ", ".join(f"{fault.value} {verdict.count(fault)}" for fault in Fault)
    yield f"acknowledged {len(notebook.acks)}: {counts}"


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counter.most_common())


def figures(report: Report) -> dict[str, object]:
    """The same for programs."""
    recoveries = [one.recovered for one in report.happened if one.recovered is not None]
    return {
        "good": report.is_good,
        "games": sum(report.verdict.games.values()),
        "over": sum(report.verdict.games[word] for word in get_args(EndingWord)),
        "events": report.verdict.events,
        "acknowledged": len(report.notebook.acks),
        **{fault.value: report.verdict.count(fault) for fault in Fault},
        "faults": len(report.happened),
        "recovered": len(recoveries),
        "slowest_recovery_s": round(max(recoveries, default=0.0), 1),
        "converged_s": None if report.converged is None else round(report.converged, 1),
        "answers_500": sum(n for word, n in report.notebook.answers.items() if "500" in word),
        "expired": report.verdict.expired,
        "records": report.verdict.records,
        "orphans": report.orphans,
        "seconds": round(report.took, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
