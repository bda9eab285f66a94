"""Accounts of bots: made by a named player, played by a program of theirs, and gone with their owner."""

from typing import Final
from uuid import UUID

from asyncpg import Pool, Record, UniqueViolationError

from cartagena.endpoints.callers import Scope, Session
from cartagena.messages.accounts import (
    LONGEST_ENGINE,
    BotMessage,
    BotsMessage,
    BotTokenMessage,
    MakeBot,
)
from cartagena.messages.lobby import BotCardMessage
from cartagena.server.accounts.directory import Connection, Directory, player_locked
from cartagena.server.accounts.players import name_taken
from cartagena.server.accounts.sessions.cache import REVOKE_ALL, SessionCache
from cartagena.server.accounts.sessions.tokens import Arrival, SessionKind, admit, require_in_person
from cartagena.server.shared.moments import milliseconds, milliseconds_or_none
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import name_key, new_name, short_text

MOST_BOTS: Final = 5
"""The most bots of one owner."""

OF_BOTS: Final = frozenset({Scope.READ, Scope.PLAY})
"""What a bot may do. Whatever only a person may do needs `Scope.ACCOUNT`, which no token of a bot has."""

TOKEN_LABEL: Final = "bot"  # noqa: S105 - a word, not a token

INSERT: Final = """
INSERT INTO directory.players (player_id, name, name_key, is_guest, created_at) VALUES ($1, $2, $3, false, $4)
"""

INSERT_BOT: Final = "INSERT INTO directory.bots (bot_id, owner_id, engine) VALUES ($1, $2, $3)"

COUNT: Final = "SELECT count(*) FROM directory.bots WHERE owner_id = $1"

# In one order, after the owner, so that no two transactions wait for each other.
LOCK_BOTS: Final = """
SELECT bot_id FROM directory.bots JOIN directory.players ON player_id = bot_id
WHERE owner_id = $1 AND ($2::uuid IS NULL OR bot_id = $2) AND deleted_at IS NULL
ORDER BY bot_id FOR NO KEY UPDATE OF players
"""

LIST: Final = """
SELECT bot_id, name, engine, created_at, (
    SELECT max(seen_at) FROM directory.sessions WHERE sessions.player_id = bot_id AND revoked_at IS NULL
) AS seen_at
FROM directory.bots JOIN directory.players ON players.player_id = bot_id
WHERE owner_id = $1 AND ($2::uuid IS NULL OR bot_id = $2)
ORDER BY bot_id DESC
"""

CARD: Final = """
SELECT engine, owner_id, name FROM directory.bots JOIN directory.players ON players.player_id = owner_id
WHERE bot_id = $1
"""


async def bots_of(directory: Directory, owner_id: UUID) -> BotsMessage:
    """A player's bots, the newest first."""
    rows = await directory.pool.fetch(LIST, owner_id, None)
    return BotsMessage(bots=tuple(map(_message, rows)), most=MOST_BOTS)


async def bots_locked(connection: Connection, owner_id: UUID) -> list[UUID]:
    """Lock the bots of a player who is locked already, and return their ids."""
    return [row["bot_id"] for row in await connection.fetch(LOCK_BOTS, owner_id, None)]


async def lock_bot(connection: Connection, owner_id: UUID, bot_id: UUID) -> None:
    """Lock one bot of a player who is locked already; raises NO_SUCH_PLAYER unless it is this player's."""
    if await connection.fetchval(LOCK_BOTS, owner_id, bot_id) is None:
        raise ServiceError(Problem.NO_SUCH_PLAYER, "you have no such bot")


async def bot_card(pool: Pool, player_id: UUID) -> BotCardMessage | None:
    """What everybody may know of a bot besides its name; None for the account of a person."""
    row = await pool.fetchrow(CARD, player_id)
    if row is None:
        return None
    return BotCardMessage(engine=row["engine"], owner=row["owner_id"], owner_name=row["name"])


async def make_bot(directory: Directory, session: Session, wanted: MakeBot) -> BotTokenMessage:
    """Make a bot and its token; raises NEEDS_ACCOUNT, FORBIDDEN, UNFIT, NAME_TAKEN."""
    if session.is_guest:
        raise ServiceError(Problem.NEEDS_ACCOUNT, "keep your name first: a bot belongs to a named player")
    name, engine = new_name(wanted.name), short_text(wanted.engine, LONGEST_ENGINE)
    if not engine:
        raise ServiceError(Problem.UNFIT, "say in a word or two what plays")
    bot_id = directory.new_id()
    async with player_locked(directory, session.player_id) as connection:
        # Inside the transaction: a session that is being ended makes nothing that outlives it.
        await require_in_person(connection, session)
        if await connection.fetchval(COUNT, session.player_id) >= MOST_BOTS:
            raise ServiceError(Problem.UNFIT, f"a player has at most {MOST_BOTS} bots: delete one")
        try:
            await connection.execute(INSERT, bot_id, name, name_key(name), directory.clock())
        except UniqueViolationError as error:
            raise name_taken() from error
        await connection.execute(INSERT_BOT, bot_id, session.player_id, engine)
        return await _new_token(directory, connection, session.player_id, bot_id)


async def renew_bot_token(sessions: SessionCache, session: Session, bot_id: UUID) -> BotTokenMessage:
    """Give a bot another token; the old one ends, with its streams. Raises NO_SUCH_PLAYER, FORBIDDEN."""
    directory = sessions.directory
    async with player_locked(directory, session.player_id) as connection:
        await require_in_person(connection, session)
        await lock_bot(connection, session.player_id, bot_id)
        ended = await connection.fetch(REVOKE_ALL, bot_id, directory.clock())
        made = await _new_token(directory, connection, session.player_id, bot_id)
    for row in ended:
        sessions.close(row["session_id"])
    return made


async def _new_token(
    directory: Directory, connection: Connection, owner_id: UUID, bot_id: UUID
) -> BotTokenMessage:
    arrival = Arrival(kind=SessionKind.TOKEN, label=TOKEN_LABEL)
    made = await admit(directory, connection, bot_id, arrival, scopes=OF_BOTS)
    row = await connection.fetchrow(LIST, owner_id, bot_id)
    assert row is not None, "the bot of this owner"
    return BotTokenMessage(token=made.token, bot=_message(row))


def _message(row: Record) -> BotMessage:
    return BotMessage(
        id=row["bot_id"],
        name=row["name"],
        engine=row["engine"],
        created=milliseconds(row["created_at"]),
        seen=milliseconds_or_none(row["seen_at"]),
    )
