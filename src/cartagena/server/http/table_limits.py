"""Limits of a table: what all who do not sit there may do together, so that those who sit there can play.

Who sits at a table is bound by his own limits alone: nobody else can use them up for him.
"""

import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

from cartagena.server.http.limits import Buckets, Paced, Rate, refuse_if
from cartagena.server.shared.errors import Problem, ServiceError

STRANGERS: Final = Rate(40, 10)
"""Changes that people wish for who do not sit there: to sit down, or what they may not do at all."""
WATCHERS: Final = Rate(12, 2)
"""Lines of chat of those who only watch."""
AS_GUEST: Final = 20
WITH_A_NAME: Final = 200
"""So many unfinished tables somebody may sit at; a guest is made in a moment, a name is not."""
_TRY_AGAIN: Final = 60


class TableLimits:
    """Counts what is done at each table, and at how many tables somebody sits."""

    def __init__(self, *, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._paced = Paced(pace)
        self._clock = clock
        self._buckets = Buckets()

    def count_stranger(self, table_id: UUID) -> None:
        """Count a wish of somebody who does not sit at this table; raises `too_many`."""
        self._count("strangers", table_id, STRANGERS)

    def count_watcher(self, table_id: UUID) -> None:
        """Count a line of chat of somebody who only watches; raises `too_many`."""
        self._count("watchers", table_id, WATCHERS)

    def check_tables(self, tables: int, *, is_guest: bool) -> None:
        """Raise `too_many` for somebody who sits at too many unfinished tables."""
        most = round((AS_GUEST if is_guest else WITH_A_NAME) * self._pace)
        if tables >= most:
            sentence = f"you sit at {tables} tables: finish or leave some of them first"
            raise ServiceError(Problem.TOO_MANY, sentence, retry_after=_TRY_AGAIN)

    def _count(self, group: str, table_id: UUID, rate: Rate) -> None:
        refuse_if(self._buckets.wait((group, table_id), self._paced.rate(rate), self._clock()))
