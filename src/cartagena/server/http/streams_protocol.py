"""HTTP for streams: the usual one of uvicorn, but a connection can be cut."""

from collections.abc import Callable
from typing import Final

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

ABORT: Final = "cartagena.abort"
"""The extension of ASGI under which a request finds how to cut its connection."""


class StreamProtocol(HttpToolsProtocol):
    """What uvicorn is started with: `uvicorn.Config(app, http=StreamProtocol)`.

    ASGI has no word for cutting a connection. Without it one that is full, because its client takes nothing,
    is closed only when the client has taken everything: somebody could hold thousands of them for ever.
    """

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self.scope["extensions"] = {ABORT: {"abort": self.transport.abort}}


def abort_of(scope: Scope) -> Callable[[], None] | None:
    """How to cut the connection of a request; None if the server knows no way."""
    abort: Callable[[], None] | None = scope.get("extensions", {}).get(ABORT, {}).get("abort")
    return abort
