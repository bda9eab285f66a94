"""What is counted about a node's streams and its bus, for Prometheus."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from cartagena.server.bus.contract import Bus
from cartagena.server.http.streams.hub import StreamHub


class NodeMetrics(Collector):
    """Reports the counts that streams and bus keep for themselves, on each scrape."""

    def __init__(self, hub: StreamHub, bus: Bus) -> None:
        self._hub = hub
        self._bus = bus

    def collect(self) -> Iterator[Metric]:
        """The counts as they are now."""
        counts, bus = self._hub.counts, self._bus
        yield GaugeMetricFamily("cartagena_streams_open", "Streams that are open", len(self._hub))
        yield CounterMetricFamily("cartagena_streams_opened", "Streams opened", counts.opened)
        yield CounterMetricFamily("cartagena_streams_healed", "Streams that missed something", counts.healed)
        yield CounterMetricFamily("cartagena_streams_slow", "Streams cut off as too slow", counts.slow)
        yield CounterMetricFamily("cartagena_streams_dismissed", "Streams sent away", counts.dismissed)
        yield GaugeMetricFamily("cartagena_bus_connected", "Whether other nodes hear us", int(bus.connected))
        yield CounterMetricFamily("cartagena_bus_lost", "Messages lost on the bus", bus.lost)
        yield CounterMetricFamily("cartagena_bus_unreadable", "Messages nobody could read", bus.unreadable)
