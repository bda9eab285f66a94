"""Traces by OpenTelemetry, sent to a collector by OTLP over HTTP; imported only where they are on."""

import asyncio
import logging
import random
import time
from threading import Thread
from typing import Final
from uuid import UUID, uuid4

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, TraceFlags, Tracer
from opentelemetry.util.types import AttributeValue

from cartagena import __version__
from cartagena.server.tracing.spans import (
    CURRENT,
    TRACE_BYTES,
    ExpectedSpans,
    Sampler,
    StepName,
    read_traceparent,
)

PATH: Final = "v1/traces"
"""Appended to the address of the collector."""
SEND_SECONDS: Final = 5
END_SECONDS: Final = 5
"""Seconds that an ending process waits until its last steps are sent."""

_KINDS: Final = {
    "announce": SpanKind.PRODUCER,
    "wake.tell": SpanKind.PRODUCER,
    "arrive": SpanKind.CONSUMER,
    "wake": SpanKind.CONSUMER,
}
_TRACE_ID: Final = 16
_FOLLOWED: Final = TraceFlags(TraceFlags.SAMPLED)


class OtlpStep:
    """A span; implements the port `Step`."""

    __slots__ = ("_span", "_table", "_tracer", "_under")

    def __init__(self, tracer: Tracer, span: Span, under: Context, table: UUID | None) -> None:
        self._tracer = tracer
        self._span = span
        self._under = under
        self._table = table

    @property
    def trace(self) -> bytes:
        """The ids of the trace and of this step."""
        context = self._span.get_span_context()
        return context.trace_id.to_bytes(16) + context.span_id.to_bytes(8)

    @property
    def inside(self) -> Context:
        """Where steps within this one begin."""
        return trace.set_span_in_context(self._span, Context())

    def note(self, **numbers: int) -> None:
        """Add numbers."""
        self._span.set_attributes({f"cartagena.{name}": number for name, number in numbers.items()})

    def then(self, name: StepName, **numbers: int) -> "OtlpStep":
        """End, and begin the next."""
        self.end()
        return begun(self._tracer, name, self._under, self._table, **numbers)

    def answered(self, method: str, route: str, status: int) -> None:
        """End a request."""
        self._span.update_name(f"{method} {route}")
        self._span.set_attributes(
            {"http.request.method": method, "http.route": route, "http.response.status_code": status}
        )
        self.end()

    def end(self) -> None:
        """End."""
        self._span.end()


def begun(tracer: Tracer, name: StepName, under: Context, table: UUID | None, **numbers: int) -> OtlpStep:
    """A step that begins now."""
    attributes: dict[str, AttributeValue] = {f"cartagena.{key}": number for key, number in numbers.items()}
    if table is not None:
        attributes["cartagena.table"] = str(table)
    kind = _KINDS.get(name, SpanKind.INTERNAL)
    return OtlpStep(tracer, tracer.start_span(name, under, kind, attributes), under, table)


class OtlpTraces:
    """Implements the port `Traces`. What is begun here is always recorded: the choice is made before."""

    def __init__(self, endpoint: str, *, share: float, program: str) -> None:
        # Each process has an id of its own; nothing about the machine is sent.
        resource = Resource(
            {
                "service.name": "cartagena",
                "service.version": __version__,
                "service.instance.id": str(uuid4()),
                "cartagena.program": program,
            }
        )
        # It logs every attempt and every span that it drops; that it failed is enough.
        logging.getLogger("opentelemetry").setLevel(logging.ERROR)
        exporter = OTLPSpanExporter(f"{endpoint.rstrip('/')}/{PATH}", timeout=SEND_SECONDS)
        self._provider = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("cartagena", __version__)
        self._choice = Sampler(share, chance=random.random, clock=time.monotonic)
        self._expected = ExpectedSpans(clock=time.monotonic)

    def request(self, traceparent: bytes | None, request_id: str) -> OtlpStep | None:
        """A request begins."""
        told = None if traceparent is None else read_traceparent(traceparent)
        if told is not None:
            under = _after(told[0]) if told[1] and self._choice.takes_up() else None
        else:
            under = Context() if self._choice.by_chance() else None
        if under is None:
            return None
        attributes: dict[str, AttributeValue] = {"cartagena.request_id": request_id}
        span = self._tracer.start_span("request", under, SpanKind.SERVER, attributes)
        return OtlpStep(self._tracer, span, under, None)

    def step(
        self, name: StepName, table: UUID, *, after: bytes | None = None, **numbers: int
    ) -> OtlpStep | None:
        """A step begins."""
        current = CURRENT.get() if after is None else None
        if after is not None and len(after) == TRACE_BYTES:
            under = _after(after)
        elif isinstance(current, OtlpStep):
            under = current.inside
        else:
            return None
        return begun(self._tracer, name, under, table, **numbers)

    def expect(self, table: UUID, trace: bytes) -> None:
        """Let the worker that claims this table soon go on with `trace`."""
        self._expected.add(table, trace)

    def wake(self, table: UUID, *, seq: int, tries: int) -> OtlpStep | None:
        """A worker has claimed a table."""
        trace = self._expected.take(table)
        if trace is not None:
            return self.step("wake", table, after=trace, seq=seq, tries=tries)
        if not self._choice.by_chance():
            return None
        return begun(self._tracer, "wake", Context(), table, seq=seq, tries=tries)

    async def close(self) -> None:
        """Send what is left, in a few seconds or not at all."""
        # OpenTelemetry tries for half a minute; a thread that is no longer waited for ends with the process.
        sending = Thread(target=self._provider.shutdown, daemon=True)
        sending.start()
        await asyncio.to_thread(sending.join, END_SECONDS)


def _after(told: bytes) -> Context:
    context = SpanContext(
        int.from_bytes(told[:_TRACE_ID]),
        int.from_bytes(told[_TRACE_ID:]),
        is_remote=True,
        trace_flags=_FOLLOWED,
    )
    return trace.set_span_in_context(NonRecordingSpan(context), Context())
