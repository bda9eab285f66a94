"""Lose a whole cluster while games run, and restore it to a moment: `make restore-drill`.

Usage: python -m harness.restore.drill [--short] [--tables 12] [--seconds 8] [--apart]

A PostgreSQL cluster of its own keeps its log with the scripts of deploy/backup, and the real service plays on
it. A base backup is made, games go on, a moment is noted, games go on, and the disk is lost. Then the drill
follows docs/operations.md, as an operator would: restore, check, repair, start. What was acknowledged before
the moment must be there, and every game must come to its end.

With --apart directory and games have a cluster each, and the directory comes back older than the games.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import asyncpg

from harness.restore.cluster import Cluster, DrillFailed, Moment, Service
from harness.restore.games import Acknowledged, Evening


@dataclass(slots=True, kw_only=True)
class Report:
    """The outcome of a drill; `lost` must be 0."""

    apart: bool
    before: int = 0
    """Actions that were acknowledged before the moment."""
    lost: int = 0
    """Those of them that are gone."""
    after: int = 0
    """Actions that were acknowledged after the moment, and are gone as they must be."""
    kept_after: int = 0
    """Those of them that are there all the same: between the moment and its note."""
    tables: int = 0
    ended: int = 0
    verified: int = 0
    tables_gone: int = 0
    """Tables that were opened after the moment."""
    tables_orphaned: int = 0
    """Tables that are there, with people whom the directory no longer knows."""
    people: int = 0
    people_gone: int = 0
    """Guests whose session is no longer known."""
    repaired: dict[str, int] | None = None
    base_bytes: int = 0
    log_bytes: int = 0
    log_pieces: int = 0
    backup_seconds: float = 0
    kept_seconds: float = 0
    """How long it took until the log of the moment was safe."""
    restore_seconds: float = 0
    repair_seconds: float = 0
    ready_seconds: float = 0
    seconds: float = 0

    @property
    def is_good(self) -> bool:
        """Whether nothing is lost that was promised, and every game has come to its end."""
        return self.before > 0 and self.lost == 0 and self.ended == self.verified == self.tables > 0


def lines(report: Report) -> list[str]:
    """The outcome in lines that people read."""
    there, lost = report.before - report.lost, report.after - report.kept_after
    base, log = report.base_bytes / 1e6, report.log_bytes / 1e6
    return [
        f"acknowledged before the moment  {report.before}, of which {there} are there",
        f"acknowledged after the moment   {report.after}, of which {lost} are lost",
        f"tables opened after it          {report.tables_gone}, lost",
        f"people                          {report.people}, of whom {report.people_gone} are no longer known",
        f"tables of theirs                {report.tables_orphaned}, there, but nobody can take those seats",
        f"games that went on              {report.tables}: {report.ended} ended, {report.verified} verified",
        f"base backup                     {base:.1f} MB in {report.backup_seconds:.1f} s",
        f"kept log                        {log:.1f} MB in {report.log_pieces} pieces of 16.8 MB",
        f"the moment was safe after       {report.kept_seconds:.1f} s",
        f"restore, check and repair       {report.restore_seconds:.1f} s, {report.repair_seconds:.1f} s",
        f"service ready                   {report.ready_seconds:.1f} s later",
    ]


FINISH_SECONDS: Final = 240.0
FOUND: Final = "SELECT game_id, key FROM shard.events WHERE key = ANY ($1::uuid[])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is done."""

    tables: int
    seconds: float
    """How long games run between the steps."""
    pause: float
    """How long a player thinks."""
    apart: bool
    seed: int = 1


