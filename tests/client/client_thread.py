"""Clients that wait for each answer, beside a service in the same process."""

import asyncio
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


async def apart(function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs) -> Result:
    """Call a function in a thread of its own, which does not keep a failed test from ending.

    A client is patient: it would keep asking for a service that is gone until all tests are over.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def tell(settle: Callable[[], None]) -> None:
        if not done.done():
            settle()

    def run() -> None:
        try:
            result = function(*args, **named)
        except Exception as error:  # noqa: BLE001 - told to the test
            problem = error
            loop.call_soon_threadsafe(tell, lambda: done.set_exception(problem))
        else:
            loop.call_soon_threadsafe(tell, lambda: done.set_result(result))

    threading.Thread(target=run, daemon=True).start()
    return await done
