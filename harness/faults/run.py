"""A run of `make faults`: people play while things are broken, then the checker reads the store."""

import asyncio
import gc
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Protocol, get_args
from uuid import UUID

from cartagena.client.request import Patience
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.players import become_guest
from cartagena.server.accounts.sessions.tokens import Arrival, SessionKind
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.tables.sheet import EndingWord
from harness.faults.checker import Evidence, Verdict, check, read_store
from harness.faults.processes import Child
from harness.faults.schedule import Happened
from harness.faults.sending import Fault, Guest, Notebook, Running, Seen
from harness.faults.tables import Tables
from harness.http_client import Node
from harness.replay import Stored

FINISH_SECONDS = 15.0
CONVERGE_SECONDS = 30.0
"""How long after the last event every client must know everything."""
MOST_SHOWN = 20
TELL_SECONDS = 30.0
PATIENCE = 2.5
"""In the calm, something happens in every game within this many times the players' thinking time."""
GAMES_FOR_GUEST = 5
STREAMS_A_SECOND = 3
"""About how many tables lose a stream each second: a reconnect costs a node more than a move."""
SHORT_ABSENCE = 5.0
TABLES_BACK_A_SECOND = 160
"""When all streams break at once, the players of this many tables come back each second."""


class Quarters(Protocol):
    """Where the games are played: a service of our own, with its processes by their names."""

    children: dict[str, Child]

    @property
    def settings(self) -> Settings:
        """How to reach the databases with few connections, so that the service keeps its own."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that clients connect to."""

    @property
    def workers(self) -> list[str]:
        """The names of the processes that play for bots."""


class Course(Protocol):
    """What is done to the service while people play."""

    @property
    def happened(self) -> list[Happened]:
        """What was done, and when all was well again."""

    async def run(self, seconds: float) -> None:
        """Do it for `seconds`."""

    async def settled(self) -> None:
        """Wait until everything has recovered, or never will."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is done: how many games, for how long with faults and for how long without.

    Each table with a short clock keeps the service busy; there are at most `timed` of them.
    """

    games: int
    timed: int
    seconds: float
    calm: float
    rate: float
    pause: float
    seed: int
    keep: Path | None
    untold: frozenset[str] = frozenset()
    """Fields of a chair that not every node tells."""


@dataclass(slots=True, kw_only=True)
class Report:
    """The outcome of a run."""

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


