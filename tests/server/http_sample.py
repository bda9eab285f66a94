"""A small service for the tests of HTTP: routes of every kind, with handlers that do as they are told."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from cartagena.endpoints.asgi import Receive, Send
from cartagena.endpoints.callers import Scope, Session
from cartagena.endpoints.limits import AT_THE_DOOR, PLAYING, Limit, Rate
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer, no_session_cookie, session_cookie
from cartagena.endpoints.routing import Example, Route
from cartagena.messages import MessageError
from cartagena.messages.streams import EVENT_STREAM
from cartagena.notation.tokens import NotationError
from cartagena.rules.refusals import IllegalAction, Refusal
from cartagena.tables.errors import Problem, ServiceError, WithCurrent

TABLE = UUID("01234567-89ab-7000-8000-000000000001")
KEY = UUID("01234567-89ab-7000-8000-000000000002")
CURRENT = b'{"version":1,"seq":7,"happened":[]}'
CARD = "ace-of-skulls-2718"
"""Something that nobody outside may ever read."""
GUEST = "ct_guest"

SLOW = Limit(group="slow", player=Rate(2, 0.5), address=Rate(3, 0.25))


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the sample is told to do."""

    key: UUID
    does: Annotated[str, Meta(max_length=200)] = "act"


class Done(Struct, frozen=True, kw_only=True):
    """What the sample did, and for whom."""

    did: str
    player: UUID | None = None


class Look(Struct, frozen=True, kw_only=True):
    """What somebody wants to see of a table."""

    seat: Annotated[int, Meta(ge=0, le=4, description="As which seat.")] | None = None
    tags: tuple[str, ...] = ()


ERRORS: dict[str, Callable[[], Exception]] = {
    "stale": lambda: WithCurrent(ServiceError(Problem.STALE, "the table has moved on"), CURRENT),
    "illegal": lambda: IllegalAction(Refusal.NO_COMPANY_BEHIND),
    "illegal with current": lambda: WithCurrent(IllegalAction(Refusal.NO_COMPANY_BEHIND), CURRENT),
    "notation": lambda: NotationError("zz" * 500, 1, 3, "a card"),
    "message": lambda: MessageError("x" * 500),
    "not seated": lambda: ServiceError(Problem.NOT_SEATED, "only a seated player may do that"),
    "unavailable": lambda: ServiceError(Problem.UNAVAILABLE, "the store is away"),
    "busy": lambda: ServiceError(Problem.UNAVAILABLE, "the store is busy", retry_after=7),
    "undocumented": lambda: ServiceError(Problem.MUTED, "hush"),
    "broken": lambda: RuntimeError(CARD),
}


async def act(call: Call) -> Done:
    wish = call.body(Wish)
    if wish.does in ERRORS:
        error = ERRORS[wish.does]()
        raise error
    return Done(did=f"{wish.does} at {call.uuid('table_id')}", player=call.player.player_id)


async def look(call: Call) -> Done:
    asked = call.query(Look)
    return Done(did=f"seat {asked.seat} tags {','.join(asked.tags)}", player=call.player.player_id)


async def who(call: Call) -> Done:
    return Done(did=call.address, player=None if call.session is None else call.session.player_id)


async def seat(call: Call) -> Answer:
    return Answer(content=b'{"did":"seat %d"}' % call.number("seat"))


async def picture(call: Call) -> Answer:
    return Answer(content=f"<svg><!-- {call.text('name')} --></svg>".encode())


async def become_guest(_call: Call) -> Answer:
    return Answer(content=Done(did="guest"), cookies=(session_cookie(GUEST, seconds=3600),))


async def sign_out(_call: Call) -> Answer:
    return Answer(cookies=(no_session_cookie(),))


async def nothing(_call: Call) -> None:
    return None


