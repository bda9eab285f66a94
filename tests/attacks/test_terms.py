"""A host changes the terms of a table under those who have sat down."""

from uuid import UUID

import pytest

from tests.attacks.tables import keep_name
from tests.server.service_nodes import Json, Node, guest

QUICK: Json = {"ruleset": "nest", "seats": 2}
LONG: Json = {"kind": "live", "bank": 600, "increment": 15}
SHORT: Json = {"kind": "live", "bank": 10, "increment": 0}
RATED: Json = {"ruleset": "tortuga", "seats": 3, "clock": LONG, "rated": True}


@pytest.mark.parametrize(
    "changed", [{"clock": SHORT}, {"ruleset": "jamaica"}, {"seats": 2}, {"rated": False}]
)
async def test_nobody_plays_a_rated_game_by_terms_under_which_they_did_not_sit_down(
    nodes: tuple[Node, Node], changed: Json
) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Victim") as victim:
        for person, node in ((host, here), (victim, there)):
            await keep_name(person, node)
        told = await host.post("/api/tables", status=201, terms={**RATED, **changed})
        table = f"/api/tables/{told['id']}"
        await victim.post(f"{table}/sit")
        refused = await host.post(f"{table}/terms", status=422, terms=RATED)
        assert refused["error"]["code"] == "unfit"
        # What does not count may change, but there is no way back.
        await host.post(f"{table}/terms", terms={**RATED, "rated": False})
        assert await host.status_of(f"{table}/terms", terms=RATED) == 422
        await victim.post(f"{table}/leave")
        await host.post(f"{table}/terms", terms=RATED)
        await victim.post(f"{table}/sit")
        # Who may watch is no part of the game.
        await host.post(f"{table}/terms", terms={**RATED, "spectators": False})


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
