"""Attendance: who follows a table, as one node reports it to the others."""

from typing import NamedTuple
from uuid import UUID


class Attendance(NamedTuple):
    """The seats from which a table is followed, and the number of spectators."""

    game_id: UUID
    seats: tuple[int, ...]
    watchers: int
