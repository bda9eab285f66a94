"""Who is asking: the session behind a cookie or a token."""

import enum
from dataclasses import dataclass, field
from uuid import UUID


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
