"""Who may do what: every route, asked by everybody who might ask, against the table that says who may."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from cartagena.tables.errors import Problem
from tests.server.api_accounts_house import with_club, with_vapid
from tests.server.authorisation_requests import AT_TABLES, REQUESTS, code_shown, shaped
from tests.server.authorisation_scene import Scene, keyed
from tests.server.authorisation_secrets import Leak, check_nothing_leaks
from tests.server.authorisation_table import ELSEWHERE, LISTED, PRIVATE, Line, lines_of
from tests.server.authorisation_world import Heard, Service, Who, running
from tests.server.databases import settings_for

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT_LISTED, AT_PRIVATE, AWAY = lines_of(LISTED), lines_of(PRIVATE), lines_of(ELSEWHERE)
STATUSES = {problem.code: problem.status for problem in Problem}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(database_dsn: str) -> AsyncIterator[Service]:
    settings = settings_for(
        database_dsn,
        CARTAGENA_POOL="4",
        CARTAGENA_DIRECTORY_POOL="4",
        CARTAGENA_PACE="100000",
        **with_vapid(),
        **with_club(),
    )
    async with running(settings) as service:
        yield service


async def test_every_route_has_its_line_and_every_line_its_route(service: Service) -> None:
    assert set(AT_LISTED) == set(AT_PRIVATE) == set(AT_TABLES)
    assert {*AT_LISTED, *AWAY} == set(REQUESTS) == set(service.routes)
    for name, route in service.routes.items():
        assert ("{table_id}" in route.template) == (name in AT_LISTED), name


@pytest.mark.parametrize("name", AT_LISTED)
async def test_at_a_table_that_everybody_may_find(service: Service, name: str) -> None:
    await check_line(Scene(service=service, route=service.routes[name]), AT_LISTED[name])


@pytest.mark.parametrize("name", AT_PRIVATE)
async def test_at_a_private_table(service: Service, name: str) -> None:
    await check_line(Scene(service=service, route=service.routes[name], listed=False), AT_PRIVATE[name])


@pytest.mark.parametrize("name", AWAY)
async def test_away_from_tables(service: Service, name: str) -> None:
    await check_line(Scene(service=service, route=service.routes[name]), AWAY[name])


async def check_line(blank: Scene, line: Line) -> None:
    """Everybody asks: first those who are refused, which must change nothing, then those who may."""
    name, found = blank.route.name, {}
    scene = await prepared(blank)
    refused = [who for who in Who if isinstance(line[who], str)]
    for who in refused:
        found[who] = (await asked(scene, who)).told
    if scene.table and refused:
        before = scene.current["seq"]
        assert (await scene.look())["seq"] == before, f"{name}: what was refused has changed the table"
    for number, who in enumerate(who for who in Who if who not in refused):
        if number and scene.route.method != "GET":
            scene = await prepared(blank)
        found[who] = (await asked(scene, who)).told
    assert found == {who: line[who] for who in found}, name
    assert set(found) == set(Who)


async def prepared(blank: Scene) -> Scene:
    """A new scene with whatever the route needs."""
    scene = Scene(service=blank.service, route=blank.route, listed=blank.listed, spectators=blank.spectators)
    await REQUESTS[blank.route.name].prepare(scene)
    return scene


async def asked(scene: Scene, who: Who, invite: str | None = None) -> Heard:
    """The answer that `who` gets; it never tells them what they may not know."""
    path, body, query = shaped(scene, invite or code_shown(scene, who))
    heard = await scene.service.ask(scene.route.method, path, await scene.token(who), body, query)
    if heard.status >= 400:
        assert heard.status == STATUSES[heard.refusal[1]]
    check_nothing_leaks(scene, who, heard)
    return heard


# --- The invitation code -------------------------------------------------------------------------------


BY_CODE: dict[str, int] = {
    "show_table": 200,
    "record": 200,
    "replay": 200,
    "line": 200,
    "table_stream": 200,
    "read_analysis": 202,
}
"""What the code opens for somebody without a session; `sit`, `chat` and `ask_analysis` need one."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def foreign_code(service: Service) -> str:
    """The code of another private table."""
    return (await prepared(Scene(service=service, route=service.routes["sit"], listed=False))).invite


@pytest.mark.parametrize("name", AT_PRIVATE)
async def test_the_code_of_a_private_table_opens_what_it_should_and_nothing_else(
    service: Service, foreign_code: str, name: str
) -> None:
    scene = await prepared(Scene(service=service, route=service.routes[name], listed=False))
    line = AT_PRIVATE[name]
    assert (await asked(scene, Who.NOBODY, scene.invite)).told == BY_CODE.get(name, "unauthenticated")
    assert (await asked(scene, Who.KICKED, scene.invite)).told == line[Who.KICKED]
    for wrong in (foreign_code, scene.invite[:-1], scene.invite.upper() + "x", "é", "0"):
        assert (await asked(scene, Who.STRANGER, wrong)).told == line[Who.STRANGER], wrong
    assert (await asked(scene, Who.STRANGER, scene.invite)).told == line[Who.SPECTATOR]