class Drill:
    """One drill, step by step."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._plan = plan
        self._games = Cluster(folder / "games")
        self._directory = Cluster(folder / "directory") if plan.apart else self._games
        self._clusters = list({id(one): one for one in (self._games, self._directory)}.values())
        self._service = Service(folder)
        self._evening = Evening(plan.seed)
        self._report = Report(apart=plan.apart)
        self._began = time.monotonic()

    async def run(self) -> Report:
        """Do all of it."""
        report, evening = self._report, self._evening
        await self._prepare()
        early = await evening.open(self._service.url, self._plan.tables)
        async with self._playing():
            await self._back_up()
            await asyncio.sleep(self._plan.seconds / 2)
            directory_moment = await self._directory.moment()
            await self._directory.until_kept(directory_moment)
        # Between the two moments people come whom the older directory will not know; and however long the
        # backup took, their game is not over at the second moment.
        late = await evening.open(self._service.url, 1)
        async with self._playing():
            await asyncio.sleep(self._plan.seconds / 2)
            before = list(evening.noted)
            moment = await self._games.moment()
            on_their_way = len(evening.noted) + len(evening.people)
            kept = asyncio.create_task(self._games.until_kept(moment))
            await asyncio.sleep(self._plan.seconds)
            await self._until_more_than(on_their_way)
            report.kept_seconds = await kept
        gone = await evening.open(self._service.url, 1)
        after = evening.noted[len(before) :]
        self._tell(f"games went on after the moment: {len(before)} actions before, {len(after)} after")
        await self._lose()
        await self._restore(moment, directory_moment if self._plan.apart else moment)
        report.before, report.after = len(before), len(after)
        report.lost = len(before) - await self._there(before)
        report.kept_after = await self._there(after)
        await self._start()
        await self._go_on([*early, *late], gone)
        report.seconds = time.monotonic() - self._began
        return report

    # The steps.

    async def _prepare(self) -> None:
        for cluster in self._clusters:
            await cluster.start()
            await cluster.new_database("cartagena")
        await self._serve()
        self._tell("the service runs")

    async def _serve(self) -> None:
        await self._service.start(self._directory.dsn("cartagena"), self._games.dsn("cartagena"))

    @asynccontextmanager
    async def _playing(self) -> AsyncIterator[None]:
        """Let everyone play while the block lasts."""
        people, pause = list(self._evening.people), self._plan.pause
        playing = asyncio.create_task(self._evening.play(self._service.url, people, pause))
        try:
            yield
        finally:
            playing.cancel()
            await asyncio.wait({playing})
        if not playing.cancelled():
            playing.result()

    async def _until_more_than(self, actions: int) -> None:
        """Wait until more than `actions` actions were acknowledged, however slow the machine is."""
        async with asyncio.timeout(FINISH_SECONDS):
            while len(self._evening.noted) <= actions:  # noqa: ASYNC110 - it is told in many places
                await asyncio.sleep(0.05)

    async def _back_up(self) -> None:
        began = time.monotonic()
        for cluster in self._clusters:
            self._tell(await cluster.base_backup())
        self._report.backup_seconds = time.monotonic() - began

    async def _lose(self) -> None:
        await self._service.kill()
        for cluster in self._clusters:
            await cluster.lose()
        sizes = [cluster.sizes() for cluster in self._clusters]
        self._report.base_bytes = sum(base for base, _ in sizes)
        self._report.log_bytes = sum(log for _, log in sizes)
        self._report.log_pieces = sum(cluster.pieces() for cluster in self._clusters)
        self._tell("the disk is lost, and the service with it")

    async def _restore(self, moment: Moment, directory_moment: Moment) -> None:
        began = time.monotonic()
        for told in (await self._games.restore(moment)).splitlines():
            self._tell(told)
        if self._directory is not self._games:
            await self._directory.restore(directory_moment)
        self._report.restore_seconds = time.monotonic() - began

    async def _there(self, acknowledged: list[Acknowledged]) -> int:
        """How many of these actions the games have."""
        connection = await asyncpg.connect(self._games.dsn("cartagena"))
        try:
            rows = await connection.fetch(FOUND, [one.key for one in acknowledged])
        finally:
            await connection.close()
        found = {(row["game_id"], row["key"]) for row in rows}
        return sum((one.game, one.key) in found for one in acknowledged)

    async def _start(self) -> None:
        directory, games = self._directory.dsn("cartagena"), self._games.dsn("cartagena")
        began = time.monotonic()
        await self._service.command(directory, games, "db", "check")
        repaired = json.loads(await self._service.command(directory, games, "db", "repair", "--json"))
        self._report.repaired = repaired
        self._report.repair_seconds = time.monotonic() - began
        self._tell(f"cartagena db check: all current; db repair: {repaired}")
        began = time.monotonic()
        await self._serve()
        self._report.ready_seconds = time.monotonic() - began

    async def _go_on(self, table_ids: list[str], gone: list[str]) -> None:
        """Play every game to its end, except at tables with a player whom the directory no longer knows."""
        report, evening, url = self._report, self._evening, self._service.url
        known = await evening.admitted(url)
        expected = evening.at(table_ids)
        report.people, report.people_gone = len(expected), len([one for one in expected if one not in known])
        report.tables_gone = len(gone)
        whole = [one for one in table_ids if all(person in known for person in evening.at([one]))]
        report.tables, report.tables_orphaned = len(whole), len(table_ids) - len(whole)
        self._tell(f"{len(whole)} games go on")
        async with asyncio.timeout(FINISH_SECONDS):
            await evening.play(url, evening.at(whole), 0)
        report.ended = len(whole)
        report.verified = await evening.records_hold(url, whole)

    def _tell(self, what: str) -> None:
        print(f"{time.monotonic() - self._began:6.1f} s  {what}", flush=True)

    async def close(self) -> None:
        """Leave nothing running."""
        await self._service.kill()
        for cluster in self._clusters:
            await cluster.stop()


async def drill(plan: Plan) -> Report:
    """Run a drill in a temporary folder."""
    with _folder() as folder:
        running = Drill(folder, plan)
        try:
            return await running.run()
        finally:
            await running.close()


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cartagena-drill-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        yield folder


def main(words: list[str] | None = None) -> int:
    """Drill, print the outcome and one line of JSON; 0 if nothing promised was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="for a test: a few tables, a few seconds")
    parser.add_argument("--tables", type=int, help="how many tables")
    parser.add_argument("--seconds", type=float, help="how long games run between the steps")
    parser.add_argument("--apart", action="store_true", help="the directory comes back older than the games")
    given = parser.parse_args(words)
    tables, seconds, pause = (2, 1.5, 0.1) if given.short else (12, 8.0, 0.4)
    plan = Plan(
        tables=given.tables or tables, seconds=given.seconds or seconds, pause=pause, apart=given.apart
    )
    try:
        report = asyncio.run(drill(plan))
    except DrillFailed as trouble:
        print(trouble, file=sys.stderr)
        return 1
    print(*lines(report), sep="\n")
    print(json.dumps({"good": report.is_good, **asdict(report)}))
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
