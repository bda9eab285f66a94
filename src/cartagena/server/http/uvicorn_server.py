"""uvicorn as we run it: limits on headers and slow clients, and connections that can be cut."""

from asyncio import TimerHandle, Transport
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from weakref import ref

import msgspec
import uvicorn
from msgspec import Struct
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from cartagena.endpoints.asgi import ASGIApp, Message, Scope, Send
from cartagena.endpoints.responses import JSON, Answer
from cartagena.messages import ProblemMessage, error_body
from cartagena.server.http.authorization import Origins
from cartagena.server.http.client_address import UNIX
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import RequestContext
from cartagena.server.http.rate_limits import Connections
from cartagena.server.http.response_headers import (
    ALWAYS,
    HTTPS_ONLY,
    RawLines,
    encoded,
    overlaid,
    usual_lines,
    wire_text,
)
from cartagena.server.shared.library_checks import require_parts
from cartagena.tables.errors import Problem

# Writes answers: the struct as JSON, the headers, the cookies.

_NO_CONTENT: Final = frozenset({204, 304})
_START: Final = "http.response.start"


class Writer:
    """Sends answers, with the headers that all of them carry."""

    def __init__(self, settings: HttpSettings, origins: Origins) -> None:
        self._usual = usual_lines(settings)
        self._usual_text = wire_text(self._usual)
        self._secure = settings.https
        self._origins = origins
        self._encode = msgspec.json.Encoder().encode

    async def write(self, context: RequestContext, answer: Answer, send: Send) -> None:
        """Send a whole answer."""
        body = self._body(answer)
        context.admitted = answer.admitted
        status = answer.status or (200 if context.endpoint is None else context.endpoint.route.success)
        whole = whole_of(context.scope)
        if whole is not None and not answer.headers and context.method != "HEAD":
            # Without headers of its own, the answer overrides none of the usual lines: no merge is needed.
            context.status, context.started = status, True
            own = wire_text(self._own_lines(context, answer, status, body))
            await whole(status, self._usual_text + own, body)
            return
        lines = overlaid(
            [*self._usual, *self._own_lines(context, answer, status, body)], encoded(answer.headers)
        )
        context.status, context.started = status, True
        await send({"type": _START, "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": body})

    def _own_lines(self, context: RequestContext, answer: Answer, status: int, body: bytes) -> RawLines:
        """The headers of this answer alone."""
        lines = self._context_lines(context)
        if status not in _NO_CONTENT:
            lines.append((b"content-length", b"%d" % len(body)))
            lines.append((b"content-type", self._media_type(context, answer)))
        lines += [
            (b"set-cookie", cookie.line(secure=self._secure).encode("ascii")) for cookie in answer.cookies
        ]
        return lines

    def dressed(self, context: RequestContext, send: Send) -> Send:
        """Return a `send` for a route that speaks ASGI directly: it adds the usual headers."""
        usual = [*self._usual, *self._context_lines(context)]

        async def dressed_send(message: Message) -> None:
            if message["type"] == _START:
                context.status, context.started = message["status"], True
                message = {**message, "headers": overlaid(usual, list(message.get("headers", ())))}
            await send(message)

        return dressed_send

    def _context_lines(self, context: RequestContext) -> RawLines:
        request_id = (b"x-request-id", context.request_id.encode("ascii"))
        return [request_id, *self._origins.cors_lines(context.headers)]

    def _body(self, answer: Answer) -> bytes:
        content = answer.content
        if isinstance(content, Struct):
            return self._encode(content)
        return content or b""

    @staticmethod
    def _media_type(context: RequestContext, answer: Answer) -> bytes:
        if answer.media_type is not None:
            return answer.media_type.encode("ascii")
        return b"application/json" if context.endpoint is None else context.endpoint.content_type


EXTENSION: Final = "cartagena"
"""The ASGI extension under which a request finds what ASGI itself lacks."""

SendWhole = Callable[[int, bytes, bytes], Awaitable[None]]
"""Sends an answer: its status, its headers as they go over the wire, its body."""


