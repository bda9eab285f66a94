"""The patience of `cartagena bot`: what it asks again, what ends its game, and what it writes about that."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, TypeVar

from cartagena.client import BrokenPromise, ClientError, Patience, Refused, StreamEnded
from cartagena.client.request import TOO_MANY
from cartagena.rules.refusals import CartagenaError

PATIENCE: Final = Patience(tries=2**31, longest=60.0, obedience=3600.0)
"""A bot that runs for weeks gives no request up: every one of them may be sent twice."""

AWAY_EVERY: Final = 60.0
"""Seconds between two lines that say that the service does not answer."""
LONG_PAUSE: Final = 1.0
"""A pause of this many seconds before the next try means that the service is away."""
OWN_FAULT: Final = 500
"""From this status on a refusal is the trouble of the service itself."""
FAREWELLS: Final = frozenset(
    {"no_such_table", "forbidden", "missing_scope", "not_seated", "kicked", "blocked"}
)
"""Refusals that say that there is no seat at that table any more."""
SHORT_ID: Final = 8
"""The last letters of a table's id are drawn by chance; the first are the time."""

_Found = TypeVar("_Found")

Log = Callable[..., None]
"""Writes a line: the key of its words, and their values."""


class TokenEnded(CartagenaError):
    """The service does not know the token, or no longer."""


class Persistence:
    """Does again what may go well the next time."""

    def __init__(self, patience: Patience, log: Log) -> None:
        self._patience = patience
        self._log = log

    async def through(
        self, do: Callable[[], Awaitable[_Found]], table_id: str, is_final: Callable[[CartagenaError], bool]
    ) -> _Found:
        """Do something again, after growing pauses, until it goes well; raises what is final, and TokenEnded.

        A seat is not given up for something that may pass: its clock runs. A reason is told once.
        """
        failures, told = 0, ""
        while True:
            began = monotonic()
            try:
                return await do()
            except CartagenaError as error:
                require_token(error)
                if is_final(error):
                    raise
                if monotonic() - began > PATIENCE.longest:
                    failures, told = 0, ""
                failures, reason = failures + 1, reason_of(error)
            if reason != told:
                self._log("bot.returns", table=short(table_id), reason=reason)
                told = reason
            await asyncio.sleep(self.pause(failures))

    def pause(self, failures: int) -> float:
        """More than a moment from the first time on: these are no breaks of the network."""
        return self._patience.pause(failures + 4)


def short(table_id: str) -> str:
    """A table's id as it stands in the log."""
    return table_id[-SHORT_ID:]


def reason_of(error: Exception) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def require_token(error: CartagenaError) -> None:
    """Raise TokenEnded if that is what the error means."""
    is_unknown = isinstance(error, Refused) and error.code == "unauthenticated"
    is_revoked = isinstance(error, StreamEnded) and error.code == "revoked"
    if is_unknown or is_revoked:
        raise TokenEnded from error


def is_refusal(error: CartagenaError) -> bool:
    """Whether the service has decided: anything but its own trouble, or that of something on the way."""
    if isinstance(error, Refused):
        return error.status < OWN_FAULT and error.status != TOO_MANY
    return not isinstance(error, ClientError) or isinstance(error, BrokenPromise)


def is_farewell(error: CartagenaError) -> bool:
    """Whether there is no seat to come back to, or a promise was broken there."""
    return isinstance(error, BrokenPromise) or (isinstance(error, Refused) and error.code in FAREWELLS)


class Seldom:
    """A log that tells of a service that is away at most once a minute."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._told_at = -AWAY_EVERY

    def __call__(self, key: str, **values: object) -> None:
        """Write a line."""
        if key == "bot.away":
            now = monotonic()
            if now - self._told_at < AWAY_EVERY:
                return
            self._told_at = now
        self._log(key, **values)
