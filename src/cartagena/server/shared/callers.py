"""Who asks: sessions and scopes, the audience they belong to, and their share of the processor."""

import enum
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from uuid import UUID


class Attendance(NamedTuple):
    """The seats from which a table is followed, and the number of spectators."""

    game_id: UUID
    seats: tuple[int, ...]
    watchers: int


SPECTATOR: Final = -1
"""The audience without a seat, as long as a table has not become more private than it was."""

_SEATS: Final = 8


def sitting(seat: int, since: int) -> int:
    """The audience of a seat that was taken with event `since`."""
    return since * _SEATS + seat


def watching(since: int) -> int:
    """The audience of those who came to watch after event `since`.

    >>> watching(0) == SPECTATOR
    True
    """
    return SPECTATOR - since


def seat_of_audience(audience: int) -> int | None:
    """The seat from which an audience looks, None if it is the spectators'.

    >>> seat_of_audience(sitting(3, since=17)), seat_of_audience(SPECTATOR)
    (3, None)
    """
    return None if audience <= SPECTATOR else audience % _SEATS


class Share(NamedTuple):
    """A household, under a name that reveals nothing of its address, and one of its players."""

    household: str
    player: str


class Scope(enum.Enum):
    """What a session may be used for; a cookie has all but `ADMIN`, a personal token what its owner chose."""

    READ = "read"
    PLAY = "play"
    ACCOUNT = "account"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A player at the door. `id` names the session publicly; the token itself is stored nowhere."""

    id: UUID
    player_id: UUID
    name: str
    is_guest: bool
    scopes: frozenset[Scope]
    by_cookie: bool
    token_hash: bytes = field(repr=False)