class StreamProtocol(HttpToolsProtocol):
    """What uvicorn is started with: `uvicorn.Config(app, http=StreamProtocol)`.

    ASGI has no way to cut a connection. Without one, a connection that is full because its client reads
    nothing closes only when the client has read everything: an attacker could hold thousands for ever.
    Nor can it send an answer that is known as a whole: uvicorn would write head and body separately,
    and each write wakes the receiver.
    """

    def on_headers_complete(self) -> None:
        """A request can be answered from now on."""
        super().on_headers_complete()
        more: dict[object, object] = {
            "abort": self.transport.abort,
            # Weak, because the cycle holds its scope: rings would wait for the garbage collector, which
            # stalls the event loop.
            "whole": partial(_send_whole, ref(self.cycle)),
        }
        self.scope["extensions"] = {EXTENSION: more}


def abort_of(scope: Scope) -> Callable[[], None] | None:
    """How to cut the connection of a request; None if the server knows no way."""
    abort: Callable[[], None] | None = scope.get("extensions", {}).get(EXTENSION, {}).get("abort")
    return abort


def whole_of(scope: Scope) -> SendWhole | None:
    """How to send a whole answer at once; None if the server knows no way."""
    whole: SendWhole | None = scope.get("extensions", {}).get(EXTENSION, {}).get("whole")
    return whole


async def _send_whole(asked: "ref[RequestResponseCycle]", status: int, head: bytes, body: bytes) -> None:
    """Do what `cycle.send` does for the two messages of an answer, in one go."""
    cycle = asked()
    assert cycle is not None, "who is asked is there until the answer"
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if cycle.disconnected:
        return
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    own = wire_text(cycle.default_headers)
    end = b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n"
    cycle.transport.write(b"".join((STATUS_LINE[status], own, head, end, body)))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()


_HEADERS_TOO_LONG: Final = 431
_UNREADABLE: Final = 400
_TOO_MANY: Final = 429
_SEPARATORS: Final = len(": \r\n")
_TRY_AGAIN: Final = 5


class HeadersTooLong(Exception):
    """A request's headers are too long."""


