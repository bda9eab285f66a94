"""Routes about the service itself: is it alive and ready, what has it counted, and which pages failed."""

import asyncio
import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

import msgspec
from msgspec import Struct
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from cartagena.endpoints.limits import OPERATING, Limit, Rate
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import JSON, Answer
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.requests import PagePart, ReportFailure
from cartagena.server.http.api_docs import Json, docs_page
from cartagena.server.http.authorization import credentials_of
from cartagena.server.http.client_address import is_this_machine
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments
from cartagena.server.http.openapi import document_of
from cartagena.tables.errors import Problem, ServiceError

FAILING: Final = Limit(group="failing", player=Rate(10, 0.1), address=Rate(60, 1))
"""A page that fails all the time says nothing new."""


class BrowserFailures(Collector):
    """How many failures pages have told of, by the part that failed."""

    def __init__(self) -> None:
        self._numbers: Counter[PagePart] = Counter()

    def count(self, part: PagePart) -> None:
        """Count one."""
        self._numbers[part] += 1

    def collect(self) -> Iterator[Metric]:
        """The numbers, as Prometheus reads them."""
        failures = CounterMetricFamily(
            "cartagena_browser_failures", "Parts of pages that failed in a browser", labels=("part",)
        )
        for part, number in self._numbers.items():
            failures.add_metric((part,), number)
        yield failures


def failure_route(tools: Instruments) -> Route:
    """Where pages tell that a part of them failed."""
    failures = BrowserFailures()
    tools.registry.register(failures)

    async def report_failure(call: Call) -> None:
        told = call.body(ReportFailure)
        failures.count(told.where)
        tools.log.info(
            "browser_failed",
            request_id=call.request_id,
            part=told.where,
            error=told.error,
            version=told.version,
            where=list(told.stack),
        )

    return Route(
        method="POST",
        path="/api/failures",
        name="report_failure",
        tag=TAG,
        summary="Tell that a part of a page failed",
        description="For the pages of this service. It is counted and logged, and kept nowhere else.",
        handler=report_failure,
        body=ReportFailure,
        limit=FAILING,
        example=Example(
            body=ReportFailure(
                where="turn",
                error="TypeError",
                version="/assets/index-Dk3f9a.js",
                stack=("sentenceOf /assets/TablePage-9fAx.js:1:20714",),
            )
        ),
    )


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
