"""Players, guests among them: who they are, and what they may change about themselves."""

from itertools import count
from typing import Final
from uuid import UUID

import msgspec
from asyncpg import Record, UniqueViolationError

from cartagena.messages.accounts import ChangeMe, MeMessage, PlayerMessage, Setting
from cartagena.server.accounts.directory import Connection, Directory
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import Admission, Arrival, admit
from cartagena.server.shared.moments import milliseconds, milliseconds_or_none
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import clean_name, name_key, new_name, pirate_name

LARGEST_SETTINGS: Final = 2_000
"""Bytes of JSON."""

INSERT: Final = """
INSERT INTO directory.players (player_id, name, name_key, is_guest, created_at) VALUES ($1, $2, $3, true, $4)
"""

IS_BOT: Final = "EXISTS (SELECT FROM directory.bots WHERE bot_id = player_id) AS is_bot"
"""A column for rows of players, read by `player_message`."""

FIND: Final = f"""
SELECT player_id, name, is_guest, created_at, {IS_BOT} FROM directory.players
WHERE player_id = $1 AND deleted_at IS NULL
"""  # noqa: S608  # our own column

FIND_NAMED: Final = f"""
SELECT player_id, name, is_guest, created_at, {IS_BOT} FROM directory.players
WHERE name_key = $1 AND NOT is_guest AND deleted_at IS NULL
"""  # noqa: S608  # our own column

ME: Final = f"""
SELECT player_id, name, is_guest, is_admin, created_at, settings, open_data, {IS_BOT},
       CASE WHEN banned_until > $2 THEN banned_until END AS banned_until,
       (SELECT count(*) FROM directory.passkeys WHERE passkeys.player_id = $1) AS passkeys,
       (SELECT count(*) FROM directory.recovery_codes WHERE recovery_codes.player_id = $1) AS recovery_codes,
       EXISTS (SELECT FROM directory.club_links WHERE club_links.player_id = $1) AS club,
       EXISTS (SELECT FROM directory.webhooks WHERE webhooks.player_id = $1) AS webhook
FROM directory.players WHERE player_id = $1 AND deleted_at IS NULL
"""  # noqa: S608  # our own column

IS_KEPT: Final = """
SELECT EXISTS (
    SELECT FROM directory.players
    WHERE name_key = $1 AND NOT is_guest AND deleted_at IS NULL AND player_id <> $2
)
"""

RENAME: Final = """
UPDATE directory.players SET name = $2, name_key = $3 WHERE player_id = $1 AND deleted_at IS NULL
RETURNING player_id
"""

KEEP_NAME: Final = """
UPDATE directory.players SET name = $2, name_key = $3, is_guest = false WHERE player_id = $1
"""

SET_SETTINGS: Final = """
UPDATE directory.players SET settings = $2 WHERE player_id = $1 AND deleted_at IS NULL RETURNING player_id
"""


SET_OPEN_DATA: Final = """
UPDATE directory.players SET open_data = $2 WHERE player_id = $1 AND deleted_at IS NULL RETURNING player_id
"""


def player_message(row: Record) -> PlayerMessage:
    """What everybody may know of the player in a row."""
    return PlayerMessage(
        id=row["player_id"],
        name=row["name"],
        is_guest=row["is_guest"],
        created=milliseconds(row["created_at"]),
        is_bot=row["is_bot"],
    )


async def player(directory: Directory, player_id: UUID) -> PlayerMessage:
    """A player by id; raises NO_SUCH_PLAYER."""
    row = await directory.pool.fetchrow(FIND, player_id)
    if row is None:
        raise no_such_player()
    return player_message(row)


async def player_named(directory: Directory, name: str) -> PlayerMessage:
    """The one player who keeps a name, however it is written; raises NO_SUCH_PLAYER."""
    row = await directory.pool.fetchrow(FIND_NAMED, name_key(clean_name(name)))
    if row is None:
        raise no_such_player()
    return player_message(row)


