"""Limits of a table: what people who are not seated may do there in total, so that the seated can play.

Seated players are bound only by their own limits: nobody else can use those up.
"""

import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

from cartagena.server.http.limits import Buckets, Paced, Rate, refuse_if
from cartagena.server.shared.errors import Problem, ServiceError

STRANGERS: Final = Rate(40, 10)
"""Changes requested by people who are not seated: to sit down, or what they may not do at all."""
WATCHERS: Final = Rate(12, 2)
"""Lines of chat from people who only watch."""
AS_GUEST: Final = 20
WITH_A_NAME: Final = 200
"""How many unfinished tables a player may sit at; a guest is made in a moment, a name is not."""
_TRY_AGAIN: Final = 60


class TableLimits:
    """Limits what is done at each table, and at how many tables a player sits."""

    def __init__(self, *, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._paced = Paced(pace)
        self._clock = clock
        self._buckets = Buckets()

    def count_stranger(self, table_id: UUID) -> None:
        """Count a request of a player who is not seated at this table; raises `too_many`."""
        self._count("strangers", table_id, STRANGERS)

    def count_watcher(self, table_id: UUID) -> None:
        """Count a line of chat of a watcher; raises `too_many`."""
        self._count("watchers", table_id, WATCHERS)

    def check_tables(self, tables: int, *, is_guest: bool) -> None:
        """Raise `too_many` for a player who sits at too many unfinished tables."""
        most = round((AS_GUEST if is_guest else WITH_A_NAME) * self._pace)
        if tables >= most:
            sentence = f"you sit at {tables} tables: finish or leave some of them first"
            raise ServiceError(Problem.TOO_MANY, sentence, retry_after=_TRY_AGAIN)

    def _count(self, group: str, table_id: UUID, rate: Rate) -> None:
        refuse_if(self._buckets.wait((group, table_id), self._paced.rate(rate), self._clock()))
