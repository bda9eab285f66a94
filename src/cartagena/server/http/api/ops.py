"""Routes that every service has: is it alive, is it ready, what has it counted, what can it do."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

import msgspec
from msgspec import Struct
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from cartagena.server.http.authorization import credentials_of
from cartagena.server.http.client_address import is_this_machine
from cartagena.server.http.docs.page import Json, docs_page
from cartagena.server.http.openapi import document_of
from cartagena.server.http.rate_limits import OPERATING
from cartagena.server.http.request import Call
from cartagena.server.http.responses import JSON, Answer
from cartagena.server.http.routing import Example, Route
from cartagena.server.http.settings import HttpSettings
from cartagena.server.shared.errors import Problem, ServiceError

ReadyCheck = Callable[[], Awaitable[None]]
"""Returns when something that the service needs is there; raises when it is not."""

HTML: Final = "text/html; charset=utf-8"
TAG: Final = "operation"

_PATIENCE_SECONDS: Final = 2.0


class HealthMessage(Struct, frozen=True, kw_only=True):
    """The process is alive."""

    alive: Literal[True] = True


class ReadyMessage(Struct, frozen=True, kw_only=True):
    """The service can do its work; `checks` names what was looked at."""

    ready: Literal[True] = True
    checks: tuple[str, ...]


def ops_routes(
    routes: Sequence[Route],
    settings: HttpSettings,
    ready_checks: Mapping[str, ReadyCheck],
    registry: CollectorRegistry,
) -> tuple[Route, ...]:
    """Return the routes that every service has; the document covers both `routes` and these."""
    watching = (_health(), _ready(ready_checks), _metrics(settings, registry))

    def document() -> Json:
        return document_of((*routes, *watching, *telling), version=settings.version, secure=settings.https)

    telling = _telling(_Document(document))
    return (*watching, *telling)


class _Document:
    """The documentation of the API; built on the first request, so that startup does not wait for it."""

    def __init__(self, make: Callable[[], Json]) -> None:
        self._make = make

    @cached_property
    def told(self) -> Json:
        return self._make()

    @cached_property
    def for_programs(self) -> Answer:
        return Answer(content=msgspec.json.encode(self.told))

    @cached_property
    def for_people(self) -> Answer:
        return docs_page(self.told)


def _health() -> Route:
    async def health(_call: Call) -> HealthMessage:
        return HealthMessage()

    return Route(
        method="GET",
        path="/health",
        name="health",
        tag=TAG,
        summary="Is the process alive?",
        handler=health,
        answer=HealthMessage,
        anonymous=True,
        quiet=True,
        limit=OPERATING,
        example=Example(answer=HealthMessage()),
    )


def _ready(checks: Mapping[str, ReadyCheck]) -> Route:
    async def ready(_call: Call) -> ReadyMessage:
        verdicts = await asyncio.gather(*map(_holds, checks.values()))
        missing = [name for name, holds in zip(checks, verdicts, strict=True) if not holds]
        if missing:
            raise ServiceError(Problem.UNAVAILABLE, f"not ready: {', '.join(missing)}")
        return ReadyMessage(checks=tuple(checks))

    return Route(
        method="GET",
        path="/ready",
        name="ready",
        tag=TAG,
        summary="Can the service do its work?",
        description="Looks at everything it needs; 503 names what is missing.",
        handler=ready,
        answer=ReadyMessage,
        problems=(Problem.UNAVAILABLE,),
        anonymous=True,
        quiet=True,
        limit=OPERATING,
        example=Example(answer=ReadyMessage(checks=("database", "bus"))),
    )


async def _holds(check: ReadyCheck) -> bool:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await check()
    except Exception:  # noqa: BLE001 (whatever is wrong with a thing we need, it is not ready)
        return False
    return True


def _metrics(settings: HttpSettings, registry: CollectorRegistry) -> Route:
    async def metrics(call: Call) -> Answer:
        if not (is_this_machine(call.peer, call.headers) or _shows(call, settings.metrics_token)):
            raise ServiceError(Problem.FORBIDDEN, "only this machine, or who brings the token, may read this")
        return Answer(content=generate_latest(registry))

    return Route(
        method="GET",
        path="/metrics",
        name="metrics",
        tag=TAG,
        summary="What has been counted, for Prometheus",
        description="For programs of the same machine, and for who brings the operator's token as a bearer.",
        handler=metrics,
        answer=CONTENT_TYPE_LATEST,
        problems=(Problem.FORBIDDEN,),
        anonymous=True,
        quiet=True,
        limit=OPERATING,
    )


def _shows(call: Call, token: str | None) -> bool:
    # Cookies do not count here, whatever they are called.
    shown = credentials_of(call.headers, secure=True)
    if token is None or shown is None or shown.by_cookie:
        return False
    return hmac.compare_digest(shown.token.encode(), token.encode())


def _telling(document: _Document) -> tuple[Route, Route]:
    # In a thread: building it takes a fifth of a second, and streams must go on meanwhile.
    async def tell_programs(_call: Call) -> Answer:
        return await asyncio.to_thread(lambda: document.for_programs)

    async def tell_people(_call: Call) -> Answer:
        return await asyncio.to_thread(lambda: document.for_people)

    return (
        Route(
            method="GET",
            path="/api/openapi.json",
            name="openapi",
            tag=TAG,
            summary="This document, for programs",
            handler=tell_programs,
            answer=JSON,
            anonymous=True,
            limit=OPERATING,
        ),
        Route(
            method="GET",
            path="/api/docs",
            name="docs",
            tag=TAG,
            summary="This document, for people",
            handler=tell_people,
            answer=HTML,
            anonymous=True,
            limit=OPERATING,
        ),
    )
