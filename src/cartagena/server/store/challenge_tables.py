"""Tables of challenges: accepted in the directory, opened in a shard, and told of in the directory.

What breaks off between two of these steps is gone on with, by the same request again or by a worker: the
directory has the id of the table before it is opened, and opening it twice does no harm.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import structlog

from cartagena.endpoints.tables import read_terms
from cartagena.fairness import commit
from cartagena.server.accounts.challenges import AcceptedChallenge, opening, unopened
from cartagena.server.accounts.directory import Directory
from cartagena.server.lobby.listings import SummarySource
from cartagena.server.lobby.repair import tell
from cartagena.tables.creating import NewTable
from cartagena.tables.ports import Sender, Store
from cartagena.tables.seating import open_sheet

LEFT_SECONDS: Final = 5.0
"""After this time a table that is not open yet has been left by its node."""
MOST_AT_ONCE: Final = 64

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeTables:
    """Opens the tables of accepted challenges: `new` is what chance gives each, `changed` tells players."""

    directory: Directory
    source: SummarySource
    store: Store
    new: Callable[[], NewTable]
    changed: Callable[[tuple[UUID, ...]], None]

    async def open(self, challenge_id: UUID, player_id: UUID, *, household: str = "") -> None:
        """Open the table of a challenge that this player has accepted, unless it is open already.

        `household` is where the request came from that opens it.
        """
        async with opening(self.directory, challenge_id, player_id) as accepted:
            if accepted is not None:
                await self._open(accepted, household)
        if accepted is None:
            return
        # A worker would tell the directory a moment later; the two players are told at once.
        for standing in await self.source.standings([accepted.game_id]):
            await tell(self.directory.pool, standing)
        self.changed((accepted.challenger.player, accepted.opponent.player))

    async def _open(self, accepted: AcceptedChallenge, household: str) -> None:
        made = self.new()
        sheet = open_sheet(
            read_terms(accepted.terms),
            replace(accepted.challenger, household=household),
            others=(accepted.opponent,),
            invite=made.invite,
            commitment=commit(made.secret),
        )
        sender = Sender(player=accepted.challenger.player, key=accepted.id)
        await self.store.open(accepted.game_id, sheet, made.secret, sender)

    async def open_left(self) -> int:
        """Open the tables that other nodes have left half-way; returns how many."""
        opened = 0
        for challenge_id, player_id in await unopened(
            self.directory, seconds=LEFT_SECONDS, most=MOST_AT_ONCE
        ):
            try:
                await self.open(challenge_id, player_id)
            except Exception as error:  # noqa: BLE001 (one that fails must not hold up the others)
                logger.warning(
                    "challenge_not_opened", challenge=str(challenge_id), error=type(error).__name__
                )
            else:
                opened += 1
        return opened
