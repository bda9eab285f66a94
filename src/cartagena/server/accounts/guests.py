"""Guests: anybody may sit down and play."""

from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.names import clean_name, name_key
from cartagena.server.accounts.pirate_names import pirate_name
from cartagena.server.accounts.players import INSERT
from cartagena.server.accounts.sessions import Admission, Arrival, admit


async def become_guest(directory: Directory, name: str | None, arrival: Arrival) -> Admission:
    """Let somebody in as a guest, by a name of his own or a pirate's; raises UNFIT.

    Guests may be called alike: only a name with a passkey belongs to one player.
    """
    chosen = pirate_name(directory.chance) if name is None else clean_name(name)
    player_id = directory.new_id()
    async with directory.pool.acquire() as connection, connection.transaction():
        await connection.execute(INSERT, player_id, chosen, name_key(chosen), directory.clock())
        return await admit(directory, connection, player_id, arrival)
