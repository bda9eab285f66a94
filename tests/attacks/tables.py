"""A running game of two guests, one of whom means no good."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import httpx

from harness.authenticator import Authenticator
from tests.server.api_accounts_house import sign_in, with_passkey
from tests.server.http_house import NO_CERTIFICATES
from tests.server.service_nodes import Json, Node, Person, guest


@dataclass(kw_only=True)
class Duel:
    """A table at which `victim` is to act and `spy` waits, each at a node of its own."""

    id: UUID
    victim: Person
    spy: Person

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}"

    async def seen_by(self, person: Person) -> Json:
        """The state of the table as `person` sees it."""
        current: Json = (await person.get(self.path))["current"]
        return current


@asynccontextmanager
async def duel(nodes: tuple[Node, Node], ruleset: str = "jamaica") -> AsyncIterator[Duel]:
    """A game that has just begun."""
    async with AsyncExitStack() as opened:
        anne = await opened.enter_async_context(guest(nodes[0], "Anne"))
        mallory = await opened.enter_async_context(guest(nodes[1], "Mallory"))
        told = await anne.post("/api/tables", status=201, terms={"ruleset": ruleset, "seats": 2})
        path = f"/api/tables/{told['id']}"
        await mallory.post(f"{path}/sit")
        began = await anne.post(f"{path}/start")
        pair = (anne, mallory) if began["view"]["to_act"] == 0 else (mallory, anne)
        yield Duel(id=UUID(told["id"]), victim=pair[0], spy=pair[1])


async def keep_name(person: Person, node: Node) -> None:
    """Let a guest keep their name with a passkey."""
    async with httpx.AsyncClient(
        base_url=node.url, headers=person.headers, verify=NO_CERTIFICATES
    ) as browser:
        device = Authenticator(node.resources.settings.url)
        assert (await with_passkey(browser, device)).status_code == 201
        person.token = (await sign_in(browser, device, bearer=True)).json()["token"]


@asynccontextmanager
async def bot_of(owner: Person, node: Node) -> AsyncIterator[Person]:
    """A bot of a guest, who keeps their name for that."""
    await keep_name(owner, node)
    made = await owner.post("/api/me/bots", status=201, name=f"Bot {owner.id[-12:]}", engine="furthest")
    async with httpx.AsyncClient(base_url=node.url, verify=NO_CERTIFICATES) as client:
        yield Person(client=client, id=made["bot"]["id"], token=made["token"])
