"""What the tasks of `cartagena db` share: settings from the environment, databases while they are needed."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

from cartagena.cli.style import CommandRefused
from cartagena.rules.refusals import CartagenaError
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases

Answer = TypeVar("Answer")


def run(work: Callable[[Settings], Coroutine[None, None, Answer]]) -> Answer:
    """Run `work` with the settings of this environment; an error itself says what to do."""
    try:
        return asyncio.run(work(Settings.read(os.environ)))
    except CartagenaError as error:
        raise CommandRefused("error.service", reason=error) from error


@asynccontextmanager
async def databases_of(settings: Settings) -> AsyncIterator[Databases]:
    """Every database, with each bucket where it is now."""
    databases = await Databases.open(settings, program="cartagena db")
    try:
        await databases.whereabouts.learn()
        yield databases
    finally:
        await databases.close()
