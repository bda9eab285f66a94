"""Write the dashboard of deploy/watch from the list of its panels: `python -m scripts.dashboard`."""

import json
import re
from pathlib import Path
from typing import Final, NamedTuple

WATCH: Final = Path(__file__).parents[1] / "deploy" / "watch"
DASHBOARD: Final = WATCH / "dashboard.json"
METRIC: Final = re.compile(r"\bcartagena_[a-z_]+\b")

MOVES: Final = '{route="/api/tables/{table_id}/actions"}'
WIDTH: Final = 8
"""Three panels stand in a row of 24 columns."""
HEIGHT: Final = 7


class Panel(NamedTuple):
    """A picture: what it shows, in which unit, and the lines in it, each with its legend."""

    title: str
    unit: str
    lines: tuple[tuple[str, str], ...]


def _percentile(part: float, metric: str, by: str = "le", where: str = "") -> str:
    return f"histogram_quantile({part}, sum by ({by}) (rate({metric}_bucket{where}[5m])))"


def _rate(metric: str, by: str, where: str = "") -> str:
    return f"sum by ({by}) (rate({metric}{where}[5m]))"


PANELS: Final = (
    Panel(
        "Moves a second",
        "reqps",
        ((_rate("cartagena_http_seconds_count", "instance", MOVES), "{{instance}}"),),
    ),
    Panel(
        "How long a move takes",
        "s",
        tuple(
            (_percentile(part, "cartagena_http_seconds", where=MOVES), name)
            for part, name in ((0.5, "half"), (0.95, "95 of 100"), (0.99, "99 of 100"))
        ),
    ),
    Panel(
        "Answers by status",
        "reqps",
        ((_rate("cartagena_http_requests_total", "status"), "{{status}}"),),
    ),
    Panel("Streams open", "short", (("cartagena_streams_open", "{{instance}}"),)),
    Panel(
        "Streams that come, go, lag and heal",
        "ops",
        tuple(
            (_rate(f"cartagena_streams_{word}_total", "instance"), f"{word} {{{{instance}}}}")
            for word in ("opened", "dismissed", "slow", "healed")
        ),
    ),
    Panel("Requests and streams under way", "short", (("cartagena_http_in_flight", "{{instance}}"),)),
    Panel(
        "Bus",
        "short",
        (
            ("cartagena_bus_connected", "connected {{instance}}"),
            (_rate("cartagena_bus_lost_total", "instance"), "lost a second {{instance}}"),
            (_rate("cartagena_bus_unreadable_total", "instance"), "unreadable a second {{instance}}"),
        ),
    ),
    Panel("What workers do", "ops", ((_rate("cartagena_wakes_done_total", "duty"), "{{duty}}"),)),
    Panel(
        "Claims",
        "ops",
        tuple(
            (_rate(f"cartagena_wakes_{word}_total", "instance"), f"{word} {{{{instance}}}}")
            for word in ("claimed", "failed", "stuck")
        ),
    ),
    Panel("Games in the hands of workers", "short", (("cartagena_wakes_in_flight", "{{instance}}"),)),
    Panel(
        "How long a bot thinks, 99 of 100",
        "s",
        ((_percentile(0.99, "cartagena_bot_seconds", by="le, level"), "{{level}}"),),
    ),
    Panel(
        "Bots that did not choose",
        "ops",
        ((_rate("cartagena_bot_troubles_total", "level, trouble"), "{{level}} {{trouble}}"),),
    ),
    Panel(
        "Who waits to think",
        "short",
        (("sum by (instance, work) (cartagena_thinking_waiting)", "{{work}} {{instance}}"),),
    ),
    Panel(
        "How long they wait, 99 of 100",
        "s",
        ((_percentile(0.99, "cartagena_thinking_waited_seconds", by="le, work"), "{{work}}"),),
    ),
    Panel(
        "Turns of bots with less time than usual",
        "ops",
        ((_rate("cartagena_bots_hurried_total", "level"), "{{level}}"),),
    ),
    Panel(
        "Jobs that take long",
        "ops",
        ((_rate("cartagena_jobs_total", "exported_job, end"), "{{exported_job}} {{end}}"),),
    ),
    Panel(
        "News for the lobby",
        "ops",
        (
            (_rate("cartagena_news_told_total", "instance"), "told {{instance}}"),
            (_rate("cartagena_news_failed_total", "instance"), "failed {{instance}}"),
        ),
    ),
    Panel("Notices", "ops", ((_rate("cartagena_notices_total", "end"), "{{end}}"),)),
)


def dashboard_text() -> str:
    """The dashboard as Grafana imports it; the data source is chosen during the import."""
    source = {"type": "prometheus", "uid": "${source}"}
    dashboard = {
        "title": "Cartagena",
        "uid": "cartagena",
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [{"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}]
        },
        "panels": [_panel(number, panel, source) for number, panel in enumerate(PANELS)],
    }
    return json.dumps(dashboard, indent=2) + "\n"


def _panel(number: int, panel: Panel, source: dict[str, str]) -> dict[str, object]:
    row, column = divmod(number, 24 // WIDTH)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "datasource": source,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + place), "datasource": source, "expr": expression, "legendFormat": legend}
            for place, (expression, legend) in enumerate(panel.lines)
        ],
    }


def metrics_watched() -> set[str]:
    """Every metric of ours that an alert or a panel uses."""
    texts = [file.read_text(encoding="utf-8") for file in (WATCH / "alerts.yml", DASHBOARD)]
    return {name for text in texts for name in METRIC.findall(text)}


if __name__ == "__main__":
    DASHBOARD.write_text(dashboard_text(), encoding="utf-8")
