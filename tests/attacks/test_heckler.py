"""A watcher who insults the players."""

from uuid import UUID

import pytest

from cartagena.server.accounts.moderation import open_reports
from tests.attacks.tables import bot_of
from tests.server.service_nodes import Node, Person, guest, listening
from tests.waiting import until

INSULT = "you play like a barnacle"


async def spoken(person: Person, table: str, text: str) -> int:
    """Let `person` say `text` at the table; return the number of the line."""
    number: int = (await person.post(f"{table}/chat", status=201, text=text))["number"]
    return number


async def test_a_line_that_was_taken_away_is_nowhere_to_be_read_any_more(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Mallory") as mallory, guest(there, "Eve") as eve:
        told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2})
        table = f"/api/tables/{told['id']}"
        number = await spoken(mallory, table, INSULT)
        async with listening(eve, f"{table}/stream") as watched:
            await watched.until_told()
            remove = f"{table}/chat/{number}/remove"
            assert await eve.status_of(remove) == 403
            assert await host.status_of(remove) == 204
            await until(lambda: any("removes" in one for _, _, one in watched.events), what="its removal")
        assert watched.events[-1][2]["removes"] == number
        async with listening(eve, f"{table}/stream", last="0.0") as later:
            await until(lambda: len(later.events) == 2, what="both lines")
        (_, _, line), (_, _, removal) = later.events
        assert (line["text"], line["removed"], line["player"]) == ("", True, mallory.id)
        assert (removal["text"], removal["removes"]) == ("", number)
        for person in (host, eve, mallory):
            for path in (table, "/api/me/export"):
                answer = await person.client.get(path, headers=person.headers)
                assert answer.status_code == 200
                assert INSULT not in answer.text


async def test_a_watcher_whom_the_host_muted_says_no_more(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Mallory") as mallory, guest(there, "Eve") as eve:
        told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2})
        table = f"/api/tables/{told['id']}"
        await spoken(mallory, table, INSULT)
        assert await eve.status_of(f"{table}/mute", player=mallory.id) == 403
        assert await host.status_of(f"{table}/mute") == 400
        await host.post(f"{table}/mute", player=mallory.id)
        refused = await mallory.post(f"{table}/chat", status=403, text=INSULT)
        assert refused["error"]["code"] == "muted"
        assert await spoken(eve, table, "ahoy") == 2


@pytest.mark.parametrize("is_bot_muted", [True, False])
async def test_who_was_muted_speaks_neither_as_a_bot_nor_as_its_owner(
    nodes: tuple[Node, Node], *, is_bot_muted: bool
) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Mallory") as owner, bot_of(owner, there) as bot:
        told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2})
        table = f"/api/tables/{told['id']}"
        muted = bot if is_bot_muted else owner
        await host.post(f"{table}/mute", player=muted.id)
        for person in (owner, bot):
            refused = await person.post(f"{table}/chat", status=403, text=INSULT)
            assert refused["error"]["code"] == "muted"
        await host.post(f"{table}/mute", player=muted.id, muted=False)
        for number, person in enumerate((owner, bot), start=1):
            assert await spoken(person, table, "ahoy") == number


async def test_a_report_keeps_what_was_said_for_those_who_run_the_place_alone(
    nodes: tuple[Node, Node],
) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Mallory") as mallory:
        told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2})
        table = f"/api/tables/{told['id']}"
        number = await spoken(mallory, table, INSULT)
        about = {"player": mallory.id, "table": told["id"], "text": "he insults us", "line": number}
        made = await host.post("/api/reports", status=201, **about)
        assert await mallory.status_of(f"{table}/chat/{number}/remove") == 204
        (kept,) = [one for one in await open_reports(here.resources.directory) if one.id == UUID(made["id"])]
        assert (kept.line, kept.said) == (number, INSULT)
        exported = await host.client.get("/api/me/export", headers=host.headers)
        assert made["id"] in exported.text
        assert INSULT not in exported.text


@pytest.mark.parametrize("listed", [True, False])
async def test_only_who_can_read_a_line_reports_it_and_only_its_speaker(
    nodes: tuple[Node, Node], *, listed: bool
) -> None:
    here, there = nodes
    async with guest(here, "Host") as host, guest(there, "Mallory") as mallory, guest(there, "Eve") as eve:
        terms = {"ruleset": "jamaica", "seats": 2, "listed": listed}
        told = await host.post("/api/tables", status=201, terms=terms)
        number = await spoken(host, f"/api/tables/{told['id']}", "ahoy")
        about = {"player": host.id, "table": told["id"], "text": "he insults us", "line": number}
        assert await eve.status_of("/api/reports", **about) == (201 if listed else 404)
        assert await eve.status_of("/api/reports", **about, invite=told["invite"]) == 201
        wrong = ({"player": mallory.id}, {"line": number + 1}, {"table": None})
        answers = [
            await eve.status_of("/api/reports", **{**about, "invite": told["invite"], **one}) for one in wrong
        ]
        assert answers == [422, 404, 422]
