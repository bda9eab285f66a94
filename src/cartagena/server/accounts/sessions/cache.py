"""The door: which player a token belongs to, asked with every request."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from asyncpg import Record
from msgspec import Struct

from cartagena.endpoints.callers import Session
from cartagena.server.accounts.directory import Directory, player_locked
from cartagena.server.accounts.sessions.tokens import (
    FIND,
    HAS_OWNER,
    LIFETIME,
    hash_of,
    is_token,
    session_of,
)
from cartagena.server.shared.single_flight import Together
from cartagena.tables.errors import Problem, ServiceError

KEEP: Final = timedelta(seconds=30)
MOST_KEPT: Final = 10_000
SEEN_EVERY: Final = timedelta(hours=1)

SEEN: Final = """
UPDATE directory.sessions
SET seen_at = $2, expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE $3::timestamptz END
WHERE session_id = $1 AND seen_at <= $4
"""

# A browser that is signed out gets no more notices.
REVOKE: Final = """
WITH revoked AS (
    UPDATE directory.sessions SET revoked_at = $2
    WHERE player_id = $1 AND revoked_at IS NULL AND session_id = $3
    RETURNING session_id
), silenced AS (
    DELETE FROM directory.push USING revoked WHERE push.session_id = revoked.session_id
)
SELECT session_id FROM revoked
"""

REVOKE_OTHERS: Final = """
WITH revoked AS (
    UPDATE directory.sessions SET revoked_at = $2
    WHERE player_id = $1 AND revoked_at IS NULL AND session_id <> $3 AND kind <> 'token'
    RETURNING session_id
), silenced AS (
    DELETE FROM directory.push USING revoked WHERE push.session_id = revoked.session_id
)
SELECT session_id FROM revoked
"""

# A player and their bots.
_WITH_BOTS: Final = """
(player_id = $1 OR player_id IN (SELECT bot_id FROM directory.bots WHERE owner_id = $1))
"""

REVOKE_ALL: Final = f"""
WITH revoked AS (
    UPDATE directory.sessions SET revoked_at = $2 WHERE {_WITH_BOTS} AND revoked_at IS NULL
    RETURNING session_id
), silenced AS (
    DELETE FROM directory.push USING revoked WHERE push.session_id = revoked.session_id
)
SELECT session_id FROM revoked
"""  # noqa: S608  # our own condition

DROP_CODES: Final = "DELETE FROM directory.device_codes WHERE player_id = $1"

ENDED: Final = f"""
SELECT asked FROM unnest($1::uuid[]) AS asked WHERE NOT EXISTS (
    SELECT FROM directory.sessions JOIN directory.players USING (player_id)
    WHERE session_id = asked AND revoked_at IS NULL AND deleted_at IS NULL
      AND (expires_at IS NULL OR expires_at > $2) AND {HAS_OWNER}
)
"""  # noqa: S608  # our own condition

LIVE: Final = f"SELECT session_id FROM directory.sessions WHERE {_WITH_BOTS} AND revoked_at IS NULL"  # noqa: S608


class _Kept(Struct, frozen=True, kw_only=True):
    session: Session
    until: datetime


class SessionCache:
    """Finds sessions by their tokens and ends them; remembers what it found for a short time.

    `on_close` is called with the id of every session that ended or changed its scopes, so that other
    nodes forget it (`forget`) and its streams are closed.
    """

    def __init__(
        self,
        directory: Directory,
        *,
        on_close: Callable[[UUID], None],
        keep: timedelta = KEEP,
        most: int = MOST_KEPT,
    ) -> None:
        self.directory = directory
        self._rows = Together(self._read_rows)
        self._on_close = on_close
        self._keep = keep
        self._most = most
        self._kept: dict[bytes, _Kept] = {}
        self._hashes: dict[UUID, bytes] = {}
        self._changes = 0

    async def find(self, token: str) -> Session | None:
        """The session of a token; None if there is none, or it has ended."""
        if not is_token(token):
            return None
        token_hash = hash_of(token)
        now = self.directory.clock()
        kept = self._kept.get(token_hash)
        if kept is not None and now < kept.until:
            return kept.session
        return await self._read(token_hash, now)

    async def _read(self, token_hash: bytes, now: datetime) -> Session | None:
        changes = self._changes
        row = (await self._rows.ask(None, token_hash)).get(token_hash)
        if row is None:
            self._lose(token_hash)
            return None
        if now - row["seen_at"] >= SEEN_EVERY:
            await self.directory.pool.execute(SEEN, row["session_id"], now, now + LIFETIME, now - SEEN_EVERY)
        session = session_of(row, now)
        # A session that was revoked while we read must not be remembered: the row is older than the news.
        if changes == self._changes:
            self._remember(session, self._until(row, now))
        return session

    async def _read_rows(self, _: None, hashes: list[bytes]) -> dict[bytes, Record]:
        """Read all sessions that are looked for at the same moment: after a restart there are thousands."""
        rows = await self.directory.pool.fetch(FIND, hashes, self.directory.clock())
        return {row["token_hash"]: row for row in rows}

    def _until(self, row: Record, now: datetime) -> datetime:
        moments = (now + self._keep, row["expires_at"], row["banned_until"])
        return min(moment for moment in moments if moment is not None and moment > now)

    def _remember(self, session: Session, until: datetime) -> None:
        self._lose(session.token_hash)
        if len(self._kept) >= self._most:
            self._lose(next(iter(self._kept)))
        self._kept[session.token_hash] = _Kept(session=session, until=until)
        self._hashes[session.id] = session.token_hash

    def _lose(self, token_hash: bytes) -> None:
        kept = self._kept.pop(token_hash, None)
        if kept is not None:
            del self._hashes[kept.session.id]

    def forget(self, session_id: UUID) -> None:
        """Ask the database before believing this session again; for news from other nodes."""
        self._changes += 1
        token_hash = self._hashes.get(session_id)
        if token_hash is not None:
            self._lose(token_hash)

    def forget_player(self, player_id: UUID) -> None:
        """Forget every session of a player, because the player's name or rights have changed."""
        self._changes += 1
        for kept in list(self._kept.values()):
            if kept.session.player_id == player_id:
                self._lose(kept.session.token_hash)

    def close(self, session_id: UUID) -> None:
        """Forget a session here and let every other node know."""
        self.forget(session_id)
        self._on_close(session_id)

    async def ended_among(self, session_ids: Collection[UUID]) -> set[UUID]:
        """Which of these sessions have ended, according to the database; they are forgotten here."""
        rows = await self.directory.pool.fetch(ENDED, session_ids, self.directory.clock())
        ended = {row["asked"] for row in rows}
        for session_id in ended:
            self.forget(session_id)
        return ended

    async def close_player(self, player_id: UUID) -> None:
        """Close the sessions of a player and their bots without ending them: each is read again."""
        self.forget_player(player_id)
        for row in await self.directory.pool.fetch(LIVE, player_id):
            self.close(row["session_id"])

    async def revoke(self, player_id: UUID, session_id: UUID) -> None:
        """End one session or personal token of a player; raises NO_SUCH_THING if no such id is theirs."""
        if not await self._revoke(REVOKE, player_id, session_id):
            raise ServiceError(Problem.NO_SUCH_THING, "you have no such session")

    async def revoke_others(self, session: Session) -> int:
        """Sign a player out everywhere else and return from how many places; personal tokens stay.

        A code for another device becomes worthless: an intruder may have made one.
        Raises NO_SUCH_PLAYER.
        """
        directory, player_id = self.directory, session.player_id
        async with player_locked(directory, player_id) as connection:
            # First: a sign-in by the code that is under way is waited for, and signed out with the others.
            await connection.execute(DROP_CODES, player_id)
            rows = await connection.fetch(REVOKE_OTHERS, player_id, directory.clock(), session.id)
        return self._closed(rows)

    async def revoke_all(self, player_id: UUID) -> int:
        """Sign a player out everywhere and return from how many places; tokens, bots and codes end too.

        For administrators: the player comes back by a passkey, a recovery code or the club.
        Raises NO_SUCH_PLAYER.
        """
        directory = self.directory
        async with player_locked(directory, player_id) as connection:
            await connection.execute(DROP_CODES, player_id)
            rows = await connection.fetch(REVOKE_ALL, player_id, directory.clock())
        return self._closed(rows)

    async def sign_out(self, session: Session) -> None:
        """End the session of a request; ending it twice does no harm."""
        await self._revoke(REVOKE, session.player_id, session.id)

    async def _revoke(self, statement: str, player_id: UUID, session_id: UUID) -> int:
        now = self.directory.clock()
        return self._closed(await self.directory.pool.fetch(statement, player_id, now, session_id))

    def _closed(self, rows: Sequence[Record]) -> int:
        for row in rows:
            self.close(row["session_id"])
        return len(rows)
