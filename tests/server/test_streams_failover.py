"""Streams after a failover: what was shown before may be lost, so everybody is told the whole state."""

from tests.server.stream_world import GAME, World


async def test_after_a_failover_everybody_comes_back_and_is_told_the_whole_state(here: World) -> None:
    client = await here.ask(f"/tables/{GAME}?audience=0")
    first = await client.next()
    assert "anew" not in first.words
    here.log.timeline = "00000002"
    await here.hub._check_timelines()
    assert (await client.next()).words == {"code": "restart"}
    back = await here.ask(f"/tables/{GAME}?audience=0", last=first.id)
    assert (await back.next()).words["anew"] is True
