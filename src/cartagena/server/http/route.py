"""A route: everything there is to know about one thing that can be asked of the service."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct
from starlette.types import Receive, Send

from cartagena.server.http.answers import Answer
from cartagena.server.http.call import Call
from cartagena.server.http.limits import READING, Limit
from cartagena.server.http.template import plain
from cartagena.server.shared.errors import Problem
from cartagena.server.shared.session import Scope

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler = Callable[[Call], Awaitable[Struct | Answer | None]]
"""Turns a call into a command and its result into an answer; None is an answer without content."""
RawHandler = Callable[[Call, Receive, Send], Awaitable[None]]
"""Speaks ASGI directly after guard and limits have run; for streams."""

EVENT_STREAM: Final = "text/event-stream"
USUAL_BODY_LIMIT: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A body that could be sent, and the answer to it."""

    body: Struct | None = None
    answer: Struct | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One method of one path. Exactly one of `handler` and `raw` is given.

    `answer` is a struct, a media type for anything else, or None for an answer without content. `problems`
    are those that the handler may raise; what guard, limits and reading may refuse is added for it.
    """

    method: Method
    path: str
    name: str
    tag: str
    summary: str
    handler: Handler | None = None
    raw: RawHandler | None = None
    description: str = ""
    body: type[Struct] | None = None
    query: type[Struct] | None = None
    answer: type[Struct] | str | None = None
    status: int | None = None
    """The status of a success; usually 200, or 204 without content."""
    scope: Scope | None = None
    anonymous: bool = False
    """Never asks who is calling, so that it works when sessions cannot be read."""
    quiet: bool = False
    """Asked by machines all day; logged only when it fails."""
    limit: Limit = READING
    body_limit: int = USUAL_BODY_LIMIT
    problems: tuple[Problem, ...] = ()
    other_answers: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further statuses of a success, each with a sentence; their content is of the same type."""
    answer_headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Headers that only this route sends, each with a sentence."""
    example: Example = Example()

    def __post_init__(self) -> None:
        assert (self.handler is None) != (self.raw is None), f"{self.name}: one of handler and raw"
        assert not (self.anonymous and self.scope), f"{self.name}: who needs a scope must say who he is"
        assert not self.anonymous or self.method == "GET", f"{self.name}: a change is somebody's"
        assert self.body is None or self.method != "GET", f"{self.name}: a GET has no body"

    @property
    def success(self) -> int:
        """The status of a success."""
        return self.status or (204 if self.answer is None else 200)

    @property
    def template(self) -> str:
        """The path as people and logs write it."""
        return plain(self.path)
