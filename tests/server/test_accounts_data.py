"""What is kept about a player: they take it along or have it forgotten, and what ran out is swept away."""

from uuid import UUID, uuid4

import msgspec
import pytest
from asyncpg import Pool
from msgspec import Raw

from cartagena.messages.accounts import ExportMessage, MakeToken, ReportPlayer
from cartagena.server.accounts.directory import Connection
from cartagena.server.accounts.moderation import block, blocked_by, open_reports, report
from cartagena.server.accounts.notices.web_push import subscribe
from cartagena.server.accounts.notices.webhooks import set_webhook
from cartagena.server.accounts.passkeys.registration import begin_registration
from cartagena.server.accounts.passkeys.sign_in import begin_sign_in, use_recovery_code
from cartagena.server.accounts.personal_data import delete_me, erase_lost_guests, export_me, sweep
from cartagena.server.accounts.players import player, player_named
from cartagena.server.accounts.sessions.devices import make_device_code, make_token, redeem_device_code
from cartagena.server.accounts.sessions.tokens import Admission
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, PARTY, registered, signed_in
from tests.server.accounts_endpoint import Browser
from tests.server.accounts_world import BROWSER, World, everything_in, problem_of, some_name, world

ENDPOINT = "https://push.example.org/x"
HOOK = "https://bot.example.org/"


async def busy_player(here: World, device: Authenticator, name: str) -> tuple[Admission, str, str]:
    """A player who uses everything there is; also the id of a player they blocked, and a recovery code."""
    admission = await here.guest()
    made = await registered(here, admission, device, name)
    session = await here.found(admission)
    other = (await here.guest("Blackbeard")).session
    await make_token(here.directory, session, MakeToken(name="my bot", scopes=("read",)))
    await block(here.directory, session.player_id, other.player_id)
    await block(here.directory, other.player_id, session.player_id)
    told = ReportPlayer(key=uuid4(), player=other.player_id, text="he sank my boat")
    await report(here.directory, session.player_id, told)
    await subscribe(here.directory, session, Browser().subscription(ENDPOINT), private=False)
    await set_webhook(here.directory, session.player_id, HOOK, private=False)
    await make_device_code(here.directory, session, "https://play.example.org/device")
    await begin_registration(here.directory, PARTY, session, None)
    return admission, str(other.player_id), made.recovery_codes[0]


async def games_of(player_id: UUID) -> Raw:
    """What another part of the service knows about a player."""
    return Raw(msgspec.json.encode([{"game": "one", "player": player_id}]))


async def test_a_player_takes_everything_along(directory: Pool) -> None:
    here, name = world(directory), some_name()
    admission, other, code = await busy_player(here, Authenticator(ORIGIN), name)
    session = await here.found(admission)
    exported = await export_me(here.directory, session, {"games": games_of})
    text = msgspec.json.encode(exported)
    read = msgspec.json.decode(text)
    assert read["me"]["name"] == name
    assert [one["label"] for one in read["sessions"]] == ["Firefox on a ship"]
    assert [one["name"] for one in read["tokens"]] == ["my bot"]
    assert [one["label"] for one in read["passkeys"]] == ["my key"]
    assert [one["id"] for one in read["blocks"]] == [other]
    assert [one["text"] for one in read["reports"]] == ["he sank my boat"]
    assert [one["endpoint"] for one in read["browsers"]] == [ENDPOINT]
    assert read["webhook"]["url"] == HOOK
    assert read["elsewhere"] == {"games": [{"game": "one", "player": str(session.player_id)}]}
    assert code.encode() not in text
    assert name not in repr(exported)
    assert msgspec.json.decode(text, type=ExportMessage).me == exported.me


async def test_a_player_who_goes_is_forgotten(directory: Pool) -> None:
    here, device, name = world(directory), Authenticator(ORIGIN), some_name()
    admission, other, code = await busy_player(here, device, name)
    player_id = admission.session.player_id
    device_code = await make_device_code(here.directory, await here.found(admission), "https://x.org/")
    asked: list[UUID] = []

    async def also(connection: Connection, player_id: UUID) -> None:
        assert connection.is_in_transaction()
        asked.append(player_id)

    await delete_me(here.sessions, player_id, [also])
    assert asked == [player_id]
    kept = await everything_in(directory)
    for forgotten in (name, ENDPOINT, HOOK, "my bot", "my key"):
        assert forgotten not in kept
    assert kept.count("Firefox on a ship") == 1, "the other player's session stays"
    tables = "passkeys recovery_codes device_codes push webhooks challenges"
    for table in tables.split():
        count = f"SELECT count(*) FROM directory.{table}"  # noqa: S608 - names of our own tables
        assert await directory.fetchval(count) == 0, table
    assert await here.sessions.find(admission.token) is None
    assert admission.session.id in here.closed
    assert await blocked_by(here.directory, UUID(other)) == ()
    assert await problem_of(player(here.directory, player_id)) == "no_such_player"
    assert await problem_of(player_named(here.directory, name)) == "no_such_player"
    assert await problem_of(use_recovery_code(here.directory, code, BROWSER)) == "wrong_proof"
    assert await problem_of(redeem_device_code(here.directory, device_code.code, BROWSER)) == "wrong_proof"
    assert await problem_of(signed_in(here, device)) == "wrong_proof"
    assert await problem_of(delete_me(here.sessions, player_id)) == "no_such_player"
    row = await directory.fetchrow("SELECT * FROM directory.players WHERE player_id = $1", player_id)
    assert row is not None
    assert (row["name"], row["settings"], row["deleted_at"]) == ("deleted pirate", "{}", here.clock())


