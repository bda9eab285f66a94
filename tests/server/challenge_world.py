"""A world for challenges: players with names, bots, and a stopwatch that lets challenges expire."""

from typing import Final
from uuid import UUID, uuid4

from cartagena.endpoints.tables import read_terms
from cartagena.messages.challenges import ChallengeMessage, MakeChallenge
from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.accounts.challenges import challenge_of, make_challenge
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.players import keep_name
from cartagena.server.store.challenge_tables import ChallengeTables
from cartagena.server.store.databases import Databases
from cartagena.tables.creating import NewTable
from tests.server.accounts_world import World, some_name, world
from tests.server.lobby_world import LobbyWorld

LIVE: Final = TermsMessage(ruleset="jamaica", clock=ClockSettings(kind="live", bank=600, increment=15))

EXPIRE: Final = """
UPDATE directory.game_challenges SET expires_at = now() - interval '1 second' WHERE challenge_id = $1
"""

LONG_AGO: Final = "UPDATE directory.game_challenges SET decided_at = now() - interval '1 hour'"
BOT: Final = "INSERT INTO directory.bots (bot_id, owner_id, engine) VALUES ($1, $2, 'furthest 1.0')"


class ChallengeWorld:
    """Players of one directory, and the tables of their challenges."""

    def __init__(self, databases: Databases) -> None:
        self.databases = databases
        self.accounts: World = world(databases.directory)
        self.lobby = LobbyWorld(databases)
        self.changed: list[tuple[UUID, ...]] = []
        self.tables = ChallengeTables(
            directory=self.directory,
            source=self.lobby.source,
            store=self.lobby.store,
            new=self.new,
            changed=self.changed.append,
        )

    @property
    def directory(self) -> Directory:
        """The directory of all players."""
        return self.accounts.directory

    def new(self) -> NewTable:
        """What chance gives a new table."""
        return NewTable(1, self.lobby.chance)

    async def player(self) -> UUID:
        """A player who keeps a name."""
        player_id = (await self.accounts.guest()).session.player_id
        async with self.directory.pool.acquire() as connection:
            await keep_name(connection, player_id, some_name())
        return player_id

    async def bot(self, owner: UUID | None = None) -> UUID:
        """The account of a bot."""
        bot_id = await self.player()
        await self.directory.pool.execute(BOT, bot_id, owner or await self.player())
        return bot_id

    async def challenged(
        self,
        challenger: UUID,
        opponent: UUID,
        terms: TermsMessage = LIVE,
        key: UUID | None = None,
        *,
        ladder: bool = False,
    ) -> ChallengeMessage:
        """A challenge that was made."""
        wanted = MakeChallenge(opponent=opponent, terms=terms, ladder=ladder, key=key or uuid4())
        return await make_challenge(self.directory, challenger, wanted, read_terms(terms))

    async def seen(self, challenge: ChallengeMessage) -> ChallengeMessage:
        """The challenge as it is now; both players see the same."""
        one = await challenge_of(self.directory, challenge.challenger.id, challenge.id)
        assert one == await challenge_of(self.directory, challenge.opponent.id, challenge.id)
        return one

    async def expire(self, challenge: ChallengeMessage) -> None:
        """Let its time run out."""
        await self.directory.pool.execute(EXPIRE, challenge.id)
