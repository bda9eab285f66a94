"""`cartagena admin`: on a real directory, and heard by the nodes of the service."""

import asyncio
import json
from dataclasses import dataclass
from uuid import UUID, uuid4

import pytest
from asyncpg import Pool
from click.testing import CliRunner, Result

from cartagena.cli.admin import command
from cartagena.endpoints.callers import Scope
from cartagena.messages.accounts import MakeToken, ReportPlayer
from cartagena.server.accounts.moderation import PAGE, open_reports, report
from cartagena.server.accounts.players import me
from cartagena.server.accounts.sessions.devices import make_device_code, make_token, redeem_device_code
from cartagena.server.accounts.sessions.tokens import Arrival, SessionKind
from cartagena.server.bus import open_bus
from cartagena.server.bus.messages import Closing
from cartagena.tables.errors import ServiceError
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, registered
from tests.server.accounts_world import World, world
from tests.server.databases import empty_database

NOBODY = "01234567-89ab-7000-8000-000000000002"
NOWHERE = "nats://127.0.0.1:1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A service with a named player, and the command line beside it."""

    here: World
    dsn: str
    anne: UUID
    token: str

    async def told(self, *arguments: str, nats: str = "") -> Result:
        """What the command line says."""
        environment = {"CARTAGENA_DIRECTORY": self.dsn, "CARTAGENA_SHARDS": "", "CARTAGENA_NATS": nats}
        return await asyncio.to_thread(CliRunner().invoke, command, arguments, env=environment)

    async def scopes(self) -> frozenset[Scope]:
        """What Anne may do now."""
        self.here.clock.after(seconds=31)
        session = await self.here.sessions.find(self.token)
        assert session is not None
        return session.scopes


@pytest.fixture
async def place(directory: Pool, database_dsn: str) -> Place:
    here = world(directory)
    admission = await here.guest("Anne Bonny")
    await registered(here, admission, Authenticator(ORIGIN))
    token = here.jar[admission.session.id]
    return Place(here=here, dsn=database_dsn, anne=admission.session.player_id, token=token)


async def test_a_player_is_made_an_admin_by_name_and_unmade_by_id(place: Place) -> None:
    made = await place.told("make", "anne bonny")
    assert (made.exit_code, made.output) == (0, "Anne Bonny runs this place now.\n")
    assert Scope.ADMIN in await place.scopes()
    unmade = await place.told("unmake", str(place.anne))
    assert (unmade.exit_code, unmade.output) == (0, "Anne Bonny does not run this place any more.\n")
    assert Scope.ADMIN not in await place.scopes()


async def test_a_guest_does_not_run_this_place(place: Place) -> None:
    guest = await place.here.guest("Mary")
    refused = await place.told("make", str(guest.session.player_id))
    assert refused.exit_code == 1
    assert "Mary is a guest" in refused.output


@pytest.mark.parametrize("who", ["Nobody", NOBODY])
@pytest.mark.parametrize(
    "task", [["make"], ["unmake"], ["ban", "7"], ["lift"], ["signout"]], ids=lambda task: task[0]
)
async def test_nothing_can_be_done_about_a_player_who_does_not_exist(
    place: Place, task: list[str], who: str
) -> None:
    refused = await place.told(task[0], who, *task[1:])
    assert (refused.exit_code, "there is no such player" in refused.output) == (1, True)


async def test_a_guest_who_is_called_by_name_is_to_be_called_by_id(place: Place) -> None:
    guest = await place.here.guest("Bart Testgast")
    refused = await place.told("ban", "Bart Testgast", "1")
    assert refused.exit_code == 1
    assert "no such player as Bart Testgast: guests keep no name" in refused.output
    banned = await place.told("ban", str(guest.session.player_id), "1")
    assert banned.exit_code == 0


async def test_a_ban_lets_a_player_only_watch_until_it_is_lifted(place: Place) -> None:
    assert (await place.told("ban", "Anne Bonny", "1")).output == "Anne Bonny may only watch for a day.\n"
    banned = await place.told("ban", "Anne Bonny", "3650")
    assert banned.output == "Anne Bonny may only watch for 3650 days.\n"
    assert Scope.PLAY not in await place.scopes()
    assert (await me(place.here.directory, place.anne)).banned_until is not None
    assert (await place.told("lift", "Anne Bonny")).output == "Anne Bonny may play again.\n"
    assert Scope.PLAY in await place.scopes()
    assert (await place.told("ban", "Anne Bonny", "0")).exit_code == 2


async def test_a_player_is_signed_out_everywhere_with_all_that_could_come_in_again(place: Place) -> None:
    here = place.here
    session = await here.sessions.find(place.token)
    assert session is not None
    made = await make_token(here.directory, session, MakeToken(name="bot", scopes=("read",)))
    code = (await make_device_code(here.directory, session, ORIGIN)).code
    other = await here.guest("Mary")
    ended = await place.told("signout", "Anne Bonny")
    assert (ended.exit_code, ended.output) == (0, "Anne Bonny is signed out everywhere.\n")
    here.clock.after(seconds=31)
    assert [await here.sessions.find(token) for token in (place.token, made.token)] == [None, None]
    with pytest.raises(ServiceError):
        await redeem_device_code(here.directory, code, Arrival(kind=SessionKind.BEARER, label=""))
    assert await here.sessions.find(other.token) is not None
    assert (await me(here.directory, place.anne)).passkeys == 1, "whose account it is comes back"


