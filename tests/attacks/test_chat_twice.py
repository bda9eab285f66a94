"""One request for a line of chat that reaches two nodes at the same time."""

import asyncio
from uuid import UUID, uuid4

from cartagena.server.store.statements import SAY
from cartagena.tables.ports import ChatLine
from tests.attacks.tables import duel
from tests.server.databases import until_blocked
from tests.server.service_nodes import Node


async def test_a_line_is_written_once_however_fast_it_is_sent_twice(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    async with duel(nodes) as table:
        key, mallory = uuid4(), UUID(table.spy.id)
        line = ChatLine(number=0, player=mallory, seat=0, name="Mallory", text="only once", at=0)
        async with (
            here.resources.databases.shard_of(table.id).acquire() as connection,
            connection.transaction(),
        ):
            # The first node has written it and waits for its disk.
            assert await connection.fetchrow(SAY, table.id, mallory, 0, line.name, line.text, key)
            second = asyncio.create_task(there.resources.store.say(table.id, line, key))
            await until_blocked(here.resources.databases)
        assert await second is None
        assert [said.text for said in await there.resources.store.chat(table.id, 0)] == ["only once"]
        cursor = await there.resources.store.seq_of(table.id)
        assert cursor is not None
        assert cursor[1] == 1
