"""A visit: one request on its way through the app, with what the log needs."""

from typing import Final
from uuid import UUID

from cartagena.server.http.asgi import Scope as AsgiScope
from cartagena.server.http.client_address import UNIX, Addresses, Headers
from cartagena.server.http.routing import Endpoint
from cartagena.server.shared.callers import Session

NOWHERE: Final = "(no such path)"
"""The template of requests that match no route; paths themselves may hold codes and are not logged."""
GONE: Final = 499
"""The status in logs when the client left before the answer; never sent."""
OTHER_METHOD: Final = "other"
"""Any unknown method: clients must not fill the counters with methods of their own."""

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestContext:
    """The request as it came, and what has become known about it so far."""

    __slots__ = (
        "address", "admitted", "began", "code", "door", "headers", "method", "path", "peer", "query",
        "request_id", "scope", "session", "started", "status",
    )  # fmt: skip

    def __init__(self, scope: AsgiScope, addresses: Addresses, *, began: float, request_id: str) -> None:
        self.scope = scope
        self.began = began
        self.request_id = request_id
        method: str = scope["method"]
        self.method = method if method in _METHODS else OTHER_METHOD
        self.path: str = scope["path"]
        self.query: bytes = scope["query_string"]
        self.headers: Headers = dict(scope["headers"])
        client = scope.get("client")
        self.peer: str = client[0] if client else UNIX
        self.address = addresses.of(self.peer, scope["headers"])
        self.door: Endpoint | None = None
        self.session: Session | None = None
        self.admitted: UUID | None = None
        self.status = GONE
        self.code: str | None = None
        self.started = False

    @property
    def template(self) -> str:
        """The template of its route, fit for logs and counters."""
        return NOWHERE if self.door is None else self.door.template
