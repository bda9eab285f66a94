"""Moderation: what a player reports to the administrators, and what they may do about a player."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final
from uuid import UUID

from asyncpg import ForeignKeyViolationError, Record
from msgspec.structs import replace

from cartagena.messages.accounts import (
    LONGEST_REPORT,
    MOST_BAN_DAYS,
    PlayerMessage,
    ReportMessage,
    ReportPlayer,
)
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.players import IS_BOT, no_such_player, player_message
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.shared.moments import milliseconds, milliseconds_or_none
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import long_text

# Blocks: two players who keep out of each other's way.

MOST_BLOCKS: Final = 1_000

BLOCK: Final = """
INSERT INTO directory.blocks (blocker_id, blocked_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""

DELETE: Final = "DELETE FROM directory.blocks WHERE blocker_id = $1 AND blocked_id = $2"
COUNT_BLOCKS: Final = "SELECT count(*) FROM directory.blocks WHERE blocker_id = $1"

LIST: Final = f"""
SELECT player_id, name, is_guest, created_at, {IS_BOT}
FROM directory.blocks JOIN directory.players ON player_id = blocked_id
WHERE blocker_id = $1
ORDER BY at DESC, player_id
"""  # noqa: S608  # our own column

# A bot is kept away with its owner: else an owner who is blocked could follow as a bot.
AMONG: Final = """
WITH own (id) AS (
    SELECT $1::uuid UNION ALL SELECT owner_id FROM directory.bots WHERE bot_id = $1
), others (other, id) AS (
    SELECT other, other FROM unnest($2::uuid[]) AS other
    UNION ALL
    SELECT bot_id, owner_id FROM directory.bots WHERE bot_id = ANY($2)
)
SELECT other FROM own JOIN directory.blocks ON blocker_id = own.id JOIN others ON blocked_id = others.id
UNION
SELECT other FROM own JOIN directory.blocks ON blocked_id = own.id JOIN others ON blocker_id = others.id
"""


# A person is an owner with all their bots.
IS_AMONG: Final = """
SELECT EXISTS (
    SELECT FROM unnest($2::uuid[]) AS other LEFT JOIN directory.bots ON bot_id = other
    WHERE coalesce(owner_id, other)
        = coalesce((SELECT owner_id FROM directory.bots WHERE bot_id = $1), $1::uuid)
)
"""


async def block(directory: Directory, player_id: UUID, other_id: UUID) -> None:
    """Block a player; doing it twice does no harm. Raises UNFIT, NO_SUCH_PLAYER."""
    if player_id == other_id:
        raise ServiceError(Problem.UNFIT, "you cannot get out of your own way")
    async with player_locked(directory, player_id) as connection:
        if await connection.fetchval(COUNT_BLOCKS, player_id) >= MOST_BLOCKS:
            raise ServiceError(Problem.UNFIT, f"a player blocks at most {MOST_BLOCKS} others")
        try:
            await connection.execute(BLOCK, player_id, other_id, directory.clock())
        except ForeignKeyViolationError as error:
            raise no_such_player() from error


async def unblock(directory: Directory, player_id: UUID, other_id: UUID) -> None:
    """Remove a block; does nothing if there is none."""
    await directory.pool.execute(DELETE, player_id, other_id)


async def blocked_by(directory: Directory, player_id: UUID) -> tuple[PlayerMessage, ...]:
    """The players whom a player blocked, the latest first."""
    return tuple(map(player_message, await directory.pool.fetch(LIST, player_id)))


async def blocked_among(directory: Directory, player_id: UUID, others: Iterable[UUID]) -> frozenset[UUID]:
    """Those of the others whom a player has blocked, or who have blocked the player.

    What stands between an owner and somebody stands between that owner's bots and them too.
    """
    rows = await directory.pool.fetch(AMONG, player_id, list(others))
    return frozenset(row["other"] for row in rows)


async def is_person_among(directory: Directory, player_id: UUID, others: Iterable[UUID]) -> bool:
    """Whether one of the others is the same person: the player, their owner, or a bot of the same owner."""
    return bool(await directory.pool.fetchval(IS_AMONG, player_id, list(others)))


MOST_A_DAY: Final = 20
DAY: Final = timedelta(days=1)
PAGE: Final = 100

INSERT: Final = """
INSERT INTO directory.reports
    (report_id, reporter_id, subject_id, table_id, text, key, created_at, line, said)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""

KNOWN: Final = "SELECT report_id FROM directory.reports WHERE reporter_id = $1 AND key = $2"
COUNT: Final = "SELECT count(*) FROM directory.reports WHERE reporter_id = $1 AND created_at > $2"

_COLUMNS: Final = """
SELECT report_id, table_id, text, reports.created_at, closed_at, verdict, line, said,
       reporter.player_id AS reporter_id, reporter.name AS reporter_name,
       reporter.is_guest AS reporter_is_guest, reporter.created_at AS reporter_created_at,
       subject.player_id AS subject_id, subject.name AS subject_name,
       subject.is_guest AS subject_is_guest, subject.created_at AS subject_created_at,
       EXISTS (SELECT FROM directory.bots WHERE bot_id = reporter_id) AS reporter_is_bot,
       EXISTS (SELECT FROM directory.bots WHERE bot_id = subject_id) AS subject_is_bot
FROM directory.reports
JOIN directory.players AS reporter ON reporter.player_id = reporter_id
JOIN directory.players AS subject ON subject.player_id = subject_id
"""

OPEN: Final = _COLUMNS + "WHERE closed_at IS NULL AND report_id > $1 ORDER BY report_id LIMIT $2"
BY_REPORTER: Final = _COLUMNS + "WHERE reporter_id = $1 ORDER BY report_id"

CLOSE: Final = """
UPDATE directory.reports SET closed_at = $2, closed_by = $3, verdict = $4
WHERE report_id = $1 AND closed_at IS NULL
RETURNING report_id
"""


async def report(
    directory: Directory, reporter_id: UUID, told: ReportPlayer, said: str | None = None
) -> UUID:
    """Accept a report; a repeated key counts once. Raises UNFIT, NO_SUCH_PLAYER, TOO_MANY.

    `said` is the line of chat that it is about, as it is now.
    """
    text = long_text(told.text, LONGEST_REPORT)
    if told.player == reporter_id:
        raise ServiceError(Problem.UNFIT, "report somebody else")
    now = directory.clock()
    async with player_locked(directory, reporter_id) as connection:
        # UUID: the driver does not know the type of a query's value.
        known: UUID | None = await connection.fetchval(KNOWN, reporter_id, told.key)
        if known is not None:
            return known
        if await connection.fetchval(COUNT, reporter_id, now - DAY) >= MOST_A_DAY:
            raise ServiceError(
                Problem.TOO_MANY, "that is enough for one day", retry_after=int(DAY.total_seconds())
            )
        report_id = directory.new_id()
        row = (report_id, reporter_id, told.player, told.table, text, told.key, now, told.line, said)
        try:
            await connection.execute(INSERT, *row)
        except ForeignKeyViolationError as error:
            raise no_such_player() from error
    return report_id


async def open_reports(directory: Directory, *, after: UUID | None = None) -> tuple[ReportMessage, ...]:
    """The open reports, the oldest first, a hundred at a time."""
    rows = await directory.pool.fetch(OPEN, after or UUID(int=0), PAGE)
    return tuple(map(_message, rows))


async def reports_by(directory: Directory, reporter_id: UUID) -> tuple[ReportMessage, ...]:
    """What a player reported, without the words of others: those may have been removed since."""
    rows = await directory.pool.fetch(BY_REPORTER, reporter_id)
    return tuple(replace(_message(row), said=None) for row in rows)


async def close_report(directory: Directory, admin_id: UUID, report_id: UUID, verdict: str) -> None:
    """Record what came of a report; raises NO_SUCH_THING if no open report has that id."""
    text = long_text(verdict, LONGEST_REPORT)
    if await directory.pool.fetchval(CLOSE, report_id, directory.clock(), admin_id, text) is None:
        raise ServiceError(Problem.NO_SUCH_THING, "no such report is open")


def _message(row: Record) -> ReportMessage:
    return ReportMessage(
        id=row["report_id"],
        reporter=_player(row, "reporter"),
        player=_player(row, "subject"),
        table=row["table_id"],
        text=row["text"],
        created=milliseconds(row["created_at"]),
        closed=milliseconds_or_none(row["closed_at"]),
        verdict=row["verdict"],
        line=row["line"],
        said=row["said"],
    )


def _player(row: Record, role: str) -> PlayerMessage:
    return PlayerMessage(
        id=row[f"{role}_id"],
        name=row[f"{role}_name"],
        is_guest=row[f"{role}_is_guest"],
        created=milliseconds(row[f"{role}_created_at"]),
        is_bot=row[f"{role}_is_bot"],
    )


SET_BAN: Final = """
UPDATE directory.players SET banned_until = $2 WHERE player_id = $1 AND deleted_at IS NULL
RETURNING player_id
"""

SET_ADMIN: Final = """
UPDATE directory.players SET is_admin = $2 WHERE player_id = $1 AND deleted_at IS NULL AND NOT is_guest
  AND NOT EXISTS (SELECT FROM directory.bots WHERE bot_id = $1)
RETURNING player_id
"""


async def ban(sessions: SessionCache, player_id: UUID, days: int) -> None:
    """Let a player only watch, and manage their account, for `days`; their bots too.

    Raises UNFIT, NO_SUCH_PLAYER.

    Their sessions are closed, so that a table where they sit learns of it at once.
    """
    if not 1 <= days <= MOST_BAN_DAYS:
        raise ServiceError(Problem.UNFIT, f"a ban lasts 1 to {MOST_BAN_DAYS} days")
    until = sessions.directory.clock() + timedelta(days=days)
    if await sessions.directory.pool.fetchval(SET_BAN, player_id, until) is None:
        raise no_such_player()
    await sessions.close_player(player_id)


async def lift_ban(sessions: SessionCache, player_id: UUID) -> None:
    """Let a banned player play again; raises NO_SUCH_PLAYER."""
    if await sessions.directory.pool.fetchval(SET_BAN, player_id, None) is None:
        raise no_such_player()
    await sessions.close_player(player_id)


async def set_admin(sessions: SessionCache, player_id: UUID, *, is_admin: bool) -> None:
    """Make a named player an administrator, or no longer one; raises NO_SUCH_PLAYER."""
    if await sessions.directory.pool.fetchval(SET_ADMIN, player_id, is_admin) is None:
        raise no_such_player()
    await sessions.close_player(player_id)
