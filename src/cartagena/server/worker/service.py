"""Services: parts of a worker that run beside each other until they are stopped."""

import asyncio
from collections.abc import Sequence
from typing import Protocol


class Service(Protocol):
    """Something that runs for as long as its process."""

    async def run(self) -> None:
        """Work until stopped; when cancelled, end at once and leave nothing running."""

    async def stop(self) -> None:
        """Take on nothing new, and return when what is under way is finished."""


class Worker:
    """Several services as one; if one of them fails, all end and `run` raises."""

    def __init__(self, services: Sequence[Service]) -> None:
        self._services = tuple(services)

    async def run(self) -> None:
        """Run all of them."""
        async with asyncio.TaskGroup() as group:
            for service in self._services:
                group.create_task(service.run())

    async def stop(self) -> None:
        """Stop all of them at once."""
        await asyncio.gather(*(service.stop() for service in self._services))
