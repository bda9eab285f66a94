"""Strangers read what friends said before their table became public."""

from tests.server.service_nodes import Json, Node, Person, guest, listening
from tests.waiting import until

TERMS: Json = {"ruleset": "jamaica", "seats": 4}


async def heard(person: Person, table: str) -> list[str]:
    """The lines of chat of the table that `person` is told who asks for everything, the last one included."""
    async with listening(person, f"{table}/stream", last="0.0") as told:
        await until(
            lambda: told.events and told.events[-1][2].get("text") == "the last", what="the last line"
        )
        return [one["text"] for event, _, one in told.events if event == "chat"]


async def test_who_comes_to_a_table_that_was_private_reads_only_later_lines(
    nodes: tuple[Node, Node],
) -> None:
    here, there = nodes
    async with (
        guest(here, "Host") as host,
        guest(there, "Friend") as friend,
        guest(there, "Stranger") as stranger,
        guest(here, "Sitter") as sitter,
    ):
        told = await host.post("/api/tables", status=201, terms={**TERMS, "listed": False})
        table = f"/api/tables/{told['id']}"
        await friend.post(f"{table}/sit", invite=told["invite"])
        await friend.post(f"{table}/chat", status=201, text="a secret")
        await host.post(f"{table}/terms", terms=TERMS)
        await sitter.post(f"{table}/sit")
        await host.post(f"{table}/order", order=[1, 0, 3, 2])
        await host.post(f"{table}/chat", status=201, text="the last")
        assert await heard(stranger, table) == ["the last"]
        assert await heard(sitter, table) == ["the last"]
        for one in (host, friend):
            assert await heard(one, table) == ["a secret", "the last"]
        about = {"player": friend.id, "table": told["id"], "text": "he insults us", "line": 1}
        for person, status in ((stranger, 404), (sitter, 404), (host, 201)):
            assert await person.status_of("/api/reports", **about) == status
