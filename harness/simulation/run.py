"""One seed: a world, people in it, misfortune, and whether every law held."""

import asyncio
import hashlib
import logging
import sys
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog
from structlog.typing import EventDict

from cartagena.rules.refusals import CartagenaError
from cartagena.server.store.databases import AWAY
from cartagena.tables.sheet import Clock
from harness.simulation.database import Heard
from harness.simulation.event_loop import Stuck
from harness.simulation.fault_injector import Misfortune
from harness.simulation.invariants import check
from harness.simulation.people import Person
from harness.simulation.world import World

PESTERED: Final = 0.4
"""The share of tables with a player who keeps them busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The outcome of a seed."""

    seed: int
    violations: tuple[str, ...]
    steps: int
    events: int
    digest: str
    heard: list[Heard]
    identities: tuple[UUID, ...]


def run_seed(seed: int) -> Run:
    """Simulate one seed from beginning to end."""
    world = World(seed)
    people: list[Person] = []
    try:
        world.loop.run(_live(world, people))
    except Stuck as stuck:
        world.history.violate(str(stuck))
    for sentence in set(_logged):
        world.history.violate(f"the service logged {sentence}")
    _logged.clear()
    logs = [database.rows.events for database in world.databases]
    told = repr(
        [
            (game, [(e["seq"], e["kind"], e["code"], e["at"]) for e in log])
            for one in logs
            for game, log in one.items()
        ]
    )
    return Run(
        seed=seed,
        violations=tuple(world.history.violations),
        steps=world.loop.steps,
        events=sum(len(log) for one in logs for log in one.values()),
        digest=hashlib.sha256(f"{told}{world.loop.steps}".encode()).hexdigest()[:16],
        heard=world.heard,
        identities=tuple(database.rows.identity for database in world.databases),
    )


async def _live(world: World, people: list[Person]) -> None:
    chance = world.chance
    for _ in range(chance.choice((2, 3))):
        world.start_node()
    await asyncio.sleep(0.5)
    for _ in range(chance.choice((1, 1, 1, 1, 1, 2))):
        players = [world.new_uuid() for _ in range(chance.choice((2, 2, 2, 3)))]
        clock = Clock(kind="live", bank=chance.choice((4_000, 15_000)), increment=500)
        table_id = await world.open_table(players, chance.choice((0, 0, 1)), clock)
        for player in players:
            people.append(Person(world, table_id, player, f"person {len(people)}"))
    pest = chance.choice(people) if chance.random() < PESTERED else None
    for person in people:
        person.begin(hostile=person is pest)
    misfortune = Misfortune(world, people)
    await misfortune.run(chance.uniform(3, 8))
    await asyncio.sleep(2)
    world.is_closing = True
    await asyncio.sleep(9)
    check(world, people)


_logged: Final[list[str]] = []
"""What the service logged of errors that no misfortune explains."""


def be_quiet() -> None:
    """Silence the service's log: of thousands of runs only the findings matter."""
    structlog.configure(
        processors=[_note], wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR)
    )
    logging.disable(logging.CRITICAL)


def _note(_: object, __: str, event: EventDict) -> EventDict:
    error = sys.exception()
    if error is not None and not isinstance(error, (CartagenaError, *AWAY)):
        _logged.append(f"{event['event']}: {error!r}")
    raise structlog.DropEvent
