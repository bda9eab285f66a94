"""What the handlers of accounts share: what they work with, how players are let in, and their cookie."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias
from uuid import UUID

from cartagena.endpoints.limits import Limit, Rate
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer, Cookie, no_session_cookie, session_cookie
from cartagena.messages.accounts import ReportPlayer, SignedInMessage
from cartagena.server.accounts.club.provider import Provider
from cartagena.server.accounts.club.sign_in import ClubDoor
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.passkeys.keys import RelyingParty
from cartagena.server.accounts.personal_data import ForgetPlayer, Part
from cartagena.server.accounts.players import me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import LIFETIME, Admission, Arrival, SessionKind
from cartagena.server.http.authorization import credentials_of
from cartagena.server.shared.settings import Settings, Vapid

Said: TypeAlias = Callable[[UUID, ReportPlayer], Awaitable[str]]
"""Returns the text of a line that a player reports; that player must be able to read it."""

MANAGING: Final = Limit(group="managing", player=Rate(20, 1), address=Rate(200, 10))
"""For what players change about themselves."""
LARGE: Final = 16_384
"""Bytes of a body with a passkey's answer, or with a text whose letters may be spelled as escapes."""
CODE_PAGE: Final = "/sign-in"
"""The page of the browser that takes a code after a `#`."""
CLUB_BACK: Final = "/api/sign-in/club/back"
"""Where the club's provider sends people back to."""
PLACE_NAME: Final = "Cartagena"
"""What a browser shows when it asks for a passkey."""
COOKIE_SET: Final = {"Set-Cookie": "The session, unless you asked for a token."}
COOKIE_RENEWED: Final = {"Set-Cookie": "The new token of your session, if it came as a cookie."}
COOKIE_KEPT: Final = {"Set-Cookie": "The session that you brought as a cookie."}
COOKIE_GONE: Final = {"Set-Cookie": "Takes the session away, if it came as a cookie."}

_COOKIE_SECONDS: Final = int(LIFETIME.total_seconds())
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Signs of browsers; each comes before those that it imitates."""
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountKit:
    """All that the handlers of accounts work with.

    `parts` tell what else is kept about a player, for their export; `forget` are the parts of the directory
    that forget players who go for good.
    """

    sessions: SessionCache
    party: RelyingParty
    code_page: str
    secure: bool = False
    """Whether players use https."""
    vapid: Vapid | None = None
    club: ClubDoor | None = None
    private_notices: bool = False
    parts: Mapping[str, Part] = field(default_factory=lambda: MappingProxyType({}))
    forget: Sequence[ForgetPlayer] = ()
    said: Said | None = None
    """What a player reports, read at its table; None where there are no tables."""

    @property
    def directory(self) -> Directory:
        """The database of players, with its clock and its chance."""
        return self.sessions.directory


def account_kit(
    settings: Settings,
    sessions: SessionCache,
    *,
    parts: Mapping[str, Part] = MappingProxyType({}),
    forget: Sequence[ForgetPlayer] = (),
    said: Said | None = None,
) -> AccountKit:
    """Return what the handlers need, as the settings of the service say."""
    return AccountKit(
        sessions=sessions,
        party=RelyingParty(id=settings.rp_id, name=PLACE_NAME, origins=settings.all_origins),
        code_page=settings.url + CODE_PAGE,
        secure=settings.secure,
        vapid=settings.vapid,
        club=_club_door(settings, sessions),
        private_notices=settings.private_notices,
        parts=parts,
        forget=forget,
        said=said,
    )


def _club_door(settings: Settings, sessions: SessionCache) -> ClubDoor | None:
    if settings.club is None:
        return None
    provider = Provider(settings.club, sessions.directory.clock)
    return ClubDoor(provider=provider, redirect=settings.url + CLUB_BACK)


def arrival_of(call: Call, *, bearer: bool) -> Arrival:
    """How the caller would come in: a browser keeps a cookie, a program a token."""
    return Arrival(
        kind=SessionKind.BEARER if bearer else SessionKind.COOKIE, label=label_of(call.header("user-agent"))
    )


def label_of(user_agent: str | None) -> str:
    """Name a session for its player's list: browser and system, or a program's own name.

    >>> label_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> label_of("python-httpx/0.28.1")
    'python-httpx'
    """
    told = user_agent or ""
    if not told.startswith("Mozilla/"):
        return told.partition("/")[0]
    return ", ".join(name for table in (_BROWSERS, _SYSTEMS) for name in _first(told, table))


def _first(told: str, table: tuple[tuple[str, str], ...]) -> list[str]:
    return [name for sign, name in table if sign in told][:1]


async def admitted(kit: AccountKit, call: Call, admission: Admission) -> Answer:
    """Tell a player that they are signed in, by a cookie or by a token in the body."""
    player_id = admission.session.player_id
    known = await me(kit.directory, player_id)
    if not admission.session.by_cookie:
        return Answer(content=SignedInMessage(me=known, token=admission.token), admitted=player_id)
    cookie = await browser_cookie(kit, call, admission)
    return Answer(content=SignedInMessage(me=known), cookies=(cookie,), admitted=player_id)


async def browser_cookie(kit: AccountKit, call: Call, admission: Admission) -> Cookie:
    """The cookie of a session that is new or has a new token.

    A browser has one session: another that it had before ends, and its streams with it.
    """
    before = call.session
    if before is not None and before.by_cookie and before.id != admission.session.id:
        await kit.sessions.sign_out(before)
    return session_cookie(admission.token, seconds=_COOKIE_SECONDS)


def renewed_cookie(kit: AccountKit, call: Call) -> tuple[Cookie, ...]:
    """Return the caller's cookie again: a browser keeps it as long as the session, which lasts while used."""
    shown = credentials_of(call.headers, secure=kit.secure)
    if call.session is None or shown is None or not shown.by_cookie:
        return ()
    return (session_cookie(shown.token, seconds=_COOKIE_SECONDS),)


def cookie_gone(kit: AccountKit, call: Call) -> tuple[Cookie, ...]:
    """Delete the caller's cookie, unless they came with a token instead."""
    shown = credentials_of(call.headers, secure=kit.secure)
    return (no_session_cookie(),) if shown is None or shown.by_cookie else ()
