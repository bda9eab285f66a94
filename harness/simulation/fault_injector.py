"""Misfortune: what goes wrong while people play, one random thing after another."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final
from uuid import UUID

from cartagena.rules.refusals import CartagenaError
from cartagena.server.bus.messages import Closing
from cartagena.server.http.streams.hub import REVOKED
from cartagena.server.store.databases import AWAY
from cartagena.server.store.shard_migration import bring_back, move
from cartagena.tables.ids import bucket_of
from harness.simulation.event_loop import NOBODY, Machine
from harness.simulation.people import Person
from harness.simulation.world import World

GIVEN_UP, DIES, CUT_OFF, TAKEN_OVER = 0.2, 0.4, 0.4, 0.6
"""How often a move is given up, a mover dies, all streams are cut while the standby is away, and it takes
over from a primary that did not wait for it."""
BETWEEN: Final = 0.7
"""The average number of seconds between two misfortunes."""


class Misfortune:
    """What happens to one world."""

    def __init__(self, world: World, people: list[Person]) -> None:
        self.world = world
        self.people = people
        self.chance = world.chance
        self.movers: list[Machine] = []
        kinds: dict[Callable[[], Coroutine[Any, Any, None]], int] = {
            self._storm: 4,
            self._lose_node: 2,
            self._pause_node: 2,
            self._restart_database: 1,
            self._move_bucket: 2,
            self._revoke: 1,
        }
        if world.databases[0].has_standby:
            kinds |= {self._stop_standby: 3, self._fail_over: 1}
        self._kinds = list(kinds)
        self._weights = list(kinds.values())

    async def run(self, seconds: float) -> None:
        """Let things go wrong for `seconds`; then make everything well again."""
        end = self.world.loop.time() + seconds
        while self.world.loop.time() < end:
            await asyncio.sleep(self.chance.expovariate(1 / BETWEEN))
            (kind,) = self.chance.choices(self._kinds, self._weights)
            self.world.loop.on(NOBODY, kind())
        await self._end()

    async def _end(self) -> None:
        world = self.world
        world.weather.is_fine = True
        for database in world.databases:
            database.standby_is_stopped = False
        while len(world.running()) < 2:  # noqa: PLR2004 - one alone could not disagree with anybody
            world.start_node()
        # End all movers, then finish their moves, so that every bucket arrives.
        for mover in self.movers:
            mover.lose()
        await asyncio.sleep(1)
        for table_id in world.tables:
            if any(bucket_of(table_id) in database.rows.departures for database in world.databases):
                world.loop.on(world.loop.add(Machine("mover")), self._move(bucket_of(table_id), on=True))

    # One thing each.

    async def _storm(self) -> None:
        weather = self.world.weather
        weather.is_fine = False
        weather.broken = self.chance.uniform(0, 25)
        weather.lost = self.chance.uniform(0, 30)
        weather.slow = self.chance.choice((1.0, 1.0, 10.0))
        await asyncio.sleep(self.chance.uniform(0.3, 3))
        weather.is_fine = True

    async def _lose_node(self) -> None:
        running = self.world.running()
        if len(running) > 1:
            self.chance.choice(running).machine.lose()
            await asyncio.sleep(self.chance.uniform(0.3, 4))
            self.world.start_node()

    async def _pause_node(self) -> None:
        self.world.loop.pause(self.world.any_node().machine, self.chance.uniform(0.3, 5))

    async def _restart_database(self) -> None:
        self.chance.choice(self.world.databases).restart()

    async def _stop_standby(self) -> None:
        database = self.chance.choice(self.world.databases)
        database.standby_is_stopped = True
        for _ in range(self.chance.randrange(4)):
            await asyncio.sleep(self.chance.uniform(0.1, 2))
            database.cancel_waits()
        if self.chance.random() < CUT_OFF:
            # People who come back now are shown what only the primary has.
            for person in self.people:
                if person.wire is not None:
                    person.wire.cut()
            await asyncio.sleep(self.chance.uniform(0.5, 2))
        if self.chance.random() < TAKEN_OVER:
            database.fail_over(self._skew())
        await asyncio.sleep(self.chance.uniform(0, 2))
        database.standby_is_stopped = False

    async def _fail_over(self) -> None:
        self.chance.choice(self.world.databases).fail_over(self._skew())

    def _skew(self) -> float:
        return self.chance.choice((0.0, self.chance.uniform(-20, 0), self.chance.uniform(0, 3)))

    async def _revoke(self) -> None:
        person = self.chance.choice(self.people)
        session, node = person.session, self.world.any_node()
        self.world.revoked.since[session] = self.world.loop.time()
        node.bus.publish(Closing(session_id=session, code=REVOKED))

    # Moving.

    async def _move_bucket(self) -> None:
        if any(not mover.is_lost for mover in self.movers):
            return  # one at a time, like the lock in the directory
        bucket = bucket_of(self.chance.choice(self.world.tables))
        mover = self.world.loop.add(Machine("mover"))
        self.movers.append(mover)
        self.world.loop.on(mover, self._move(bucket, on=False, mover=mover))
        if self.chance.random() < DIES:
            await asyncio.sleep(self.chance.expovariate(1 / 0.03))
            mover.lose()

    async def _move(self, bucket: int, *, on: bool, mover: Machine | None = None) -> None:
        """Move a bucket to the other database; with `on`, finish a move that was begun."""
        for _ in range(20 if on else 1):
            databases = self.world.connected()
            with contextlib.suppress(CartagenaError, *AWAY):
                await databases.whereabouts.learn()
                source = databases.whereabouts.place_of(bucket)
                if not on and self.chance.random() < GIVEN_UP:
                    await bring_back(databases, bucket)
                else:
                    leaves = not on or self._is_on_its_way(source, bucket)
                    await move(databases, [bucket], 1 - source if leaves else source, lambda _: None)
                break
            await asyncio.sleep(0.3)
        if mover is not None:
            mover.lose()

    def _is_on_its_way(self, source: int, bucket: int) -> bool:
        note = self.world.databases[source].rows.departures.get(bucket)
        return note is not None and not note["arrived"]


def where_is(world: World, table_id: UUID) -> list[int]:
    """The databases in which a table can be played: one, if all is well."""
    return [database.place for database in world.databases if table_id in database.rows.games]
