"""The Prometheus metrics of a worker, for programs on the same machine and clients with the token."""

import hmac
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from ipaddress import ip_address
from time import perf_counter
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer

from cartagena.server.shared.listening import CannotListen
from cartagena.server.store.analyses import ANALYSIS, HINT

_SECONDS = (0.005, 0.02, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0)

CHOICE: Final = "choice"
"""What waits for its turn to think beside the slow jobs, which have names of their own."""
WORKS: Final = (CHOICE, HINT, ANALYSIS)


class WorkerMetrics:
    """Wakes, bots and slow jobs; `stuck` and `bot_troubles` are the ones to alert on."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.claims = Counter(
            "cartagena_wakes_claimed", "Games that were claimed because something was due", registry=registry
        )
        self.duties = Counter(
            "cartagena_wakes_done", "What was done at claimed tables", ("duty",), registry=registry
        )
        self.failures = Counter(
            "cartagena_wakes_failed", "Claims that ended with an error", registry=registry
        )
        self.stuck = Counter(
            "cartagena_wakes_stuck", "Claims of games that failed again and again", registry=registry
        )
        self.under_way = Gauge(
            "cartagena_wakes_in_flight", "Games that are being looked after", registry=registry
        )
        self.bot_seconds = Histogram(
            "cartagena_bot_seconds",
            "How long a bot took for a choice, once it was its turn to think",
            ("level",),
            buckets=_SECONDS,
            registry=registry,
        )
        self.bot_troubles = Counter(
            "cartagena_bot_troubles",
            "Choices that a bot did not make and another one made instead",
            ("level", "trouble"),
            registry=registry,
        )
        self.jobs = Counter(
            "cartagena_jobs", "Slow jobs by how they ended", ("job", "end"), registry=registry
        )
        self._count_the_queue(registry)

    def _count_the_queue(self, registry: CollectorRegistry) -> None:
        self.hurried = Counter(
            "cartagena_bots_hurried",
            "Turns that bots began with less time to think than usual, because others waited",
            ("level",),
            registry=registry,
        )
        self.waiting = Gauge(
            "cartagena_thinking_waiting",
            "Choices of bots, hints and analyses that wait for their turn to think",
            ("work",),
            registry=registry,
        )
        self.waited = Histogram(
            "cartagena_thinking_waited_seconds",
            "How long they waited for it",
            ("work",),
            buckets=_SECONDS,
            registry=registry,
        )
        for work in WORKS:
            # An empty queue is worth a line too: without it nobody can tell it from a worker that is gone.
            self.waiting.labels(work)

    @contextmanager
    def waits(self, work: str) -> Iterator[None]:
        """Count that some work waits, and for how long."""
        began = perf_counter()
        try:
            with self.waiting.labels(work).track_inprogress():
                yield
        finally:
            self.waited.labels(work).observe(perf_counter() - began)


# Any: what a request is to WSGI.
Request = dict[str, Any]
StartResponse = Callable[..., Any]
Page = Callable[[Request, StartResponse], Iterable[bytes]]

BY_A_PROXY: Final = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR")
REFUSED: Final = b"only this machine, or who brings the token, may read this\n"


def open_metrics(host: str, port: int, registry: CollectorRegistry, token: str | None) -> None:
    """Serve the metrics from now on, in a thread, until the process ends; raises CannotListen."""
    page = guarded(make_wsgi_app(registry), token)
    try:
        server = make_server(host, port, page, ThreadingWSGIServer, _Silent)
    except OSError as error:
        raise CannotListen(host, port, error) from error
    threading.Thread(target=server.serve_forever, daemon=True).start()


def guarded(page: Page, token: str | None) -> Page:
    """A page that only permitted clients can read, like that of a web node."""

    def answer(request: Request, start_response: StartResponse) -> Iterable[bytes]:
        if not (_is_this_machine(request) or _shows(request, token)):
            status = HTTPStatus.FORBIDDEN
            start_response(f"{status.value} {status.phrase}", [("Content-Type", "text/plain")])
            return [REFUSED]
        return page(request, start_response)

    return answer


def _is_this_machine(request: Request) -> bool:
    if any(name in request for name in BY_A_PROXY):
        return False
    return ip_address(request["REMOTE_ADDR"]).is_loopback


def _shows(request: Request, token: str | None) -> bool:
    scheme, _, shown = request.get("HTTP_AUTHORIZATION", "").partition(" ")
    if token is None or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(shown.encode(), token.encode())


class _Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Log nothing: a request is no news."""
