"""Waiting for a condition: asked again and again until it holds, with a deadline and the last value seen."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar, overload

import pytest

PATIENCE: Final = 120.0
"""Seconds before a wait or a request fails: more than a busy machine needs, even one whose host takes half of
its processors away for minutes. No test that passes waits them out."""
STARTING: Final = 180.0
"""Seconds until a new process of the service must be there: importing takes seconds of CPU time, for which a
machine with ten times more to do than it has cores needs minutes. One that dies is noticed at once."""
PAUSE: Final = 0.01
"""Seconds between two questions."""

_Value = TypeVar("_Value")
What = str | Callable[[], str]
"""What is waited for, to say when it does not come; a function describes it at that moment."""


@overload
async def until(
    condition: Callable[[], Awaitable[_Value]], *, seconds: float = ..., what: What = ..., pause: float = ...
) -> _Value: ...


@overload
async def until(
    condition: Callable[[], _Value], *, seconds: float = ..., what: What = ..., pause: float = ...
) -> _Value: ...


async def until(
    condition: Callable[[], _Value | Awaitable[_Value]],
    *,
    seconds: float = PATIENCE,
    what: What = "the condition",
    pause: float = PAUSE,
) -> _Value:
    """Return the first true value of `condition`, which may be a coroutine function."""
    __tracebackhide__ = True
    seen: object = "nothing"
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            while True:
                answer = condition()
                value: _Value = await answer if inspect.isawaitable(answer) else answer
                if value:
                    return value
                seen = value
                await asyncio.sleep(pause)
    except TimeoutError:
        if not deadline.expired():
            raise  # it is the condition's own
    pytest.fail(_told(what, seconds, seen))


def until_sync(
    condition: Callable[[], _Value], *, seconds: float = PATIENCE, what: What = "the condition"
) -> _Value:
    """Return the first true value of `condition`, for a test without an event loop."""
    __tracebackhide__ = True
    last_moment = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > last_moment:
            pytest.fail(_told(what, seconds, value))
        time.sleep(PAUSE)
    return value


def _told(what: What, seconds: float, seen: object) -> str:
    wanted = what if isinstance(what, str) else what()
    return f"waited {seconds:g} s in vain for {wanted}; last seen: {seen!r}"
