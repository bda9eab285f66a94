"""uvicorn's HTTP protocol, but a connection can be cut, and a whole answer is one write."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from weakref import ref

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from cartagena.server.http.headers import wire_text

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
