"""Failures of the browser client: a page tells that a part of it failed; it is counted and logged."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from cartagena.messages.failures import PagePart, ReportFailure
from cartagena.server.http.api.ops import TAG
from cartagena.server.http.observability import Instruments
from cartagena.server.http.rate_limits import Limit, Rate
from cartagena.server.http.request import Call
from cartagena.server.http.routing import Example, Route

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
