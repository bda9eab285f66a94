"""A log that was made long on purpose must not slow down loading its table or reading its game."""

from cartagena.tables.frames import MOST_AGAIN, frames_since
from cartagena.tables.sheet import Stage
from tests.attacks.tables import duel
from tests.server.service_nodes import Node, listening
from tests.server.tables_world import repeat_event

EVENTS = 36_000
"""An hour of what one guest may request: ten times a second."""


async def test_a_long_log_beside_a_game_is_not_read(nodes: tuple[Node, Node]) -> None:
    async with duel(nodes) as table:
        seq = (await table.spy.post(f"{table.path}/abandon", agrees=True))["seq"]
        record = (await table.victim.client.get(f"{table.path}/record")).text
        await repeat_event(nodes[0].resources.databases, table.id, seq, EVENTS)
        store = nodes[0].resources.store
        loaded = await store.load(table.id)
        assert loaded is not None
        assert (loaded.seq, loaded.game_seq, loaded.sheet.stage) == (seq + EVENTS, seq - 1, Stage.RUNNING)
        assert len(await store.past(table.id, -1, beside_after=loaded.seq)) == seq
        assert (await table.victim.client.get(f"{table.path}/record")).text == record
        again = [missed.seq for missed in await frames_since(store, loaded, loaded.sheet.watchers, 0)]
        assert again == [loaded.seq]
        async with listening(table.victim, f"{table.path}/stream", last=f"{MOST_AGAIN}.0") as stream:
            await stream.until(loaded.seq)
        assert len(stream.events) == 1
