"""The way to tables, wherever they are: requests go out, streams come in."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from cartagena.client.player import Player
from cartagena.client.request import Answer, Refused, Request
from cartagena.client.stream import Told
from cartagena.client.table_state import TableState
from cartagena.client.tables import TableId


class TableConnection(ABC):
    """What a client needs of the tables it plays at: those of a service, or those of a device."""

    @abstractmethod
    async def send(self, request: Request[Answer]) -> Answer:
        """Send a request; raises Refused, or another ClientError if there is no answer."""

    @abstractmethod
    def stream(
        self,
        table_id: TableId,
        *,
        invite: str | None = None,
        last: str | None = None,
        on_away: Callable[[], None] = lambda: None,
    ) -> AsyncGenerator[Told, None]:
        """Everything that happens at a table, from the whole state on, or from after the place `last`."""

    async def play(self, player: Player) -> TableState:
        """Let a player play at its table until the game is over, or until it is no longer there."""
        async with aclosing(self.stream(player.table_id, invite=player.invite)) as stream:
            async for told in stream:
                player.hear(told)
                await self.grant(player)
                if player.is_done:
                    break
        return player.standing

    async def grant(self, player: Player) -> None:
        """Send what a player wishes, one thing after the other, until it has to wait."""
        while (wish := player.wish()) is not None:
            try:
                player.answered(wish, await self.send(wish))
            except Refused as error:
                player.refused(error)
