"""uvicorn's HTTP, with an end to the length of headers and to the patience with slow senders."""

from asyncio import TimerHandle, Transport
from typing import Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from cartagena.messages import ProblemMessage, error_body
from cartagena.server.http.answers import JSON
from cartagena.server.http.headers import ALWAYS, encoded, wire_text
from cartagena.server.http.streams_protocol import StreamProtocol
from cartagena.server.shared.errors import Problem

_HEADERS_TOO_LONG: Final = 431
_UNREADABLE: Final = 400
_SEPARATORS: Final = len(": \r\n")


class HeadersTooLong(Exception):
    """A request's headers do not end where they should."""


class CarefulProtocol(StreamProtocol):
    """Ends a connection whose headers do not end, or whose request takes too long to arrive.

    uvicorn with httptools waits for both for ever, and keeps in memory what has come. Streams are not
    touched: their request has arrived long ago.
    """

    longest_headers = 32_768
    patience = 20.0
    """Seconds for a whole request to arrive, and for a new connection to say anything."""

    # Beside uvicorn's own attributes, whose number is just what a small dictionary holds.
    __slots__ = ("_arriving_since", "_head_bytes", "_in_head", "_is_too_long", "_timer")

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Somebody has connected."""
        super().connection_made(transport)
        self._head_bytes, self._in_head, self._is_too_long = 0, True, False
        self._arriving_since: float | None = self.loop.time()
        self._timer: TimerHandle | None = self.loop.call_later(self.patience, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """He has left."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request, or of several."""
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
        """All headers are there; too many end the connection."""
        self._in_head = False
        # What came since the last request ended bounds the headers, and is known already.
        if self._head_bytes > self.longest_headers and self._size_of_headers() > self.longest_headers:
            self._is_too_long = True
            raise HeadersTooLong
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._arriving_since = None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (uvicorn's words, we have our own)
        """Answer what is no HTTP, in the form of all our refusals, and hang up."""
        status = _HEADERS_TOO_LONG if self._is_too_long else _UNREADABLE
        problem = Problem.TOO_LARGE if self._is_too_long else Problem.UNREADABLE
        sentence = "the headers are too long" if self._is_too_long else "this is not HTTP"
        body = error_body(ProblemMessage(code=problem.code, message=sentence))
        own = ("Content-Type", JSON), ("Content-Length", str(len(body))), ("Connection", "close")
        head = wire_text(encoded((*ALWAYS, *own)))
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        self.transport.close()

    def _size_of_headers(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + _SEPARATORS for name, value in self.headers)

    def _look(self) -> None:
        """Hang up if a request is still arriving that began long ago."""
        self._timer = None
        if self._arriving_since is not None:
            wait = self._arriving_since + self.patience - self.loop.time()
            if wait <= 0:
                self.transport.abort()
            else:
                self._timer = self.loop.call_later(wait, self._look)