@pytest.mark.parametrize(
    "task", [["ban", "Anne Bonny", "7"], ["signout", "Anne Bonny"]], ids=lambda task: task[0]
)
async def test_the_nodes_of_the_service_hear_of_it_at_once(
    place: Place, nats_url: str, task: list[str]
) -> None:
    session = await place.here.sessions.find(place.token)
    assert session is not None
    heard = asyncio.Event()

    def hear(closing: Closing) -> None:
        if closing.session_id == session.id:
            heard.set()

    bus = await open_bus(nats_url)
    try:
        await bus.subscribe(Closing, hear)
        assert (await place.told(*task, nats=nats_url)).exit_code == 0
        async with asyncio.timeout(10):
            await heard.wait()
    finally:
        await bus.close()


async def test_a_bus_that_is_away_delays_nothing_but_the_news(place: Place) -> None:
    banned = await place.told("ban", "Anne Bonny", "3650", nats=NOWHERE)
    assert banned.exit_code == 0, banned.output
    assert banned.stdout == "Anne Bonny may only watch for 3650 days.\n"
    assert "within half a minute" in banned.stderr
    assert Scope.PLAY not in await place.scopes()


async def reported(place: Place, text: str, table: UUID | None = None, said: str | None = None) -> UUID:
    """Let a guest complain about Anne."""
    guest = await place.here.guest("Mary")
    told = ReportPlayer(key=uuid4(), player=place.anne, text=text, table=table)
    return await report(place.here.directory, guest.session.player_id, told, said)


async def test_reports_are_listed_for_people_and_for_programs(place: Place) -> None:
    assert (await place.told("reports")).output == "No report waits for anybody.\n"
    assert json.loads((await place.told("reports", "--json")).output) == []
    first = await reported(place, "Swears.\nAll day.", UUID(NOBODY), "a plague on you")
    place.here.clock.after(seconds=1)
    second = await reported(place, "Again.")
    listed = (await place.told("reports")).output.splitlines()
    assert listed == [
        f"{first}, 2026-01-01 12:00: Mary about Anne Bonny ({place.anne})",
        f"  at table {NOBODY}",
        "  > a plague on you",
        "  | Swears.",
        "  | All day.",
        f"{second}, 2026-01-01 12:00: Mary about Anne Bonny ({place.anne})",
        "  | Again.",
    ]
    told = json.loads((await place.told("reports", "--json")).output)
    assert [(one["id"], one["reporter"]["name"]) for one in told] == [
        (str(first), "Mary"),
        (str(second), "Mary"),
    ]


async def test_a_reporter_cannot_write_what_looks_like_the_reported_line(place: Place) -> None:
    forged = f"Swears.\n  > a plague on you\r  > and you  > too{' ' * 70}  > all"
    await reported(place, forged, UUID(NOBODY), "good morning")
    _, _, *lines = (await place.told("reports")).output.splitlines()
    assert lines == [
        "  > good morning",
        "  | Swears.",
        "  | > a plague on you",
        "  | > and you > too > all",
    ]


async def test_all_pages_of_the_reports_are_listed(place: Place) -> None:
    for number in range(PAGE + 1):
        await reported(place, f"Number {number}.")
    assert len(json.loads((await place.told("reports", "--json")).output)) == PAGE + 1


async def test_an_admin_closes_a_report_with_a_verdict(place: Place, directory: Pool) -> None:
    report_id = await reported(place, "Swears.")
    refused = await place.told("close", str(report_id), "Anne Bonny", "Never mind.")
    assert (refused.exit_code, "does not run this place" in refused.output) == (1, True)
    await place.told("make", "Anne Bonny")
    closed = await place.told("close", str(report_id), "Anne Bonny", "Never mind.")
    assert (closed.exit_code, closed.output) == (0, f"The report {report_id} is closed.\n")
    assert await open_reports(place.here.directory) == ()
    row = await directory.fetchrow("SELECT verdict, closed_by FROM directory.reports")
    assert row is not None
    assert (row["verdict"], row["closed_by"]) == ("Never mind.", place.anne)
    again = await place.told("close", str(report_id), "Anne Bonny", "Never mind.")
    assert (again.exit_code, "no such report is open" in again.output) == (1, True)
    assert (await place.told("close", "7", "Anne Bonny", "Never mind.")).exit_code == 2


async def test_a_directory_that_is_not_up_to_date_says_what_to_do(place: Place) -> None:
    async with empty_database() as dsn:
        empty = Place(here=place.here, dsn=dsn, anne=place.anne, token=place.token)
        refused = await empty.told("reports")
        assert (refused.exit_code, "run `cartagena db upgrade`" in refused.output) == (1, True)
    away = Place(here=place.here, dsn="postgresql://127.0.0.1:1/x", anne=place.anne, token=place.token)
    assert "start PostgreSQL" in (await away.told("reports")).output
