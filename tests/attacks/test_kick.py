"""A player who was sent away from a private table comes back as another guest."""

from tests.server.service_nodes import Node, guest, listening

PRIVATE = {"ruleset": "jamaica", "seats": 3, "listed": False}


async def test_who_was_sent_away_has_no_way_back_by_the_old_invitation(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Pest") as pest, guest(there, "Other") as other:
        told = await host.post("/api/tables", status=201, terms=PRIVATE)
        table, invite = f"/api/tables/{told['id']}", told["invite"]
        await pest.post(f"{table}/sit", invite=invite)
        async with listening(other, f"{table}/stream?invite={invite}") as watched:
            await watched.until(1)
            await host.post(f"{table}/kick", seat=1)
            assert await watched.until_over() == "forbidden"
        await pest.get(f"{table}?invite={invite}", status=403)
        await other.get(f"{table}?invite={invite}", status=404)
        await other.post(f"{table}/sit", status=404, invite=invite)
        assert (await other.client.get(f"{table}?invite={invite}")).status_code == 404
        renewed = (await host.get(table))["invite"]
        assert renewed != invite
        await other.post(f"{table}/sit", invite=renewed)
