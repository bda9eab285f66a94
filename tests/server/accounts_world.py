"""The directory as tests of accounts use it: a real database, a clock that is set by hand, real chance."""

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from asyncpg import Pool

from cartagena.endpoints.callers import Session
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.players import become_guest
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import Admission, Arrival, SessionKind
from cartagena.tables.errors import ServiceError

BROWSER = Arrival(kind=SessionKind.COOKIE, label="Firefox on a ship")
PROGRAM = Arrival(kind=SessionKind.BEARER, label="terminal")


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def after(self, **by: float) -> datetime:
        """Let time go by."""
        self.moment += timedelta(**by)
        return self.moment


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One node of the service, as far as accounts go."""

    directory: Directory
    sessions: SessionCache
    clock: HandClock
    closed: list[UUID] = field(default_factory=list)
    jar: dict[UUID, str] = field(default_factory=dict)
    """The newest token of each session that was given another, as a browser keeps its cookie."""

    async def guest(self, name: str | None = None) -> Admission:
        """A guest who came in with a browser."""
        return await become_guest(self.directory, name, BROWSER)

    async def found(self, admission: Admission) -> Session:
        """The session as the door sees it now."""
        token = self.jar.get(admission.session.id, admission.token)
        session = await self.sessions.find(token)
        assert session is not None
        return session

    def keep(self, renewed: Admission) -> None:
        """Keep the new token of a session."""
        self.jar[renewed.session.id] = renewed.token

    def another_node(self) -> SessionCache:
        """The door of another node of the same service."""
        return SessionCache(self.directory, on_close=lambda _: None)


def world(pool: Pool) -> World:
    """A service with a clock that is set by hand."""
    clock = HandClock()
    directory = Directory(pool=pool, clock=clock, chance=secrets.token_bytes)
    closed: list[UUID] = []
    sessions = SessionCache(directory, on_close=closed.append)
    return World(directory=directory, sessions=sessions, clock=clock, closed=closed)


def some_name() -> str:
    """A name that nobody else in the database has."""
    return f"Mate {secrets.token_hex(6)}"


async def everything_in(pool: Pool) -> str:
    """All that the directory holds, as text: what a thief of the database would read."""
    tables = await pool.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'directory'")
    assert len(tables) >= 10
    rows = [
        str(row["line"])
        for table in tables
        for row in await pool.fetch(f"SELECT t::text AS line FROM directory.{table['tablename']} AS t")  # noqa: S608 - names of our own tables
    ]
    return "\n".join(rows)


async def problem_of(doing: object) -> str:
    """The code of the problem with which `doing` is refused; fails if it is not refused."""
    try:
        await doing  # type: ignore[misc]  # any awaitable will do
    except ServiceError as error:
        return error.problem.code
    raise AssertionError("nothing was refused")