class CarefulProtocol(StreamProtocol):
    """Ends a connection whose headers are too long, or whose request or answer takes too long.

    uvicorn with httptools waits for all of these for ever, and keeps what was received or is to be sent
    in memory. The request of a stream arrived long ago; one whose client reads nothing ends like any answer.
    """

    longest_headers = 32_768
    patience = 20.0
    """Seconds for a whole request to arrive, and for a new connection to say anything."""
    patience_taking = 60.0
    """Seconds in which the client must read part of an answer; the buffers in between empty in bursts."""

    # Slots, because uvicorn's own attributes exactly fill a small dictionary.
    __slots__ = (
        "_arriving_since", "_head_bytes", "_in_head", "_is_too_long", "_steps", "_taking", "_timer",
        "_untaken", "_was_admitted",
    )  # fmt: skip

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """A client has connected."""
        super().connection_made(transport)
        self._head_bytes, self._in_head, self._is_too_long = 0, True, False
        self._arriving_since: float | None = self.loop.time()
        self._timer: TimerHandle | None = self.loop.call_later(self.patience, self._look)
        self._taking: TimerHandle | None = None
        self._untaken, self._steps = (0, 0), 0
        known = self._connections
        self._was_admitted = known is None or known.admit(self._peer)
        if not self._was_admitted:
            self._refuse(_TOO_MANY, Problem.TOO_MANY, "this address has too many connections open")

    @property
    def _connections(self) -> Connections | None:
        known: Connections | None = getattr(self.config, "connections", None)
        return known

    @property
    def _peer(self) -> str:
        return UNIX if self.client is None else self.client[0]

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has left."""
        for timer in (self._timer, self._taking):
            if timer is not None:
                timer.cancel()
        if self._was_admitted and (known := self._connections) is not None:
            known.leave(self._peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in some bytes of one request, or of several."""
        if not self._was_admitted:
            return
        self._head_bytes += len(data)
        super().data_received(data)
        if not self._in_head:
            self._head_bytes = 0
        elif self._head_bytes > self.longest_headers and not self.transport.is_closing():
            self._is_too_long = True
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = True
        self._arriving_since = self.loop.time()
        if self._timer is None:
            self._timer = self.loop.call_later(self.patience, self._look)

    def on_headers_complete(self) -> None:
        """All headers have arrived; if they are too long, the connection ends."""
        self._in_head = False
        # The bytes since the last request are an upper bound for the headers, and already known.
        if self._head_bytes > self.longest_headers and self._size_of_headers() > self.longest_headers:
            self._is_too_long = True
            raise HeadersTooLong
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request has arrived."""
        self._arriving_since = None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (uvicorn's words, we have our own)
        """Answer what is not HTTP, in the form of all our refusals, and hang up."""
        if self._is_too_long:
            self._refuse(_HEADERS_TOO_LONG, Problem.TOO_LARGE, "the headers are too long")
        else:
            self._refuse(_UNREADABLE, Problem.UNREADABLE, "this is not HTTP")

    def _refuse(self, status: int, problem: Problem, sentence: str) -> None:
        if self._connections is not None:
            self._connections.refused[status] += 1
        wait = _TRY_AGAIN if status == _TOO_MANY else None
        body = error_body(ProblemMessage(code=problem.code, message=sentence, retry_after=wait))
        own = ("Content-Type", JSON), ("Content-Length", str(len(body))), ("Connection", "close")
        more: tuple[tuple[str, str], ...] = () if wait is None else (("Retry-After", str(wait)),)
        if getattr(self.config, "secure", False):
            more = (*more, HTTPS_ONLY)
        head = wire_text(encoded((*ALWAYS, *own, *more)))
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        self.transport.close()
        self._watch_taking()

    # Answers that the client does not read.

    def on_response_complete(self) -> None:
        """The app has sent everything; now the client must read it."""
        super().on_response_complete()
        self._steps += 1
        self._watch_taking()

    def pause_writing(self) -> None:
        """The write buffer is too full."""
        super().pause_writing()
        self._watch_taking()

    def resume_writing(self) -> None:
        """The write buffer has room again."""
        super().resume_writing()
        self._steps += 1

    def _watch_taking(self) -> None:
        if self._taking is None:
            self._untaken = self._steps, self.transport.get_write_buffer_size()
            self._taking = self.loop.call_later(self.patience_taking, self._look_at_taking)

    def _look_at_taking(self) -> None:
        """Hang up if the write buffer has not shrunk."""
        self._taking = None
        left = self.transport.get_write_buffer_size()
        if not left:
            return
        steps, untaken = self._untaken
        # If `_steps` has changed, the buffer holds something else by now.
        if steps == self._steps and left >= untaken:
            self.transport.abort()
        else:
            self._watch_taking()

    def _size_of_headers(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + _SEPARATORS for name, value in self.headers)

    def _look(self) -> None:
        """Hang up if a request that began long ago is still arriving."""
        self._timer = None
        if self._arriving_since is not None:
            wait = self._arriving_since + self.patience - self.loop.time()
            if wait <= 0:
                self.transport.abort()
            else:
                self._timer = self.loop.call_later(wait, self._look)


_KEEP_ALIVE_SECONDS: Final = 30
"""Longer than players think about most moves, so that the next one needs no new connection."""


OVERRIDDEN: Final = {
    "connection_made": ("transport",),
    "connection_lost": ("exc",),
    "data_received": ("data",),
    "on_message_begin": (),
    "on_headers_complete": (),
    "on_message_complete": (),
    "on_response_complete": (),
    "pause_writing": (),
    "resume_writing": (),
}
"""Methods of uvicorn's protocol that ours builds on."""
ANSWERED_BY: Final = {
    "__init__": (
        *("scope", "transport", "flow", "logger", "access_logger", "access_log", "default_headers"),
        *("message_event", "expect_100_continue", "keep_alive", "on_response"),
    ),
}
"""What uvicorn makes an answer of; ours is written in one go with the same parts."""


class ServiceConfig(uvicorn.Config):
    """The settings of uvicorn, and the connections that its protocol counts."""

    connections: Connections
    secure: bool
    """Whether players use https."""


def uvicorn_config(  # noqa: PLR0913 (each by its name)
    app: ASGIApp,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    uds: str | None = None,
    fd: int | None = None,
    graceful_seconds: int = 10,
    connections: Connections | None = None,
    secure: bool = False,
) -> ServiceConfig:
    """The settings of uvicorn: our log instead of its own, our reading of proxies, our protocol."""
    require_parts("uvicorn", HttpToolsProtocol, OVERRIDDEN)
    require_parts("uvicorn", RequestResponseCycle, ANSWERED_BY)
    config = ServiceConfig(
        app,
        host=host,
        port=port,
        uds=uds,
        fd=fd,
        http=CarefulProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=graceful_seconds,
    )
    config.connections = Connections() if connections is None else connections
    config.secure = secure
    return config
