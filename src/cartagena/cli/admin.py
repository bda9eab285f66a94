"""`cartagena admin`: who runs this place, what was reported, who may only watch; on the directory itself."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime
from typing import Final, TypeVar
from uuid import UUID

import click
import msgspec

from cartagena.cli.style import JSON, CommandRefused, Task, Tasks, say, words
from cartagena.messages.accounts import MOST_BAN_DAYS, PlayerMessage, ReportMessage
from cartagena.rules.refusals import CartagenaError

try:
    import asyncpg

    from cartagena.server.accounts.directory import Directory
    from cartagena.server.accounts.moderation import ban, close_report, lift_ban, open_reports, set_admin
    from cartagena.server.accounts.players import me, player, player_named
    from cartagena.server.accounts.sessions.cache import SessionCache
    from cartagena.server.bus import open_bus
    from cartagena.server.bus.interface import Bus
    from cartagena.server.bus.messages import Closing
    from cartagena.server.http.streams.hub import REVOKED
    from cartagena.server.shared.settings import Nats, Settings
    from cartagena.server.store.databases import reach
    from cartagena.server.store.migrate import MigrationError, State, places_of, standing_of
    from cartagena.tables.errors import Problem, ServiceError
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None

PATIENCE: Final = 2.0
"""How many seconds the directory may take to appear; a person is waiting at a terminal."""
MOMENT: Final = "%Y-%m-%d %H:%M"

Answer = TypeVar("Answer")

WHO = click.argument("who")
"""A player: their name if they keep one, or their id."""


@click.group("admin", cls=Tasks, missing=MISSING)
def command() -> None:
    """Look after the players."""


@command.command("make", cls=Task, words_key="command.admin.make")
@WHO
def _make(who: str) -> None:
    """Give a player the rights of those who run this place."""
    say("admin.made", name=_run(lambda sessions: _set_admin(sessions, who, is_admin=True)).name)


@command.command("unmake", cls=Task, words_key="command.admin.unmake")
@WHO
def _unmake(who: str) -> None:
    """Take these rights away."""
    say("admin.unmade", name=_run(lambda sessions: _set_admin(sessions, who, is_admin=False)).name)


@command.command("ban", cls=Task, words_key="command.admin.ban")
@WHO
@click.argument("days", type=click.IntRange(1, MOST_BAN_DAYS))
def _ban(who: str, days: int) -> None:
    """Let a player only watch."""

    async def work(sessions: SessionCache) -> PlayerMessage:
        known = await _known(sessions, who)
        await ban(sessions, known.id, days)
        return known

    name = _run(work).name
    click.echo(words().count("admin.banned", days, name=name))


@command.command("lift", cls=Task, words_key="command.admin.lift")
@WHO
def _lift(who: str) -> None:
    """Let a banned player play again."""

    async def work(sessions: SessionCache) -> PlayerMessage:
        known = await _known(sessions, who)
        await lift_ban(sessions, known.id)
        return known

    say("admin.lifted", name=_run(work).name)


@command.command("signout", cls=Task, words_key="command.admin.signout")
@WHO
def _signout(who: str) -> None:
    """Sign a player out everywhere."""

    async def work(sessions: SessionCache) -> PlayerMessage:
        known = await _known(sessions, who)
        await sessions.revoke_all(known.id)
        return known

    say("admin.signed_out", name=_run(work).name)


@command.command("reports", cls=Task, words_key="command.admin.reports")
@JSON
def _reports(*, as_json: bool) -> None:
    """List the open reports of players."""
    reports = _run(_all_reports)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(reports), indent=2))
    elif not reports:
        say("admin.no_reports")
    for report in () if as_json else reports:
        click.echo("\n".join(_lines(report)))


@command.command("close", cls=Task, words_key="command.admin.close")
@click.argument("report", type=click.UUID)
@click.argument("admin")
@click.argument("verdict")
def _close(report: UUID, admin: str, verdict: str) -> None:
    """Write down what came of a report, and who says so."""

    async def work(sessions: SessionCache) -> None:
        judge = await me(sessions.directory, (await _known(sessions, admin)).id)
        if not judge.is_admin:
            raise CommandRefused("error.no_admin", name=judge.name)
        await close_report(sessions.directory, judge.id, report, verdict)

    _run(work)
    say("admin.closed", id=report)


def _run(work: "Callable[[SessionCache], Coroutine[None, None, Answer]]") -> Answer:
    """Run `work` with the settings of this environment; an error itself says what to do."""
    try:
        # Complaints about the bus must not stand in an answer that a program reads.
        with contextlib.redirect_stdout(sys.stderr):
            return asyncio.run(_with_sessions(Settings.read(os.environ), work))
    except ServiceError as error:
        raise CommandRefused("error.service", reason=error.sentence) from error
    except CartagenaError as error:
        raise CommandRefused("error.service", reason=error) from error


async def _with_sessions(
    settings: "Settings", work: "Callable[[SessionCache], Coroutine[None, None, Answer]]"
) -> Answer:
    async with _opened_directory(settings) as directory, _opened_bus(settings.nats) as bus:
        # Nodes that hear it forget the session and close its streams; others ask again within half a minute.
        done = await work(
            SessionCache(
                directory, on_close=lambda ended: bus.publish(Closing(session_id=ended, code=REVOKED))
            )
        )
        if bus.lost:
            say("admin.not_told")
        return done


@contextlib.asynccontextmanager
async def _opened_directory(settings: "Settings") -> "AsyncIterator[Directory]":
    """The directory alone: players can be looked after while a database of games is away."""
    place = places_of(settings)[0]
    standing = await standing_of(place, patience=PATIENCE)
    if standing.state is not State.CURRENT:
        raise MigrationError(str(standing))
    pool = await reach(place.dsn, lambda: _pool(place.dsn), variable=place.variable, patience=PATIENCE)
    async with pool:
        yield Directory(pool=pool, clock=lambda: datetime.now(UTC), chance=os.urandom)


async def _pool(dsn: str) -> "asyncpg.Pool":
    return await asyncpg.create_pool(
        dsn, min_size=1, max_size=2, server_settings={"application_name": "cartagena admin"}
    )


@contextlib.asynccontextmanager
async def _opened_bus(nats: "Nats | None") -> "AsyncIterator[Bus]":
    bus = (
        await open_bus(None)
        if nats is None
        else await open_bus(nats.url, tls=nats.trusted(), credentials=nats.credentials)
    )
    try:
        yield bus
    finally:
        await bus.close()


async def _known(sessions: "SessionCache", who: str) -> PlayerMessage:
    try:
        player_id = UUID(who)
    except ValueError:
        return await _named(sessions, who)
    return await player(sessions.directory, player_id)


async def _named(sessions: "SessionCache", name: str) -> PlayerMessage:
    try:
        return await player_named(sessions.directory, name)
    except ServiceError as error:
        if error.problem is not Problem.NO_SUCH_PLAYER:
            raise
        raise CommandRefused("error.no_named_player", name=name) from error


async def _set_admin(sessions: "SessionCache", who: str, *, is_admin: bool) -> PlayerMessage:
    known = await _known(sessions, who)
    if known.is_guest:
        raise CommandRefused("error.guest_admin", name=known.name)
    await set_admin(sessions, known.id, is_admin=is_admin)
    return known


async def _all_reports(sessions: "SessionCache") -> list[ReportMessage]:
    reports: list[ReportMessage] = []
    while page := await open_reports(sessions.directory, after=reports[-1].id if reports else None):
        reports.extend(page)
    return reports


def _lines(report: ReportMessage) -> list[str]:
    moment = datetime.fromtimestamp(report.created / 1000, UTC).strftime(MOMENT)
    about = words().say(
        "admin.report",
        id=report.id,
        moment=moment,
        reporter=report.reporter.name,
        player=report.player.name,
        player_id=report.player.id,
    )
    table = [] if report.table is None else [words().say("admin.at_table", table=report.table)]
    # What the table kept; no line of the reporter can look like it.
    said = [f"  > {_plain(report.said)}"] if report.said else []
    return [about, *table, *said, *(f"  | {_plain(line)}".rstrip() for line in report.text.splitlines())]


def _plain(line: str) -> str:
    """A line of a stranger without the blanks that would push words to the beginning of a new line."""
    return " ".join(line.split())