async def play(plan: Plan, house: Quarters, course_of: Callable[[Running, Random], Course]) -> Report:
    """Play, break, wait, check."""
    # Garbage collection would scan what thousands of clients know, and almost none of it is garbage.
    gc.set_threshold(200_000, 50, 1000)
    began, chance = time.monotonic(), Random(plan.seed)
    stream_seconds = max(20.0, plan.games / STREAMS_A_SECOND)
    absence = max(SHORT_ABSENCE, plan.games / TABLES_BACK_A_SECOND)
    patience = Patience(first=0.2, longest=max(2.0, absence), answer=max(6.0, absence))
    running = Running(house.nodes, Notebook(), plan.games / plan.rate, stream_seconds, absence, patience)
    async with _opened_databases(house) as databases:
        guests = await _guests(databases, max(8, plan.games // GAMES_FOR_GUEST))
    tables = Tables(guests, running, chance)
    course = course_of(running, chance)
    telling = asyncio.create_task(_tell_on(began, running, tables, course))
    try:
        tables.start(plan.games, plan.seconds / 3, plan.timed)
        await asyncio.sleep(2)
        await course.run(plan.seconds)
        await course.settled()
        tell(began, f"{len(course.happened)} faults are over")
        verdict, converged = await _judged(house, tables, running, plan, began)
    finally:
        telling.cancel()
        await tables.close()
    return Report(
        plan=plan,
        notebook=running.notebook,
        happened=course.happened,
        verdict=verdict,
        converged=converged,
        orphans=sum(child.orphans() for child in house.children.values()),
        took=time.monotonic() - began,
    )


async def _judged(
    house: Quarters, tables: Tables, running: Running, plan: Plan, began: float
) -> tuple[Verdict, float | None]:
    """Let everyone play without faults for a while, then stop and check the store."""
    async with _opened_databases(house) as databases:
        clock = databases.directory
        moving_since = await clock.fetchval("SELECT now()")
        await asyncio.sleep(max(plan.calm, PATIENCE * running.think))
        running.stopped.set()
        late = await tables.finish(FINISH_SECONDS)
        running.notebook.surprises.update({"client interrupted": late} if late else {})
        for name in house.workers:
            if not await house.children[name].stop():
                running.notebook.surprises[f"{name} did not end"] += 1
        as_of = await clock.fetchval("SELECT now()")
        tell(began, "nobody plays any longer")
        notebook = running.notebook
        meeting = await _convergence(databases, tables)
        running.is_listening = False
        notebook.seen = meeting.seen
        evidence = Evidence(
            acks=tuple(notebook.acks),
            refusals=tuple(notebook.refusals),
            answered=tuple(notebook.answered),
            seen=tuple(notebook.seen),
            alive=frozenset(seen.player for seen in notebook.seen),
            as_of=as_of,
            moving_since=moving_since,
            untold=plan.untold,
        )
        tell(began, f"{len(notebook.seen)} clients have been asked what they know")
        return await check(databases, evidence, meeting.stored), meeting.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """What clients know and what the store holds, at one moment; None seconds if they never agreed."""

    seen: list[Seen]
    stored: Mapping[UUID, Stored]
    seconds: float | None


async def _convergence(databases: Databases, tables: Tables) -> Meeting:
    """Wait until every client agrees with the store; the verdict is about that moment.

    A request without an answer may take effect at any later time, even while the store is read.
    """
    began, store = time.monotonic(), Games(databases)
    while True:
        seen = [client.seen for client in tables.clients]
        cursors = await store.cursors({one.game for one in seen})
        is_late = time.monotonic() > began + CONVERGE_SECONDS
        if is_late or all(cursors.get(one.game) == _cursor(one) for one in seen):
            stored = await read_store(databases)
            agreed = all(one.game in stored and stored[one.game].cursor == _cursor(one) for one in seen)
            if agreed or is_late:
                seconds = time.monotonic() - began if agreed else None
                return Meeting(seen=seen, stored=stored, seconds=seconds)
        await asyncio.sleep(0.25)


def _cursor(seen: Seen) -> tuple[int, int]:
    return seen.standing.seq, seen.chat


@asynccontextmanager
async def _opened_databases(house: Quarters) -> AsyncIterator[Databases]:
    databases = await Databases.open(house.settings, program="cartagena faults")
    try:
        await databases.whereabouts.learn()
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


async def _tell_on(began: float, running: Running, tables: Tables, course: Course) -> None:
    """Print progress every half minute."""
    before = 0
    while True:
        await asyncio.sleep(TELL_SECONDS)
        acks, notebook = len(running.notebook.acks), running.notebook
        none = sum(number for word, number in notebook.answers.items() if word.startswith("none"))
        tell(
            began,
            f"{len(tables.clients)} people, {(acks - before) / TELL_SECONDS:.0f} acknowledged a second, "
            f"{acks} in all, {none} without an answer; {_last(course)}",
        )
        before = acks


def _last(course: Course) -> str:
    happened = course.happened
    return f"{len(happened)} faults, the last: {happened[-1].name}" if happened else "no fault yet"


def tell(began: float, what: str) -> None:
    """Print a line of progress."""
    print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)


@contextmanager
def folder_of_logs(keep: Path | None) -> Iterator[Path]:
    """A temporary folder for all that is written; at the end its logs are copied to `keep`, if given."""
    with tempfile.TemporaryDirectory(prefix="cartagena-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        try:
            yield folder
        finally:
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                for log in (*folder.glob("*.log"), *folder.glob("*/log")):
                    shutil.copy(log, keep / f"{log.parent.name}-{log.name}")


# --- The ledger ------------------------------------------------------------------------------------


def ledger(report: Report) -> Iterator[str]:
    """The report in lines that people read."""
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
    """Return the figures of a report, for programs."""
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