async def stream(call: Call, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    name = call.player.name.encode()
    await send({"type": "http.response.body", "body": b"data: %s\n\n" % name, "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


async def broken_stream(_call: Call, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise RuntimeError(CARD)


async def cut_stream(call: Call, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    assert call.abort is not None
    call.abort()
    await receive()


async def fleeting(_call: Call, _receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"data: done\n\n"})


def sample_routes() -> tuple[Route, ...]:
    """Routes of every kind."""
    return (*_tables(), *_players(), *_odds_and_ends(), *_streams())


def _tables() -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/actions",
            name="act",
            tag="tables",
            summary="Act at a table",
            description="Does what `does` says.",
            handler=act,
            body=Wish,
            answer=Done,
            scope=Scope.PLAY,
            limit=PLAYING,
            problems=(Problem.STALE, Problem.REFUSED, Problem.NOT_SEATED),
            example=Example(body=Wish(key=KEY), answer=Done(did="act")),
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}",
            name="look",
            tag="tables",
            summary="Look at a table",
            handler=look,
            query=Look,
            answer=Done,
            scope=Scope.READ,
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/seats/{seat:int}",
            name="seat",
            tag="tables",
            summary="Look at a seat",
            handler=seat,
            answer=Done,
        ),
    )


def _players() -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/guests",
            name="become_guest",
            tag="players",
            summary="Become a guest",
            handler=become_guest,
            answer=Done,
            status=201,
            limit=AT_THE_DOOR,
            answer_headers={"Set-Cookie": "Keeps the guest known."},
        ),
        Route(
            method="DELETE",
            path="/api/session",
            name="sign_out",
            tag="players",
            summary="Sign out",
            handler=sign_out,
            scope=Scope.ACCOUNT,
        ),
    )


def _odds_and_ends() -> tuple[Route, ...]:
    return (
        _simple("/api/who", "who", who, scope=None),
        _simple("/api/admin", "admin", who, scope=Scope.ADMIN),
        _simple("/api/slow", "slow", who, scope=None, limit=SLOW),
        Route(
            method="GET",
            path="/api/pictures/{name:text}",
            name="picture",
            tag="odds and ends",
            summary="A picture",
            handler=picture,
            answer="image/svg+xml",
        ),
        Route(
            method="PUT",
            path="/api/nothing",
            name="nothing",
            tag="odds and ends",
            summary="Nothing at all",
            handler=nothing,
        ),
    )


def _streams() -> tuple[Route, ...]:
    return (
        _stream("/api/stream", "stream", stream),
        _stream("/api/broken-stream", "broken_stream", broken_stream),
        _stream("/api/cut-stream", "cut_stream", cut_stream),
        _stream("/api/fleeting", "fleeting", fleeting),
    )


def _simple(
    path: str,
    name: str,
    handler: Callable[[Call], Awaitable[Done]],
    *,
    scope: Scope | None,
    limit: Limit = PLAYING,
) -> Route:
    return Route(
        method="GET",
        path=path,
        name=name,
        tag="odds and ends",
        summary=f"The route {name}",
        handler=handler,
        answer=Done,
        scope=scope,
        limit=limit,
    )


def _stream(path: str, name: str, raw: Callable[[Call, Receive, Send], Awaitable[None]]) -> Route:
    return Route(
        method="GET",
        path=path,
        name=name,
        tag="streams",
        summary=f"The stream {name}",
        raw=raw,
        answer=EVENT_STREAM,
        scope=Scope.READ,
    )


def session_of(number: int, *scopes: Scope) -> Session:
    """A session of player `number`."""
    return Session(
        id=UUID(int=1000 + number),
        player_id=UUID(int=number),
        name=f"player {number}",
        is_guest=True,
        scopes=frozenset(scopes or (Scope.READ, Scope.PLAY, Scope.ACCOUNT)),
        by_cookie=True,
        token_hash=b"hash",
    )


class KnownSessions:
    """Sessions by their tokens; counts how often it was asked, and may be unavailable."""

    def __init__(self) -> None:
        self.by_token = {
            "ct_anne": session_of(1),
            "ct_mary": session_of(2),
            "ct_reader": session_of(3, Scope.READ),
            "ct_admin": session_of(4, Scope.READ, Scope.ADMIN),
        }
        self.asked = 0
        self.is_away = False

    async def find(self, token: str) -> Session | None:
        self.asked += 1
        if self.is_away:
            raise ServiceError(Problem.UNAVAILABLE, "sessions cannot be read")
        return self.by_token.get(token)
