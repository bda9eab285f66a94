"""Who asks: sessions and their scopes."""

import enum
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from cartagena.tables.errors import Problem, ServiceError


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
    banned_until: datetime | None = None
    """Until when the player may only watch; None for one who is not banned."""
    is_bot: bool = False
    """Whether this is the account of a bot, which a program of its owner plays."""


def check_scope(session: Session | None, scope: Scope, *, has_token: bool = False) -> None:
    """Raise unless there is a session with this scope; `has_token` if a token came, perhaps of none."""
    if session is None and has_token:
        raise ServiceError(Problem.UNAUTHENTICATED, "this token is unknown or has ended")
    if session is None:
        raise ServiceError(Problem.UNAUTHENTICATED, "this needs a session: a cookie or a bearer token")
    if scope is Scope.PLAY and scope not in session.scopes and session.banned_until is not None:
        until = session.banned_until.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
        raise ServiceError(
            Problem.MISSING_SCOPE, f"this player is banned, and may only watch until {until} UTC"
        )
    if scope not in session.scopes:
        raise ServiceError(Problem.MISSING_SCOPE, f"this session lacks the scope {scope.value}")
