"""Guests: anybody may sit down and play."""

from itertools import count
from typing import Final
from uuid import UUID

from cartagena.server.accounts.directory import Connection, Directory
from cartagena.server.accounts.names import clean_name, name_key, pirate_name
from cartagena.server.accounts.players import INSERT, is_kept, name_taken
from cartagena.server.accounts.sessions.tokens import Admission, Arrival, admit

DRAWS: Final = 10
"""How many pirates' names are drawn before one gets a number."""


async def become_guest(directory: Directory, name: str | None, arrival: Arrival) -> Admission:
    """Let in a guest, by a name of their own or a pirate's; raises UNFIT, NAME_TAKEN.

    Guests may share a name, but not with a player who keeps theirs.
    """
    wanted = None if name is None else clean_name(name)
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
