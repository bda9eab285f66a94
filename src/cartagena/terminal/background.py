"""Work in a thread beside the screen."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

_Found = TypeVar("_Found")


async def in_background(work: Callable[[], _Found]) -> _Found:
    """Return what a function finds out while the screen goes on; leaving does not wait for it."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[_Found] = loop.create_future()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - whatever a bot does, it is told where it was asked
            _hand_over(loop, found, partial(found.set_exception, error))
        else:
            _hand_over(loop, found, partial(found.set_result, result))

    Thread(target=run, daemon=True).start()
    return await found


def _hand_over(
    loop: asyncio.AbstractEventLoop, found: "asyncio.Future[_Found]", settle: Callable[[], None]
) -> None:
    # The screen may be closed by now.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(lambda: None if found.done() else settle())
