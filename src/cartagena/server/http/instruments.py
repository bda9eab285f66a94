"""What an app counts, measures and logs with; passed in, so that tests can supply their own."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import structlog
from prometheus_client import CollectorRegistry
from structlog.typing import FilteringBoundLogger

from cartagena.server.tracing.port import Traces

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
