"""Links: which player a person of the club's provider is here."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from asyncpg import UniqueViolationError

from cartagena.messages.accounts import ClubLinkMessage
from cartagena.server.accounts.club.id_tokens import Person
from cartagena.server.accounts.directory import LOCK_PLAYER, Connection, Directory
from cartagena.server.accounts.names import LONGEST_NAME, clean_name, name_key, pirate_name
from cartagena.server.accounts.players import FIND, INSERT, keep_name, no_such_player
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.timestamps import milliseconds

NUMBERED: Final = 9
"""How many people may share a name, told apart by numbers; the next gets a pirate's name."""
PIRATES: Final = 20

# Two browsers of one newcomer must not make two players.
ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))"

USE: Final = """
UPDATE directory.club_links SET used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING player_id
"""

LINK: Final = """
INSERT INTO directory.club_links (issuer, subject, player_id, created_at, used_at) VALUES ($1, $2, $3, $4, $4)
"""

LIST: Final = """
SELECT issuer, subject, created_at, used_at FROM directory.club_links WHERE player_id = $1 ORDER BY created_at
"""


async def player_known_as(directory: Directory, connection: Connection, person: Person) -> UUID | None:
    """The player of a person who was here before; locks the person until the transaction ends."""
    await connection.execute(ALONE, person.issuer, person.subject)
    found: UUID | None = await connection.fetchval(USE, person.issuer, person.subject, directory.clock())
    return found


async def link(directory: Directory, connection: Connection, person: Person, player_id: UUID) -> None:
    """Link this person to that player; a guest thereby keeps their name. Raises NAME_TAKEN, UNFIT."""
    if await connection.fetchval(LOCK_PLAYER, player_id) is None:
        raise no_such_player()
    known = await connection.fetchrow(FIND, player_id)
    assert known is not None
    if known["is_guest"]:
        await keep_name(connection, player_id, known["name"])
    try:
        await connection.execute(LINK, person.issuer, person.subject, player_id, directory.clock())
    except UniqueViolationError as error:
        raise another_person() from error


async def new_player(directory: Directory, connection: Connection, person: Person) -> UUID:
    """A new player for a person who was never here, by their nickname if it is free."""
    player_id = directory.new_id()
    for name in _names_for(directory, person):
        try:
            # A savepoint, so that only this step is undone if the name is taken.
            async with connection.transaction():
                await connection.execute(INSERT, player_id, name, name_key(name), directory.clock())
                await keep_name(connection, player_id, name)
        except ServiceError:
            continue
        await connection.execute(LINK, person.issuer, person.subject, player_id, directory.clock())
        return player_id
    raise ServiceError(Problem.NAME_TAKEN, "no name is left: come in as a guest and choose one first")


async def links_of(directory: Directory, player_id: UUID) -> tuple[ClubLinkMessage, ...]:
    """The provider's people that are linked to a player, for the export."""
    return tuple(
        ClubLinkMessage(
            issuer=row["issuer"],
            subject=row["subject"],
            created=milliseconds(row["created_at"]),
            used=milliseconds(row["used_at"]),
        )
        for row in await directory.pool.fetch(LIST, player_id)
    )


def another_person() -> ServiceError:
    """The refusal to link a player and a person if either is linked to another already."""
    return ServiceError(Problem.UNFIT, "this account and this sign-in belong to different players already")


def _names_for(directory: Directory, person: Person) -> Iterator[str]:
    for nickname in person.nicknames:
        # A mail address must not become a public name.
        if "@" in nickname:
            continue
        try:
            name = clean_name(nickname[:LONGEST_NAME])
        except ServiceError:
            continue
        yield name
        for number in range(2, NUMBERED + 1):
            yield f"{name[: LONGEST_NAME - 2].rstrip()} {number}"
    for _ in range(PIRATES):
        yield pirate_name(directory.chance)
