"""The body of a request, read up to its limit."""

from typing import Final

from cartagena.endpoints.asgi import Receive
from cartagena.endpoints.request import Headers
from cartagena.tables.errors import Problem, ServiceError

_JSON: Final = b"application/json"


class Gone(Exception):
    """The client left in the middle of its request; no answer is needed."""


async def read_body(receive: Receive, headers: Headers, limit: int) -> bytes:
    """The whole body; raises `too_large` as soon as it is known to exceed its limit."""
    # What the header claims is checked first, so that an honest client need not send it all.
    claimed = headers.get(b"content-length")
    if claimed is not None and int(claimed) > limit:
        raise _too_large(limit)
    body, more = b"", True
    while more and len(body) <= limit:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if len(body) > limit:
        raise _too_large(limit)
    return body


def check_is_json(headers: Headers) -> None:
    """Raise `not_json` unless the body is declared as JSON, which a form of another site cannot do."""
    said = headers.get(b"content-type", b"")
    if said != _JSON and said.partition(b";")[0].strip().lower() != _JSON:
        raise ServiceError(Problem.NOT_JSON, "the body must be application/json")


def _too_large(limit: int) -> ServiceError:
    return ServiceError(Problem.TOO_LARGE, f"the body may have {limit} bytes")
