"""Subjects: the fixed names under which messages travel; a node listens to a few names, not to every game."""

import re
from typing import Final

from cartagena.server.bus.messages import (
    Announcement,
    Closing,
    LobbyChange,
    Message,
    PresenceReport,
    Wake,
)
from cartagena.server.shared.ids import bucket_of

PARTITIONS: Final = 64
"""How many names the tables are spread over; all announcements of one game have the same name."""

_PREFIX: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


class Subjects:
    """The names under one prefix; nodes with another prefix hear none of these messages.

    >>> Subjects("cartagena").of(Wake(bucket=7))
    'cartagena.wakes'
    """

    def __init__(self, prefix: str) -> None:
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(f"a prefix is made of letters, digits, dots, - and _, not {prefix!r}")
        self._names: dict[type[Message], tuple[str, ...]] = {
            Announcement: tuple(f"{prefix}.tables.{number}" for number in range(PARTITIONS)),
            Closing: (f"{prefix}.closings",),
            Wake: (f"{prefix}.wakes",),
            LobbyChange: (f"{prefix}.lobby",),
            PresenceReport: (f"{prefix}.presence",),
        }

    def of(self, message: Message) -> str:
        """The name under which a message travels."""
        names = self._names[type(message)]
        if isinstance(message, Announcement):
            return names[bucket_of(message.game_id) % PARTITIONS]
        return names[0]

    def all_of(self, kind: type[Message]) -> tuple[str, ...]:
        """Every name under which messages of a kind travel."""
        return self._names[kind]
