"""A collector for tests: takes OTLP over HTTP as any collector does, and keeps the spans."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A span that arrived, and the process that sent it."""

    name: str
    process: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, str | int]
    nanoseconds: int
    text: str = field(repr=False)
    """All of it, as it can be read."""


@dataclass
class Collector:
    """What has arrived."""

    url: str
    spans: list[Seen] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)

    def named(self, name: str) -> list[Seen]:
        """The spans of one name."""
        return [span for span in self.spans if span.name == name]

    def one(self, name: str) -> Seen:
        """The only span of a name."""
        (span,) = self.named(name)
        return span


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector on a free port while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.paths.add(self.path)
            collector.spans.extend(spans_of(ExportTraceServiceRequest.FromString(body)))
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_port}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()


def spans_of(request: ExportTraceServiceRequest) -> Iterator[Seen]:
    """Every span of a request."""
    for resource in request.resource_spans:
        process = str(_values(resource.resource.attributes)["service.instance.id"])
        around = str(resource.resource)
        for scope in resource.scope_spans:
            yield from (_seen(span, process, around) for span in scope.spans)


def _seen(span: Span, process: str, around: str) -> Seen:
    return Seen(
        name=span.name,
        process=process,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        attributes=_values(span.attributes),
        nanoseconds=span.end_time_unix_nano - span.start_time_unix_nano,
        text=f"{around}\n{span}",
    )


def _values(pairs: Iterable[KeyValue]) -> dict[str, str | int]:
    return {
        pair.key: pair.value.string_value if pair.value.HasField("string_value") else pair.value.int_value
        for pair in pairs
    }