async def test_what_somebody_reported_still_waits_when_he_is_gone(directory: Pool) -> None:
    here = world(directory)
    admission, other, _ = await busy_player(here, Authenticator(ORIGIN), some_name())
    await delete_me(here.sessions, admission.session.player_id)
    (waiting,) = await open_reports(here.directory)
    assert (waiting.reporter.name, str(waiting.player.id)) == ("deleted pirate", other)


async def test_the_name_of_one_who_went_is_free_again(directory: Pool) -> None:
    here, name = world(directory), some_name()
    first, second = await here.guest(), await here.guest()
    await registered(here, first, Authenticator(ORIGIN), name)
    await delete_me(here.sessions, first.session.player_id)
    await registered(here, second, Authenticator(ORIGIN), name)
    assert (await player_named(here.directory, name)).id == second.session.player_id


async def test_if_another_part_cannot_forget_nothing_is_forgotten(directory: Pool) -> None:
    here, name = world(directory), some_name()
    admission = await here.guest()
    await registered(here, admission, Authenticator(ORIGIN), name)

    async def fails(_: Connection, player_id: UUID) -> None:
        raise LookupError(player_id)

    before = list(here.closed)
    with pytest.raises(LookupError):
        await delete_me(here.sessions, admission.session.player_id, [fails])
    assert (await here.found(admission)).name == name
    assert here.closed == before


async def test_a_guest_whom_nobody_can_be_any_more_is_erased_after_four_weeks(directory: Pool) -> None:
    here = world(directory)
    lost, left, token = [await here.guest(some_name()) for _ in range(3)]
    await make_token(here.directory, token.session, MakeToken(name="bot", scopes=("read",)))
    keeper = await here.guest(kept := some_name())
    await registered(here, keeper, Authenticator(ORIGIN))
    here.clock.after(days=62)
    await here.sessions.sign_out(left.session)
    here.clock.after(days=28)
    assert await erase_lost_guests(here.sessions, []) == 0
    here.clock.after(seconds=1)
    forgotten: list[UUID] = []

    async def also(_: Connection, player_id: UUID) -> None:
        forgotten.append(player_id)

    assert await erase_lost_guests(here.sessions, [also]) == 1
    here.clock.after(days=28)
    assert await erase_lost_guests(here.sessions, [also]) == 1
    assert forgotten == [left.session.player_id, lost.session.player_id]
    assert await erase_lost_guests(here.sessions, [also]) == 0
    held = await everything_in(directory)
    assert [name in held for name in (lost.session.name, left.session.name)] == [False, False]
    # Players with a token or a passkey may come back.
    assert [name in held for name in (token.session.name, kept)] == [True, True]


async def test_what_ran_out_is_swept_away_and_nothing_else(directory: Pool) -> None:
    here = world(directory)
    stays, goes, token = await here.guest(), await here.guest(), await here.guest()
    await make_token(here.directory, token.session, MakeToken(name="bot", scopes=("read",)))
    await subscribe(here.directory, goes.session, Browser().subscription(ENDPOINT), private=False)
    await begin_sign_in(here.directory, PARTY)
    await make_device_code(here.directory, stays.session, "https://x.org/")
    assert await sweep(here.directory) == 0
    here.clock.after(minutes=11)
    assert await sweep(here.directory) == 2
    here.clock.after(days=60)
    await here.found(stays)
    here.clock.after(days=59)
    await here.found(stays)
    assert await sweep(here.directory) == 0
    here.clock.after(days=2)
    assert await sweep(here.directory) == 2
    await here.found(stays)
    kinds = await directory.fetch("SELECT kind FROM directory.sessions ORDER BY kind")
    assert [row["kind"] for row in kinds] == ["cookie", "token"]
    assert await directory.fetchval("SELECT count(*) FROM directory.push") == 0
    await here.sessions.sign_out(stays.session)
    here.clock.after(days=31)
    assert await sweep(here.directory) == 1
