"""Tables that the directory knows, and what a stranger gets for an address."""

from uuid import UUID

import httpx

from cartagena.server.lobby.listings import write_listing
from cartagena.server.lobby.results import keep, result_of
from cartagena.server.store.outbox import AllOutboxes
from tests import waiting
from tests.server.http_house import NO_CERTIFICATES
from tests.server.service_nodes import Node, Person


async def opened(person: Person, node: Node, **terms: object) -> tuple[str, str]:
    """A table of two with a free seat: its id and its invitation, once the directory knows of it."""
    usual = {"ruleset": "tortuga", "seats": 2, "clock": {"kind": "live", "bank": 600, "increment": 15}}
    told = await person.post("/api/tables", status=201, terms={**usual, **terms})
    await listed(node, UUID(told["id"]))
    return told["id"], told["invite"]


async def listed(node: Node, table: UUID) -> None:
    """Tell the directory how a table stands, as a worker would."""
    databases = node.resources.databases
    [standing] = await AllOutboxes(databases).standings([table])
    async with databases.directory.acquire() as connection:
        await write_listing(connection, standing)
        if (result := result_of(standing)) is not None:
            await keep(connection, result)


async def page_at(node: Node, path: str, language: str = "en", **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(
        base_url=node.url, timeout=waiting.PATIENCE, verify=NO_CERTIFICATES
    ) as client:
        return await client.get(path, headers={"accept-language": language, **headers})
