"""A player who was sent away comes back as another guest, or as their own bot."""

import pytest

from tests.attacks.tables import bot_of
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


@pytest.mark.parametrize("is_bot_kicked", [True, False])
async def test_who_was_sent_away_comes_back_neither_as_a_bot_nor_as_its_owner(
    nodes: tuple[Node, Node], *, is_bot_kicked: bool
) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Pest") as owner, bot_of(owner, there) as bot:
        gone, back = (bot, owner) if is_bot_kicked else (owner, bot)
        told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 3})
        table = f"/api/tables/{told['id']}"
        await gone.post(f"{table}/sit")
        await host.post(f"{table}/kick", seat=1)
        for refused in (gone, back):
            for verb, body in (("sit", {}), ("chat", {"text": "ahoy"})):
                answer = await refused.post(f"{table}/{verb}", status=403, **body)
                assert answer["error"]["code"] == "kicked"


async def test_a_host_who_sends_a_bot_of_their_own_away_stays_and_speaks(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, bot_of(host, here) as bot, guest(there, "Other") as other:
        told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 3})
        table = f"/api/tables/{told['id']}"
        await bot.post(f"{table}/sit")
        await host.post(f"{table}/kick", seat=1)
        await host.post(f"{table}/mute", player=bot.id)
        await host.post(f"{table}/chat", status=201, text="ahoy")
        await other.post(f"{table}/sit")
        await other.post(f"{table}/chat", status=201, text="ahoy")
