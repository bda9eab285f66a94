"""Attendance: who follows a table, as one node says it to the others."""

from typing import NamedTuple
from uuid import UUID


class Attendance(NamedTuple):
    """The seats from which a table is followed, and by how many who only watch."""

    game_id: UUID
    seats: tuple[int, ...]
    watchers: int
