"""What is counted about requests, for Prometheus."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

_EDGES: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
_LABELS: Final = (*map(str, _EDGES), "+Inf")


class _Times:
    """How long the answers of one route took: the number in each bucket, and the total."""

    __slots__ = ("buckets", "seconds")

    def __init__(self) -> None:
        self.buckets = [0] * len(_LABELS)
        self.seconds = 0.0


class HttpMetrics(Collector):
    """Requests by route and status, how long they took, and how many are under way.

    Plain numbers while requests run; metric families are built only when they are read. One loop counts, so
    it needs none of the locks of Prometheus' own counters, which cost more than finding the route.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self.under_way = 0
        self._requests: dict[tuple[str, str, int], int] = {}
        self._times: dict[str, _Times] = {}
        registry.register(self)

    def count(self, method: str, template: str, status: int) -> None:
        """Count an answer."""
        key = (method, template, status)
        self._requests[key] = self._requests.get(key, 0) + 1

    def time(self, template: str, seconds: float) -> None:
        """Note how long an answer took."""
        times = self._times.get(template)
        if times is None:
            times = self._times[template] = _Times()
        times.buckets[bisect_left(_EDGES, seconds)] += 1
        times.seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """All numbers, as Prometheus reads them."""
        requests = CounterMetricFamily(
            "cartagena_http_requests", "Answers to requests", labels=("method", "route", "status")
        )
        for (method, template, status), number in self._requests.items():
            requests.add_metric((method, template, str(status)), number)
        seconds = HistogramMetricFamily(
            "cartagena_http_seconds", "How long an answer took; streams are not counted", labels=("route",)
        )
        for template, times in self._times.items():
            buckets = list(zip(_LABELS, map(float, accumulate(times.buckets)), strict=True))
            seconds.add_metric((template,), buckets, times.seconds)
        yield requests
        yield seconds
        yield GaugeMetricFamily(
            "cartagena_http_in_flight", "Requests and streams under way", value=self.under_way
        )
