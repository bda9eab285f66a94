"""A client that follows a table may have an answer leave everything to its stream."""

from uuid import uuid4

from tests.server.databases import settings_for
from tests.server.service_nodes import guest, listening, running_node

MINIMAL = {"Prefer": "respond-async, return=minimal"}


async def test_an_answer_tells_how_far_the_table_is_and_the_stream_tells_the_rest(database_dsn: str) -> None:
    settings = settings_for(database_dsn, CARTAGENA_POOL="3")
    async with running_node(settings) as node, guest(node, "Anne") as anne, guest(node, "Bart") as bart:
        terms = {"ruleset": "tortuga", "seats": 2}
        table = f"/api/tables/{(await anne.post('/api/tables', status=201, terms=terms))['id']}"
        await bart.post(f"{table}/sit")
        await anne.post(f"{table}/start")
        current = (await anne.get(table))["current"]
        mover = anne if current["view"]["to_act"] == 0 else bart
        current = (await mover.get(table))["current"]
        async with listening(mover, f"{table}/stream") as stream:
            await stream.until(current["seq"])
            asked = {"seq": current["seq"], "code": current["view"]["legal"][-1], "key": str(uuid4())}
            answers = [
                await mover.client.post(f"{table}/actions", json=asked, headers={**mover.headers, **wish})
                for wish in (MINIMAL, MINIMAL, {})
            ]
            await stream.until(current["seq"] + 1)
        # Sent twice it is one action, whatever is preferred.
        told = {"seq": current["seq"] + 1}
        assert [answer.json() for answer in answers[:2]] == [told, told]
        assert answers[2].json()["seq"] == told["seq"]
        assert answers[2].json()["view"] == stream.events[-1][2]["view"]
        undone = await mover.client.post(
            f"{table}/undo", json={**told, "key": str(uuid4())}, headers={**mover.headers, **MINIMAL}
        )
        assert undone.json() == {"seq": told["seq"] + 1}
