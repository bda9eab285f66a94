"""Streams over HTTP: one for each page, of a table as one audience."""

from typing import Final

from cartagena.endpoints.asgi import Receive, Send
from cartagena.endpoints.callers import Scope
from cartagena.endpoints.events import StreamFrom
from cartagena.endpoints.kit import reader_of
from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Route
from cartagena.endpoints.tables import SEEN
from cartagena.messages.streams import EVENT_STREAM
from cartagena.server.http.streams.connections import FORMS
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import Visitor
from cartagena.server.http.streams.sse import Connection
from cartagena.tables.access import audience_of
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem
from cartagena.tables.service import Tables

LAST_EVENT: Final = "last-event-id"


class StreamApi:
    """The handlers."""

    def __init__(self, hub: StreamHub, tables: Tables) -> None:
        self._hub = hub
        self._tables = tables

    async def table(self, call: Call, receive: Receive, send: Send) -> None:
        """Tell everything that happens at a table, from where the client left off."""
        asked = call.query(StreamFrom)
        table = await self._hub.soon(self._tables.newest(call.uuid("table_id")))
        player = reader_of(call)
        visitor = _visitor(call, audience_of(table, player, asked.invite))
        last = call.header(LAST_EVENT) or asked.last
        connection = Connection(receive=receive, send=send, abort=call.abort)
        form = next(filter(call.prefers, FORMS), None)
        await self._hub.table(table.id, visitor, connection, last=last, form=form)

    async def me(self, call: Call, receive: Receive, send: Send) -> None:
        """Tell everything that concerns the caller, wherever it happens."""
        connection = Connection(receive=receive, send=send, abort=call.abort)
        await self._hub.player(call.player.player_id, _visitor(call, SPECTATOR), connection)


def _visitor(call: Call, audience: int) -> Visitor:
    session = call.session
    return Visitor(
        audience=audience,
        address=call.address,
        player_id=None if session is None else session.player_id,
        session_id=None if session is None else session.id,
    )


def stream_routes(hub: StreamHub, tables: Tables) -> tuple[Route, ...]:
    """The streams of a table and of a player."""
    api = StreamApi(hub, tables)
    return (
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/stream",
            name="table_stream",
            tag="tables",
            summary="Be told everything that happens at a table",
            description=(
                "Server-Sent Events. `update` and `chat` carry an id; send it back as Last-Event-ID and "
                "nothing is missed. The first event is the whole state. With `Prefer: patches` most updates "
                "come as `patch`: what changed since the one before; with `compact=1`, of the compact form."
            ),
            raw=api.table,
            query=StreamFrom,
            answer=EVENT_STREAM,
            problems=(*SEEN, Problem.TOO_MANY, Problem.UNAVAILABLE),
        ),
        Route(
            method="GET",
            path="/api/me/stream",
            name="my_stream",
            tag="lobby",
            summary="Be told everything that concerns you",
            description=(
                "Server-Sent Events without ids: `state` has the unfinished tables at which you sit, and "
                "your challenges; then each `game` is one of them to which something has happened: you "
                "sat down, it began, it is your turn, it is over; and each `challenge` is new, or decided. "
                "Every connection begins with the whole `state`."
            ),
            raw=api.me,
            answer=EVENT_STREAM,
            scope=Scope.READ,
            problems=(Problem.TOO_MANY, Problem.UNAVAILABLE),
        ),
    )
