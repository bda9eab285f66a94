"""Logs and metrics of requests: what is written and counted about each, and never a secret."""

import logging
import sys
import time
import traceback
from bisect import bisect_left
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from typing import Any, BinaryIO, Final, TextIO
from uuid import UUID

import msgspec
import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from structlog.typing import FilteringBoundLogger, Processor, WrappedLogger

from cartagena.endpoints.asgi import Scope as AsgiScope
from cartagena.endpoints.callers import Session
from cartagena.endpoints.request import Headers
from cartagena.endpoints.responses import INTERNAL, RefusedAnswer
from cartagena.endpoints.routing import Endpoint
from cartagena.server.http.client_address import UNIX, Addresses
from cartagena.server.shared.settings import LogStyle
from cartagena.server.tracing.spans import Traces

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
        "address", "admitted", "began", "code", "endpoint", "headers", "method", "path", "peer", "query",
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
        self.endpoint: Endpoint | None = None
        self.session: Session | None = None
        self.admitted: UUID | None = None
        self.status = GONE
        self.code: str | None = None
        self.started = False

    @property
    def template(self) -> str:
        """The template of its route, fit for logs and counters."""
        return NOWHERE if self.endpoint is None else self.endpoint.template


# Any: structlog's own type for what goes through its processors.
Entry = MutableMapping[str, Any]

_MOST_FRAMES: Final = 20


def frames_of(error: BaseException) -> list[str]:
    """List where an error came from: files, lines and functions; never values, never its message."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


class Stamp:
    """Adds the time to each entry, in UTC and to the millisecond.

    >>> Stamp(lambda: 1700000000.25)(None, "info", {})
    {'at': '2023-11-14T22:13:20.250Z'}
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._second = -1
        self._text = ""

    def __call__(self, _logger: WrappedLogger, _method: str, entry: Entry) -> Entry:
        """Add `at`."""
        now = self._clock()
        second = int(now)
        # Thousands of entries share a second, and formatting it is most of the work.
        if second != self._second:
            self._second = second
            self._text = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        entry["at"] = f"{self._text}.{int((now - second) * 1000):03d}Z"
        return entry


def discreet_errors(_logger: WrappedLogger, _method: str, entry: Entry) -> Entry:
    """Log the type of an error and where it happened; its message may hold cards, tokens or addresses."""
    if "exc_info" not in entry:
        return entry
    error = entry.pop("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        entry["error"] = type(error).__qualname__
        entry["where"] = frames_of(error)
    return entry


def json_log(stream: BinaryIO, *, level: int = logging.INFO) -> FilteringBoundLogger:
    """A log with one JSON object per line, apart from that of the process."""
    bound: FilteringBoundLogger = structlog.wrap_logger(
        structlog.BytesLogger(stream),
        processors=[*_processors(), _json],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    ).bind()
    return bound


def configure_logs(stream: TextIO, *, style: LogStyle | None = None, level: int = logging.INFO) -> None:
    """Send everything that this process logs, libraries included, to one stream in one form.

    Call it once, from a program, before it builds anything. Without a style, a terminal gets columns.
    """
    in_terminal = stream.isatty() if style is None else style is LogStyle.CONSOLE
    drawn: Processor = structlog.dev.ConsoleRenderer(colors=stream.isatty()) if in_terminal else _json
    structlog.configure(
        processors=[*_processors(), drawn],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream)
        if in_terminal
        else structlog.BytesLoggerFactory(stream.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_Library()], level=max(level, logging.WARNING), force=True)


class _Library(logging.Handler):
    """Copies what libraries log into our log: the logger, the line, and the text without values."""

    def emit(self, record: logging.LogRecord) -> None:
        # With arguments the text is a template; without them, it may already contain values.
        words = str(record.msg) if record.args else None
        # What an error says may hold anything; its kind does not.
        kind = {"error": type(record.msg).__qualname__} if isinstance(record.msg, BaseException) else {}
        structlog.get_logger().log(
            record.levelno,
            "library",
            logger=record.name,
            words=words,
            line=f"{record.pathname}:{record.lineno} {record.funcName}",
            exc_info=record.exc_info,
            **kind,
        )


def _processors() -> tuple[Processor, ...]:
    return (structlog.processors.add_log_level, Stamp(), discreet_errors)


def _json(_logger: WrappedLogger, _method: str, entry: Entry) -> bytes:
    return _ENCODER.encode(entry)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=repr)

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


_CHANCE = Random()


def new_request_id() -> str:
    """Return sixteen random hexadecimal digits, different in every process."""
    return f"{_CHANCE.getrandbits(64):016x}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruments:
    """Clock, ids, log, counters and, if it has any, traces of one process."""

    clock: Callable[[], float] = time.monotonic
    new_request_id: Callable[[], str] = new_request_id
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    log: FilteringBoundLogger = field(default_factory=structlog.get_logger)
    traces: Traces | None = None


class RequestRecord:
    """Logs one line per request, and counts it."""

    def __init__(self, tools: Instruments) -> None:
        self._tools = tools
        self._metrics = HttpMetrics(tools.registry)

    def begin(self) -> None:
        """Count a request that begins."""
        self._metrics.under_way += 1

    def end(self, context: RequestContext) -> None:
        """Record a request that was answered, or whose client has left."""
        self._metrics.under_way -= 1
        seconds = self._tools.clock() - context.began
        endpoint = context.endpoint
        self._metrics.count(context.method, context.template, context.status)
        if endpoint is None or not endpoint.is_stream:
            self._metrics.time(context.template, seconds)
        self._tell(context, round(seconds * 1000, 2))

    def refused(self, context: RequestContext, refused: RefusedAnswer, error: Exception) -> None:
        """Log the unexpected: an error of ours, or a problem that the route does not document."""
        code = refused.problem.code
        if code == INTERNAL:
            self._tools.log.error(
                "failed", request_id=context.request_id, route=context.template, exc_info=error
            )
        elif context.endpoint is not None and code not in context.endpoint.codes.get(refused.status, ()):
            self._tools.log.warning("undocumented", route=context.template, status=refused.status, code=code)

    def _tell(self, context: RequestContext, milliseconds: float) -> None:
        if context.code is None and context.endpoint is not None and context.endpoint.route.quiet:
            return
        # The player whom this request signed in; `player` is the one it came from, if any.
        came_in = {} if context.admitted is None else {"admitted": context.admitted}
        self._tools.log.info(
            "request",
            request_id=context.request_id,
            method=context.method,
            route=context.template,
            status=context.status,
            code=context.code,
            ms=milliseconds,
            player=None if context.session is None else context.session.player_id,
            **came_in,
        )
