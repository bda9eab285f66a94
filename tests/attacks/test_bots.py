"""Tables full of bots, so that everybody else's bots come late."""

from dataclasses import replace
from uuid import uuid4

from cartagena.server.store.databases import Databases
from cartagena.server.worker import bot_players
from cartagena.tables.table import EventKind
from tests.server.tables_world import Player
from tests.server.worker_bots import HERE
from tests.server.worker_world import QUICK, Gate, Node, bot, until_happened
from tests.waiting import until

SLOW = bot(f"{HERE}:Gated")
"""A bot that thinks until it is let go."""
MANY = replace(QUICK, at_once=256)


async def test_the_bots_of_one_household_keep_those_of_another_from_nothing(
    databases: Databases, gate: Gate
) -> None:
    node = Node(databases, pace=MANY)
    for _ in range(bot_players.MOST_OF_HOUSEHOLD + 8):
        await node.start(await node.open([SLOW, SLOW], household="mallory"))
    async with node.running():
        await until(
            lambda: node.pool.turns.waiting("mallory") >= bot_players.MOST_OF_HOUSEHOLD, what="a crowd"
        )
        honest = await node.start(await node.open([bot("sailor"), bot("sailor")], household="anne"))
        await until(lambda: node.pool.turns.waiting("anne"), what="a sailor that waits")
        # Only the bot that is thinking is let go: the next one must be the sailor.
        gate.let(1)
        await until_happened(node, honest.id, EventKind.ACTED)
        gate.let(100_000)
    assert node.pool.turns.waiting("mallory") == 0, "a request that waits does not keep a worker from ending"


async def test_the_bots_of_one_player_keep_those_of_a_neighbour_from_nothing(
    databases: Databases, gate: Gate
) -> None:
    node, mallory = Node(databases, pace=MANY), Player(uuid4(), "Mallory")
    for _ in range(bot_players.MOST_WAITING + 8):
        await node.start(await node.open([SLOW, SLOW], household="house", host=mallory))
    async with node.running():
        turns = node.pool.turns
        await until(lambda: turns.waiting("house") >= bot_players.MOST_WAITING, what="a crowd")
        honest = await node.start(await node.open([bot("sailor"), bot("sailor")], household="house"))
        await until(lambda: turns.waiting("house") > bot_players.MOST_WAITING, what="a sailor that waits")
        gate.let(1)
        await until_happened(node, honest.id, EventKind.ACTED)
        gate.let(100_000)
