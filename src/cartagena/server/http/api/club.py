"""Signing in by the club's own provider, over HTTP: a browser is sent there and comes back.

These are addresses that a browser *goes to*, so whatever goes wrong on the way ends on the page for signing
in, which says it in the reader's language.
"""

import re
from typing import Annotated, Final

import structlog
from msgspec import Meta, Struct
from msgspec.structs import replace

from cartagena.endpoints.limits import AT_THE_DOOR
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer, Cookie
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.accounts import WaysInMessage
from cartagena.server.accounts.club.sign_in import LIFETIME, ClubDoor, Errand, Return, Slip, arrive, depart
from cartagena.server.accounts.sessions.tokens import require_proof
from cartagena.server.http.api.accounts_base import (
    CODE_PAGE,
    AccountKit,
    arrival_of,
    browser_cookie,
)
from cartagena.server.http.api.accounts_me import COMING_IN
from cartagena.server.http.authorization import cookie_of
from cartagena.tables.errors import Problem, ServiceError

CLUB_COOKIE: Final = "cartagena_club"
"""Binds the way there and back to one browser."""

_PAGE: Final = re.compile(r"/(?:[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*)?")
"""A page of ours, and nothing that a browser could take for another host."""
_PLAIN: Final = "^[ -~]*$"
"""All that OAuth allows in these; other letters, once escaped, could be longer than an address may be."""
_ELSEWHERE: Final = frozenset({"cross-site", "same-site"})
_SEE_OTHER: Final = 303

logger = structlog.get_logger(__name__)


class GoToClub(Struct, frozen=True, kw_only=True):
    """`back` is the page that waits; with `joins` your account, too, keeps this as another way in."""

    back: Annotated[str, Meta(max_length=200)] = "/"
    joins: bool = False


class BackFromClub(Struct, frozen=True, kw_only=True):
    """What the provider adds to the address: `state`, and `code` unless it said no."""

    state: Annotated[str, Meta(max_length=100, pattern=_PLAIN)]
    code: Annotated[str, Meta(max_length=4_000, pattern=_PLAIN)] | None = None
    iss: Annotated[str, Meta(max_length=500, pattern=_PLAIN)] | None = None

    def __repr__(self) -> str:
        return "BackFromClub(...)"


class ClubApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit

    async def ways_in(self, _: Call) -> WaysInMessage:
        """What the page for signing in offers."""
        club = self._kit.club
        return WaysInMessage(club=None if club is None else club.provider.club.name)

    async def go(self, call: Call) -> Answer:
        """Send a browser to the provider; only from our own pages, as it may change who is signed in."""
        door, asked = self._door(), call.query(GoToClub)
        if call.header("sec-fetch-site") in _ELSEWHERE:
            raise ServiceError(Problem.WRONG_ORIGIN, "a page of another site may not do this")
        if _PAGE.fullmatch(asked.back) is None:
            raise ServiceError(Problem.UNFIT, "back is a page of this service, such as /account")
        went = call.session if call.session is not None and call.session.by_cookie else None
        errand = Errand(
            player_id=None if went is None else went.player_id, joins=asked.joins, back=asked.back
        )
        try:
            if errand.joins and went is not None:
                await require_proof(self._kit.directory, went)
            departure = await depart(self._kit.directory, door, errand)
        except ServiceError as error:
            return _to_sign_in(error)
        cookie = Cookie(name=CLUB_COOKIE, value=departure.slip.browser, seconds=int(LIFETIME.total_seconds()))
        return _to(departure.address, cookie)

    async def back(self, call: Call) -> Answer:
        """Let in the player who comes back; whatever happens, the cookie of the way there is deleted."""
        door, asked, kit = self._door(), call.query(BackFromClub), self._kit
        gone = Cookie(name=CLUB_COOKIE, value="", seconds=0)
        kept = cookie_of(call.headers, CLUB_COOKIE, secure=kit.secure) or b""
        slip = Slip(state=asked.state, browser=kept.decode("latin-1"))
        told = Return(slip=slip, code=asked.code, issuer=asked.iss)
        try:
            arrived = await arrive(kit.sessions, door, told, call.session, arrival_of(call, bearer=False))
        except ServiceError as error:
            return _to_sign_in(error, gone)
        cookie = await browser_cookie(kit, call, arrived.admission)
        sent = _to(arrived.back, gone, cookie)
        return replace(sent, admitted=arrived.admission.session.player_id)

    def _door(self) -> ClubDoor:
        if self._kit.club is None:
            raise ServiceError(Problem.NO_SUCH_THING, "no club has its own sign-in here: use another way")
        return self._kit.club


def _to(address: str, *cookies: Cookie) -> Answer:
    return Answer(headers=(("Location", address),), cookies=cookies)


def _to_sign_in(error: ServiceError, *cookies: Cookie) -> Answer:
    """Redirect to the page for signing in; the reason in our own words goes into the log."""
    logger.info("club_refused", code=error.problem.code, why=error.sentence)
    return _to(f"{CODE_PAGE}?club={error.problem.code}", *cookies)


def club_routes(kit: AccountKit) -> tuple[Route, ...]:
    """The route that lists other ways in, and those of the club's provider."""
    api = ClubApi(kit)
    return (_ways_in(api), _go(api), _back(api))


def _ways_in(api: ClubApi) -> Route:
    return Route(
        method="GET",
        path="/api/sign-in",
        name="ways_in",
        tag=COMING_IN,
        summary="See by whose provider one may sign in here",
        handler=api.ways_in,
        answer=WaysInMessage,
        anonymous=True,
        example=Example(answer=WaysInMessage(club="Harbour Club")),
    )


def _go(api: ClubApi) -> Route:
    return Route(
        method="GET",
        path="/api/sign-in/club",
        name="go_to_club",
        tag=COMING_IN,
        summary="Go to the club's provider to sign in",
        description=(
            "For a browser to go to, from a page of this service. A guest who is new to the provider "
            "keeps their name, seats and id; a player who was here before is the same player again."
        ),
        handler=api.go,
        query=GoToClub,
        status=_SEE_OTHER,
        limit=AT_THE_DOOR,
        problems=(Problem.NO_SUCH_THING, Problem.WRONG_ORIGIN, Problem.UNFIT),
        answer_headers={
            "Location": "The provider; or the page for signing in, which says what hinders.",
            "Set-Cookie": "Binds the way back to this browser, for ten minutes.",
        },
    )


def _back(api: ClubApi) -> Route:
    return Route(
        method="GET",
        path="/api/sign-in/club/back",
        name="back_from_club",
        tag=COMING_IN,
        summary="Come back from the club's provider",
        description=(
            "The provider sends browsers here; it must know this address. What goes wrong is told by the "
            "page for signing in: `club` behind its question mark is the code of the problem."
        ),
        handler=api.back,
        query=BackFromClub,
        status=_SEE_OTHER,
        limit=AT_THE_DOOR,
        problems=(Problem.NO_SUCH_THING,),
        answer_headers={
            "Location": "The page that waits; or the page for signing in.",
            "Set-Cookie": "The session; the cookie of the way there is gone.",
        },
    )
