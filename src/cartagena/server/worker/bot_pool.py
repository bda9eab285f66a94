"""The processes in which bots think, and whose turn it is to use them."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager

from cartagena.server.shared.processes import ProcessPool
from cartagena.server.worker.fair_share import FairShare
from cartagena.tables.sheet import Share


class BotPool(ProcessPool):
    """The processes in which bots think; `turns` decides who may ask them next."""

    def __init__(self, processes: int) -> None:
        super().__init__(processes)
        self.turns = FairShare(max(1, processes))

    @asynccontextmanager
    async def turn(
        self, share: Share, wait: AbstractContextManager[None], *, begun: bool = False
    ) -> AsyncIterator[None]:
        """Wait for a turn, within `wait`, and hold it; raises NoShareLeft."""
        async with AsyncExitStack() as held:
            with wait:
                await held.enter_async_context(self.turns.of(share, begun=begun))
            yield
