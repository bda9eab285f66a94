"""Hints and analyses over HTTP: who may ask, who may read, and that the answer comes when it is there."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio
from msgspec.structs import replace

from cartagena.endpoints.jobs import job_routes
from cartagena.notation import format_action
from cartagena.rules.legality import legal
from cartagena.server.accounts.players import become_guest
from cartagena.server.http.app import build_app
from cartagena.server.http.client_address import Households
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.tables import playing
from cartagena.tables.table import Table
from tests.server.accounts_world import PROGRAM, world
from tests.server.worker_jobs import Desk, at_work
from tests.server.worker_world import Node, bot, nobody, person
from tests.waiting import until


@dataclass(frozen=True)
class Guest:
    """A guest with a session."""

    id: UUID
    headers: dict[str, str]


class Face:
    """The routes of hints and analyses behind the real guard, and three guests."""

    def __init__(self, desk: Desk, client: httpx.AsyncClient, guests: list[Guest]) -> None:
        self.desk = desk
        self.client = client
        self.anne, self.bart, self.cora = guests

    @property
    def players(self) -> tuple[UUID, UUID]:
        return (self.anne.id, self.bart.id)

    def to_act(self, table: Table) -> Guest:
        assert table.to_act is not None
        return (self.anne, self.bart)[table.to_act]

    def waiting(self, table: Table) -> Guest:
        assert table.to_act is not None
        return (self.bart, self.anne)[table.to_act]

    async def post(self, guest: Guest | None, path: str) -> httpx.Response:
        return await self.client.post(path, headers=guest.headers if guest else {})

    async def get(self, guest: Guest | None, path: str) -> httpx.Response:
        return await self.client.get(path, headers=guest.headers if guest else {})


@pytest_asyncio.fixture
async def face(databases: Databases) -> AsyncIterator[Face]:
    desk, accounts = Desk(Node(databases)), world(databases.directory)
    admissions = [await become_guest(accounts.directory, name, PROGRAM) for name in ("Anne", "Bart", "Cora")]
    sessions = [await accounts.found(admission) for admission in admissions]
    guests = [
        Guest(session.player_id, {"authorization": f"Bearer {admission.token}"})
        for session, admission in zip(sessions, admissions, strict=True)
    ]
    app = build_app(
        job_routes(desk.node.tables, desk.node.store, desk.hints, desk.analyses, Households(b"secret")),
        sessions=accounts.sessions,
        settings=HttpSettings(own_origins=frozenset({"https://cartagena.example"})),
        ready_checks={},
    )
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="https://cartagena.example") as client:
        yield Face(desk, client, guests)


def code_in(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


# Hints.


async def test_a_hint_is_asked_for_then_read_then_answered_at_once(face: Face, settings: Settings) -> None:
    table = await face.desk.played(face.players)
    player = face.to_act(table)
    asked = await face.post(player, f"/api/tables/{table.id}/hint")
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    path = f"/api/tables/{table.id}/hints/{asked.json()['id']}"
    assert (await face.get(player, path)).status_code == 202
    async with at_work(settings, face.desk.hint_job()):

        async def is_ready() -> bool:
            return (await face.get(player, path)).status_code == 200

        await until(is_ready)
    hint = (await face.get(player, path)).json()
    assert table.position is not None
    best = hint["found"]["best"]
    assert best["codes"][0] in legal(table.position)
    assert best["actions"] == [format_action("escape", code) for code in best["codes"]]
    assert (await face.post(player, f"/api/tables/{table.id}/hint")).json() == hint


async def test_a_hint_is_for_its_seat_alone(face: Face) -> None:
    table = await face.desk.played(face.players)
    player, other = face.to_act(table), face.waiting(table)
    asked = await face.post(player, f"/api/tables/{table.id}/hint")
    path = f"/api/tables/{table.id}/hints/{asked.json()['id']}"
    for reader in (other, face.cora):
        assert code_in(await face.get(reader, path)) == (404, "no_such_thing")
    assert code_in(await face.get(None, path)) == (401, "unauthenticated")
    elsewhere = f"/api/tables/{uuid4()}/hints/{asked.json()['id']}"
    assert code_in(await face.get(player, elsewhere)) == (404, "no_such_thing")


async def test_who_is_not_to_act_gets_no_hint(face: Face) -> None:
    table = await face.desk.played(face.players)
    path = f"/api/tables/{table.id}/hint"
    assert code_in(await face.post(face.waiting(table), path)) == (403, "not_your_turn")
    assert code_in(await face.post(face.cora, path)) == (403, "not_seated")
    assert code_in(await face.post(None, path)) == (401, "unauthenticated")
    assert code_in(await face.post(face.anne, f"/api/tables/{uuid4()}/hint")) == (404, "no_such_table")
    assert await face.desk.jobs() == []


async def test_there_are_no_hints_in_a_rated_game(face: Face) -> None:
    table = await face.desk.played(face.players, rated=True)
    asked = await face.post(face.to_act(table), f"/api/tables/{table.id}/hint")
    assert code_in(asked) == (403, "not_while_rated")


async def test_among_people_there_are_hints_only_where_the_host_allows_them(face: Face) -> None:
    table = await face.desk.played(face.players, hints=False)
    asked = await face.post(face.to_act(table), f"/api/tables/{table.id}/hint")
    assert code_in(asked) == (403, "no_hints")
    assert await face.desk.jobs() == []


async def test_whoever_plays_bots_alone_may_always_ask_for_a_hint(face: Face) -> None:
    table = await face.desk.node.begun([person("Anne", face.anne.id), bot("deckhand")])
    assert table.sheet.allows_hints
    assert not replace(table.sheet, rated=True).allows_hints


async def test_there_are_no_hints_for_a_seat_that_a_bot_plays_nor_after_the_end(face: Face) -> None:
    table = await face.desk.played(face.players)
    over = await face.desk.over(face.players)
    player = face.to_act(table)
    seat = table.to_act
    assert seat is not None
    await face.desk.node.let_time_run_out(table.id)
    await face.desk.node.tables.change(table.id, nobody(), playing.expire)
    assert code_in(await face.post(player, f"/api/tables/{table.id}/hint")) == (409, "seat_minded")
    assert code_in(await face.post(face.bart, f"/api/tables/{over.id}/hint")) == (409, "wrong_stage")


# Analyses.


async def test_an_analysis_is_asked_for_once_and_read_by_everybody(face: Face, settings: Settings) -> None:
    table = await face.desk.over(face.players)
    path = f"/api/tables/{table.id}/analysis"
    assert code_in(await face.get(face.anne, path)) == (404, "no_such_thing")
    asked = await face.post(face.cora, path)
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    assert (await face.get(None, path)).status_code == 202
    async with at_work(settings, face.desk.analysis_job()):

        async def is_ready() -> bool:
            return (await face.get(None, path)).status_code == 200

        await until(is_ready)
    analysis = (await face.get(None, path)).json()
    assert analysis["state"] == "ready"
    assert len(analysis["found"]["steps"]) == 8
    assert (await face.post(face.bart, path)).json() == analysis
    assert code_in(await face.post(None, path)) == (401, "unauthenticated")


async def test_a_game_that_goes_on_is_not_analysed(face: Face) -> None:
    table = await face.desk.played(face.players)
    path = f"/api/tables/{table.id}/analysis"
    assert code_in(await face.post(face.anne, path)) == (409, "wrong_stage")
    assert code_in(await face.get(face.anne, path)) == (409, "wrong_stage")
    assert await face.desk.jobs() == []


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_analysis_of_a_private_table_is_for_those_who_may_see_it(face: Face, method: str) -> None:
    table = await face.desk.over(face.players, listed=False)
    path = f"/api/tables/{table.id}/analysis"
    await face.post(face.anne, path)
    stranger = await face.client.request(method, path, headers=face.cora.headers)
    assert code_in(stranger) == (404, "no_such_table")
    invited = await face.client.request(method, f"{path}?invite=invite", headers=face.cora.headers)
    assert invited.status_code == 202