async def me(directory: Directory, player_id: UUID) -> MeMessage:
    """What a player may know about themselves; raises NO_SUCH_PLAYER."""
    row = await directory.pool.fetchrow(ME, player_id, directory.clock())
    if row is None:
        raise no_such_player()
    return MeMessage(
        id=row["player_id"],
        name=row["name"],
        is_guest=row["is_guest"],
        is_admin=row["is_admin"],
        created=milliseconds(row["created_at"]),
        banned_until=milliseconds_or_none(row["banned_until"]),
        settings=msgspec.json.decode(row["settings"], type=dict[str, Setting]),
        passkeys=row["passkeys"],
        recovery_codes=row["recovery_codes"],
        webhook=row["webhook"],
        club=row["club"],
        open_data=row["open_data"],
        is_bot=row["is_bot"],
    )


async def change_me(sessions: SessionCache, player_id: UUID, change: ChangeMe) -> MeMessage:
    """Change a player's name, settings or consent; raises UNFIT, NAME_TAKEN."""
    name = None if change.name is None else new_name(change.name)
    settings = None if change.settings is None else settings_text(change.settings)
    async with sessions.directory.pool.acquire() as connection, connection.transaction():
        if name is not None:
            await _rename(connection, player_id, name)
        if settings is not None:
            await connection.fetchval(SET_SETTINGS, player_id, settings)
        if change.open_data is not None:
            await connection.fetchval(SET_OPEN_DATA, player_id, change.open_data)
    sessions.forget_player(player_id)
    return await me(sessions.directory, player_id)


def settings_text(settings: dict[str, Setting]) -> str:
    """Settings as they are stored; raises UNFIT if they are too large."""
    text = msgspec.json.encode(settings).decode()
    # PostgreSQL stores no NUL in its texts.
    if len(text.encode()) > LARGEST_SETTINGS or "\\u0000" in text:
        raise ServiceError(Problem.UNFIT, f"settings are at most {LARGEST_SETTINGS} bytes of plain JSON")
    return text


async def is_kept(connection: Connection, name: str, *, besides: UUID) -> bool:
    """Whether a player other than `besides` keeps a name, however it is written."""
    kept: bool = await connection.fetchval(IS_KEPT, name_key(name), besides)
    return kept


async def _rename(connection: Connection, player_id: UUID, name: str) -> None:
    # Guests may share a name, so the unique index covers only players who keep theirs.
    if await is_kept(connection, name, besides=player_id):
        raise name_taken()
    try:
        await connection.fetchval(RENAME, player_id, name, name_key(name))
    except UniqueViolationError as error:
        raise name_taken() from error


async def keep_name(connection: Connection, player_id: UUID, name: str) -> None:
    """Turn a guest into the one player of a name; raises NAME_TAKEN."""
    try:
        await connection.execute(KEEP_NAME, player_id, name, name_key(name))
    except UniqueViolationError as error:
        raise name_taken() from error


def name_taken() -> ServiceError:
    """The refusal of a name that another player keeps."""
    return ServiceError(Problem.NAME_TAKEN, "another player has this name")


def no_such_player() -> ServiceError:
    """The refusal of an id or a name that no player has."""
    return ServiceError(Problem.NO_SUCH_PLAYER, "there is no such player")


DRAWS: Final = 10
"""How many pirates' names are drawn before one gets a number."""


async def become_guest(directory: Directory, name: str | None, arrival: Arrival) -> Admission:
    """Let in a guest, by a name of their own or a pirate's; raises UNFIT, NAME_TAKEN.

    Guests may share a name, but not with a player who keeps theirs.
    """
    wanted = None if name is None else new_name(name)
    player_id = directory.new_id()
    async with directory.pool.acquire() as connection, connection.transaction():
        if wanted is not None and await is_kept(connection, wanted, besides=player_id):
            raise name_taken()
        chosen = wanted or await _pirate_nobody_is(directory, connection, player_id)
        await connection.execute(INSERT, player_id, chosen, name_key(chosen), directory.clock())
        return await admit(directory, connection, player_id, arrival)


async def _pirate_nobody_is(directory: Directory, connection: Connection, player_id: UUID) -> str:
    """A pirate's name that no player keeps."""
    for draw in count(1):
        drawn = pirate_name(directory.chance)
        name = drawn if draw <= DRAWS else f"{drawn} {draw - DRAWS + 1}"
        if not await is_kept(connection, name, besides=player_id):
            return name
    raise AssertionError("numbers do not end")
