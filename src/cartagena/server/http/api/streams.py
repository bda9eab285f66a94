"""Streams over HTTP: one for each page, of a table as one audience or of the lobby."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.types import Receive, Send

from cartagena.messages.requests import Word
from cartagena.server.http.api.base import reader_of
from cartagena.server.http.api.tables import SEEN
from cartagena.server.http.request import Call
from cartagena.server.http.routing import EVENT_STREAM, Route
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import Visitor
from cartagena.server.http.streams.sse import Connection
from cartagena.server.shared.errors import Problem
from cartagena.server.tables.access import audience_of
from cartagena.server.tables.service import Tables

LAST_EVENT: Final = "last-event-id"


class StreamFrom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The invitation code of a private table; the place to go on from, where no header can be sent."""

    invite: Word | None = None
    last: Annotated[str, Meta(max_length=24)] | None = None


class StreamApi:
    """The handlers."""

    def __init__(self, hub: StreamHub, tables: Tables) -> None:
        self._hub = hub
        self._tables = tables

    async def table(self, call: Call, receive: Receive, send: Send) -> None:
        """Tell everything that happens at a table, from where the client left off."""
        asked = call.query(StreamFrom)
        table = await self._tables.newest(call.uuid("table_id"))
        player = reader_of(call)
        visitor = _visitor(call, audience_of(table, player, asked.invite))
        last = call.header(LAST_EVENT) or asked.last
        await self._hub.table(
            table.id, visitor, Connection(receive=receive, send=send, abort=call.abort), last=last
        )


def _visitor(call: Call, audience: int) -> Visitor:
    session = call.session
    return Visitor(
        audience=audience,
        address=call.address,
        player_id=None if session is None else session.player_id,
        session_id=None if session is None else session.id,
    )


def stream_routes(hub: StreamHub, tables: Tables) -> tuple[Route, ...]:
    """The stream of a table."""
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
                "nothing is missed. The first event is the whole state."
            ),
            raw=api.table,
            query=StreamFrom,
            answer=EVENT_STREAM,
            problems=(*SEEN, Problem.TOO_MANY, Problem.UNAVAILABLE),
        ),
    )