async def test_a_code_is_for_those_who_come_and_not_for_those_who_watch(service: Service) -> None:
    scene = await prepared(Scene(service=service, route=service.routes["show_table"], listed=False))
    codes = {who: (await asked(scene, who)).json["invite"] for who in (Who.SEAT, Who.OTHER, Who.SPECTATOR)}
    assert codes == {Who.SEAT: scene.invite, Who.OTHER: scene.invite, Who.SPECTATOR: None}


# --- Tables without spectators ---------------------------------------------------------------------------


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("name", ["show_table", "record", "replay", "table_stream", "chat", "ask_analysis"])
async def test_a_table_without_spectators_is_watched_by_nobody(
    service: Service, name: str, *, listed: bool
) -> None:
    scene = await prepared(
        Scene(service=service, route=service.routes[name], listed=listed, spectators=False)
    )
    line = (AT_LISTED if listed else AT_PRIVATE)[name]
    for who in (Who.NOBODY, Who.STRANGER, Who.SPECTATOR, Who.KICKED, Who.REVOKED, Who.ADMIN):
        expected = "forbidden" if isinstance(line[who], int) else line[who]
        assert (await asked(scene, who)).told == expected, who
    for who in (Who.SEAT, Who.OTHER):
        assert (await asked(scene, who)).told == line[who], who


# --- Blocked players -------------------------------------------------------------------------------------


async def test_a_private_table_does_not_exist_for_a_stranger_whom_one_there_has_blocked(
    service: Service,
) -> None:
    scene = await prepared(Scene(service=service, route=service.routes["sit"], listed=False))
    stranger = (await scene.person(Who.STRANGER)).session.player_id
    host = (await scene.person(Who.SEAT)).token
    assert (await service.ask("PUT", f"/api/me/blocks/{stranger}", host)).status == 204
    assert (await asked(scene, Who.STRANGER)).told == "no_such_table"
    assert (await asked(scene, Who.STRANGER, scene.invite)).told == "blocked"


# --- Those who were sent away ------------------------------------------------------------------------------


async def test_one_who_was_sent_away_learns_nothing_by_sending_an_old_request_again(service: Service) -> None:
    scene = Scene(service=service, route=service.routes["sit"], listed=False, spectators=False)
    await scene.open()
    person = await scene.person(Who.STRANGER)
    path, body = f"/api/tables/{scene.table}/sit", keyed(seat=2, invite=scene.invite)
    assert (await service.ask("POST", path, person.token, body)).told == 200
    await scene.post(Who.SEAT, "kick", seat=2)
    assert (await service.ask("POST", path, person.token, body)).told == "kicked"


async def test_another_node_knows_at_once_who_may_no_longer_speak(
    database_dsn: str, nats_url: str, service: Service
) -> None:
    settings = settings_for(database_dsn, CARTAGENA_PACE="100000", CARTAGENA_NATS=nats_url)
    scene = Scene(service=service, route=service.routes["chat"])
    await scene.open()
    chat = f"/api/tables/{scene.table}/chat"
    async with running(settings) as other_node:
        mate, stranger = await scene.person(Who.OTHER), await scene.person(Who.STRANGER)
        for person in (mate, stranger):
            assert (await other_node.ask("POST", chat, person.token, keyed(text="ahoy"))).told == 201
        await scene.post(Who.SEAT, "mute", seat=1)
        assert (await other_node.ask("POST", chat, mate.token, keyed(text="ahoy"))).told == "muted"
        await scene.post(Who.SEAT, "kick", seat=1)
        assert (await other_node.ask("POST", chat, mate.token, keyed(text="ahoy"))).told == "kicked"
        private = {"ruleset": "jamaica", "seats": 3, "listed": False}
        await scene.post(Who.SEAT, "terms", terms=private)
        assert (
            await other_node.ask("POST", chat, stranger.token, keyed(text="ahoy"))
        ).told == "no_such_table"


# --- The check for leaks can fail -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["show_table", "record", "table_stream"])
@pytest.mark.parametrize("who", [Who.OTHER, Who.SPECTATOR, Who.NOBODY])
async def test_an_answer_that_went_to_the_wrong_one_would_be_noticed(
    service: Service, name: str, who: Who
) -> None:
    scene = await prepared(Scene(service=service, route=service.routes[name], listed=False))
    heard = await asked(scene, Who.SEAT)
    with pytest.raises(Leak):
        check_nothing_leaks(scene, who, heard)


@pytest.mark.parametrize("secret", ["invite", "secret"])
async def test_a_code_or_a_secret_in_a_refusal_would_be_noticed(service: Service, secret: str) -> None:
    scene = await prepared(Scene(service=service, route=service.routes["actions"]))
    heard = await asked(scene, Who.STRANGER)
    with pytest.raises(Leak):
        check_nothing_leaks(
            scene, Who.STRANGER, replace(heard, text=heard.text.replace("only", getattr(scene, secret)))
        )
