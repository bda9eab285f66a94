"""A watcher who insults the players."""

from tests.server.service_nodes import Node, Person, guest, listening
from tests.waiting import until

INSULT = "you play like a barnacle"


async def spoken(person: Person, table: str, text: str) -> int:
    """Somebody says something; returns the number of the line."""
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
