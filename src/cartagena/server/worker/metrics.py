"""The Prometheus metrics of a worker."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS = (0.005, 0.02, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0)


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
            "How long a bot took for a choice, waiting included",
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
