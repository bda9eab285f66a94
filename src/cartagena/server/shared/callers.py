"""Who asks: sessions and scopes, the audience they belong to, and their share of the processor."""

import enum
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from cartagena.server.shared.settings_parsing import Reading, is_safe_web

# The club's own identity provider, read from the environment (OpenID Connect).

LONGEST_NAME: Final = 40
"""A longer name does not fit on a button."""

_EXAMPLE: Final = "https://id.example.org/realms/club"


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """Where a club's people sign in, and the client that this service is there.

    Without a secret the service is a public client; PKCE guards both kinds.
    """

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    name: str


def read_club(reading: Reading) -> Club | None:
    """The club's provider, None if none is set; raises SettingsError, which says what to set."""
    issuer, client_id = reading.text("CARTAGENA_OIDC_ISSUER"), reading.text("CARTAGENA_OIDC_CLIENT_ID")
    secret, name = reading.text("CARTAGENA_OIDC_CLIENT_SECRET"), reading.text("CARTAGENA_OIDC_NAME")
    if not any((issuer, client_id, secret, name)):
        return None
    if issuer is None or not is_issuer(issuer):
        wanted = "the address of the club's provider, https:// outside this machine"
        raise reading.secret_trouble("CARTAGENA_OIDC_ISSUER", wanted, _EXAMPLE)
    if client_id is None:
        raise reading.trouble("CARTAGENA_OIDC_CLIENT_ID", "what the provider calls this service", "cartagena")
    shown = name or urlsplit(issuer).hostname or issuer
    if name is not None and (len(name) > LONGEST_NAME or not name.isprintable()):
        wanted = f"what the button says, up to {LONGEST_NAME} letters"
        raise reading.trouble("CARTAGENA_OIDC_NAME", wanted, "Harbour Club")
    return Club(issuer=issuer, client_id=client_id, client_secret=secret, name=shown[:LONGEST_NAME])


def is_issuer(text: str) -> bool:
    """Whether this can be an issuer: a safe address without query or fragment.

    >>> is_issuer("https://id.example.org/realms/club"), is_issuer("https://id.example.org/?club=1")
    (True, False)
    """
    return is_safe_web(text) and not {"?", "#"} & set(text)


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
