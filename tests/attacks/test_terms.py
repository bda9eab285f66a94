"""A host changes the terms of a table under those who have sat down."""

from uuid import UUID

from tests.server.service_nodes import Json, Node, guest

QUICK: Json = {"ruleset": "nest", "seats": 2}


async def test_a_host_of_matched_strangers_gets_no_hints_in_two_steps(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Stranger") as stranger:
        wish: Json = {"ruleset": "nest", "seats": 3}
        told = await host.post("/api/matches", **wish)
        assert (await stranger.post("/api/matches", **wish))["id"] == told["id"]
        table = f"/api/tables/{told['id']}"
        terms = {**QUICK, "clock": {"kind": "live", "bank": 300, "increment": 15}}
        for hints, status in ((True, 422), (False, 200), (True, 422)):
            assert await host.status_of(f"{table}/terms", terms={**terms, "hints": hints}) == status
        sheet = (await here.resources.tables.newest(UUID(told["id"]))).sheet
        assert (sheet.quick, sheet.allows_hints) == (True, False)
