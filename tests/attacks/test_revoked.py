"""A thief keeps reading a stream whose session was ended, because the one message that says so is lost."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

import pytest

from cartagena.server.accounts.personal_data import delete_me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.http.streams.ports import StreamSettings
from tests.server.databases import settings_for
from tests.server.service_nodes import Node, Person, guest, listening, running_node

OFTEN = StreamSettings(sessions_every=0.05)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A player, and a thief who holds one of the player's sessions or tokens."""

    node: Node
    victim: Person
    thief: Person
    session: UUID

    async def write(self, statement: str) -> None:
        """Change the thief's session like another process whose message does not arrive here."""
        await self.node.resources.databases.directory.execute(statement, self.session)


@pytest.fixture
async def node(database_dsn: str) -> AsyncIterator[Node]:
    async with running_node(settings_for(database_dsn), OFTEN) as running:
        yield running


async def by_device_code(victim: Person) -> str:
    """The token of a session that the thief opened with a code they saw."""
    made = await victim.client.post("/api/me/device-codes", headers=victim.headers)
    used = await victim.client.post("/api/sign-in/device", json={"code": made.json()["code"], "bearer": True})
    token: str = used.json()["token"]
    return token


async def by_personal_token(victim: Person) -> str:
    """A personal token that the thief found."""
    wanted = {"name": "stats", "scopes": ["read"]}
    made = await victim.client.post("/api/me/tokens", json=wanted, headers=victim.headers)
    token: str = made.json()["token"]
    return token


async def scene_with(node: Node, victim: Person, token: str) -> Scene:
    session = await node.resources.databases.directory.fetchval(
        "SELECT session_id FROM directory.sessions WHERE player_id = $1 ORDER BY created_at DESC LIMIT 1",
        UUID(victim.id),
    )
    thief = Person(client=victim.client, id=victim.id, token=token)
    return Scene(node=node, victim=victim, thief=thief, session=session)


async def revoke(scene: Scene) -> None:
    await scene.write("UPDATE directory.sessions SET revoked_at = now() WHERE session_id = $1")


async def run_out(scene: Scene) -> None:
    await scene.write("UPDATE directory.sessions SET expires_at = now() WHERE session_id = $1")


async def sweep_away(scene: Scene) -> None:
    await scene.write("DELETE FROM directory.sessions WHERE session_id = $1")


async def delete_account(scene: Scene) -> None:
    elsewhere = SessionCache(scene.node.resources.directory, on_close=lambda _: None)
    await delete_me(elsewhere, UUID(scene.victim.id))


@pytest.mark.parametrize("steal", [by_device_code, by_personal_token])
@pytest.mark.parametrize("end", [revoke, run_out, sweep_away, delete_account])
@pytest.mark.parametrize("place", ["table", "lobby"])
async def test_a_stream_ends_with_its_session_though_the_message_is_lost(
    node: Node,
    steal: Callable[[Person], Awaitable[str]],
    end: Callable[[Scene], Awaitable[None]],
    place: str,
) -> None:
    async with guest(node, "Victim") as victim:
        table = await victim.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2})
        path = "/api/lobby/stream" if place == "lobby" else f"/api/tables/{table['id']}/stream"
        scene = await scene_with(node, victim, await steal(victim))
        async with listening(scene.thief, path) as heard:
            await heard.until_told()
            await end(scene)
            assert await heard.until_over() == "revoked"
        # Nor does what this node remembers let the thief in again.
        answer = await victim.client.get("/api/me", headers=scene.thief.headers)
        assert answer.status_code == 401


async def test_the_streams_of_others_go_on(node: Node) -> None:
    async with guest(node, "Victim") as victim:
        scene = await scene_with(node, victim, await by_device_code(victim))
        async with (
            listening(victim, "/api/lobby/stream") as own,
            listening(scene.thief, "/api/lobby/stream") as heard,
        ):
            await own.until_told()
            await heard.until_told()
            await revoke(scene)
            assert await heard.until_over() == "revoked"
            assert not own.is_over
