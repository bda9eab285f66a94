"""What the ledger knows of growth, for the tables and plots of docs/scale.md."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from benchmarks.cost_model import CostModel, Size
from harness import ledger

SIZES: Final = {
    "a club": Size(games=50, moves=5),
    "a country": Size(games=10_000, moves=1_000),
    "a million games": Size(games=1_000_000, moves=100_000),
}

Row = dict[str, Any]


def rows(curve: str, by: str) -> list[Row]:
    """The newest full measurement of each point of a curve."""
    newest = {row.get(by): row for row in ledger.entries("scale", curve=curve, plan="full")}
    return [newest[key] for key in sorted(newest, key=lambda key: key or 0)]


def markdown(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A table whose columns stand to the right."""
    table = [head, ["---:"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in table)


def web_us(row: Row) -> float:
    """What a move costs all web processes."""
    return float(sum(us for part, us in row["cpu_us"].items() if part.startswith("web")))


def model() -> CostModel:
    """The figures that the arithmetic stands on: those of the largest point of each curve."""
    stored, crowd, shards = (
        rows("stored", "games")[-1],
        rows("crowd", "spectators")[-1],
        rows("shards", "shards")[-1],
    )
    (weight,) = rows("weight", "curve")
    return CostModel(
        web_us=web_us(shards),
        streams_us=crowd["us_a_delivery"],
        postgresql_us=max(stored["full"]["cpu_us"]["postgresql"], shards["cpu_us"]["postgresql"]),
        nats_us=shards["cpu_us"]["nats"],
        stream_kib=crowd["kib_each"],
        table_kib=max(row["table_kib"] for row in rows("stored", "games")),
        event_bytes=weight["log_bytes"] / weight["events_each"],
        folded_bytes=weight["folded_bytes"] + weight["kept_bytes"],
        events_a_game=weight["events_each"],
    )
