"""Write what the ledger knows of growth into docs/scale.md: tables, plots and the cost model.

python -m benchmarks.scale_page                                write the page anew, as `make scale` does
python -m benchmarks.scale_page --bill [--egress-gb 0.01 ...]  print the bill alone, with your prices
"""

import argparse
from dataclasses import fields
from math import log10
from pathlib import Path
from typing import Final

from benchmarks.bill import Prices
from benchmarks.bill_tables import bill_table, draw_bill, game_table, thinking_table, wire_table
from benchmarks.cost_model import Size
from benchmarks.scale_figures import SIZES, markdown, model, rows, web_us
from harness import ledger
from harness.plotting import CREWS, FAINT, INK, picture, text
from research.how_strong import with_table

DOCS: Final = Path(__file__).parents[1] / "docs"
PAGE: Final = DOCS / "scale.md"
PLOT: Final = DOCS / "pictures" / "scale.svg"
BILL: Final = DOCS / "pictures" / "bill.svg"
WIDTH, HEIGHT, LEFT, TOP, GAP = 210, 140, 46, 52, 70


def stored_table() -> str:
    """Moves beside more and more stored games."""
    head = (
        "stored",
        "live",
        "database",
        "moves/s",
        "web µs",
        "PostgreSQL µs",
        "p50, p99 at half load",
        "generator µs",
    )
    return markdown(
        head,
        (
            (
                f"{row['games']:,}",
                f"{row['live']:,}",
                f"{row['database_mb']:,} MB",
                f"{row['full']['per_s']:,.0f}",
                f"{row['full']['cpu_us']['web']:.0f}",
                f"{row['full']['cpu_us']['postgresql']:.0f}",
                f"{row['half']['p50_ms']:.1f}, {row['half']['p99_ms']:.1f} ms",
                f"{row['full']['cpu_us']['generator']:.0f}",
            )
            for row in rows("stored", "games")
        ),
    )


def crowd_table() -> str:
    """One table with more and more spectators."""
    return markdown(
        ("spectators", "first told", "last told", "µs a delivery", "KiB a stream"),
        (
            (
                f"{row['spectators']:,}",
                f"{row['first_ms']:.1f} ms",
                f"{row['last_ms']:.1f} ms",
                row["us_a_delivery"],
                row["kib_each"],
            )
            for row in rows("crowd", "spectators")
        ),
    )


def shards_table() -> str:
    """One load on more and more primaries, beside pgbench on them."""
    return markdown(
        (
            "primaries",
            "moves/s",
            "pgbench/s on the same",
            "ratio",
            "web µs",
            "PostgreSQL µs",
            "NATS µs",
            "generator µs",
        ),
        (
            (
                row["shards"],
                f"{row['per_s']:,}",
                f"{row['pgbench_per_s']:,}",
                row["ratio"],
                f"{web_us(row):.0f}",
                f"{row['cpu_us']['postgresql']:.0f}",
                f"{row['cpu_us']['nats']:.0f}",
                f"{row['cpu_us']['generator']:.0f}",
            )
            for row in rows("shards", "shards")
        ),
    )


def weight_table() -> str:
    """What a game takes on disk."""
    (row,) = rows("weight", "curve")
    return markdown(
        ("events of a game", "its log", "folded", "events kept beside", "share"),
        [
            (
                row["events_each"],
                f"{row['log_bytes']:,} bytes",
                f"{row['folded_bytes']:,} bytes",
                f"{row['kept_bytes']:,} bytes",
                f"{100 * (row['folded_bytes'] + row['kept_bytes']) / row['log_bytes']:.1f} %",
            )
        ],
    )


def faults_table() -> str:
    """Every run of `make faults-long`, the newest last."""
    return markdown(
        (
            "games",
            "seconds",
            "faults",
            "well again",
            "slowest",
            "acknowledged",
            "lost",
            "doubled",
            "denied",
            "told otherwise",
            "stuck",
            "memory",
        ),
        (
            (
                f"{row['games']:,}",
                f"{row['seconds']:,.0f}",
                row["faults"],
                row["recovered"],
                f"{row['slowest_recovery_s']:.1f} s",
                f"{row['acknowledged']:,}",
                row["lost"],
                row["doubled"],
                row["denied"],
                row["diverged"],
                row["stuck"],
                f"{row['memory_early_mb']:,} to {row['memory_late_mb']:,} MB",
            )
            for row in ledger.entries("faults")
        ),
    )


def cost_table() -> str:
    """Machines of eight cores for services of several sizes."""
    costs = model()
    lines = []
    for name, size in SIZES.items():
        need = costs.machines(size)
        lines.append(
            (
                name,
                f"{size.games:,}",
                f"{size.moves:,}",
                f"{need.streams:,}",
                need.web,
                f"{need.primaries} + {need.standbys}",
                need.nats,
                f"{need.web_memory_gib:,} GiB",
                f"{need.log_gb_a_day:,} GB",
                f"{need.folded_gb_a_day:,} GB",
            )
        )
    head = (
        "size",
        "games",
        "moves/s",
        "streams",
        "web",
        "primaries + standbys",
        "NATS",
        "memory",
        "log a day",
        "folded a day",
    )
    million = costs.cpu_seconds(1_000_000, Size(games=1, moves=1).watchers)
    return (
        markdown(head, lines) + f"\n\nA million moves take {million:,.0f} seconds of processor time in all."
    )


def draw() -> str:
    """Cost of a move against what grows."""
    panels = (
        (
            "stored games",
            [(row["games"], total_us(row["full"]["cpu_us"])) for row in rows("stored", "games")],
        ),
        ("spectators", [(row["spectators"], row["last_ms"]) for row in rows("crowd", "spectators")]),
        ("primaries", [(row["shards"], total_us(row["cpu_us"])) for row in rows("shards", "shards")]),
    )
    units = ("µs of processor time a move", "ms until the last one knows", "µs of processor time a move")
    lines: list[str] = [text(LEFT, 20, "What grows, and what it costs", "start", bold=True)]
    for number, ((name, points), unit) in enumerate(zip(panels, units, strict=True)):
        lines += _panel(LEFT + number * (WIDTH + GAP), name, unit, points)
    return picture(LEFT + 3 * (WIDTH + GAP), TOP + HEIGHT + 50, "Growth", lines)


def total_us(cpu: dict[str, float]) -> float:
    """Of all parts but the load generator."""
    return sum(us for part, us in cpu.items() if part != "generator")


def _panel(left: int, name: str, unit: str, points: list[tuple[float, float]]) -> list[str]:
    floor = TOP + HEIGHT
    highest = max((value for _, value in points), default=1.0) * 1.15
    steps = [log10(max(1, at)) for at, _ in points]
    span = max(steps[-1] - steps[0], 1e-9) if steps else 1.0
    places = [
        (left + WIDTH * (step - steps[0]) / span, floor - HEIGHT * value / highest)
        for step, (_, value) in zip(steps, points, strict=True)
    ]
    path = " ".join(f"{'L' if number else 'M'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(places))
    lines = [
        text(left, TOP - 12, f"{name}: {unit}", "start", bold=True),
        f'<path d="M{left} {floor}h{WIDTH}M{left} {floor}v-{HEIGHT}" stroke="{INK}"/>',
        f'<path d="{path}" fill="none" stroke="{CREWS[1]}" stroke-width="2"/>',
    ]
    for (x, y), (at, value) in zip(places, points, strict=True):
        lines += [
            f'<path d="M{x:.1f} {floor}V{y:.1f}" stroke="{FAINT}" stroke-width="0.5"/>',
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{CREWS[1]}"/>',
            text(round(x, 1), floor + 15, f"{at:,.0f}", "middle"),
            text(round(x, 1), round(y, 1) - 7, f"{value:,.0f}", "middle"),
        ]
    return lines


def tables() -> dict[str, str]:
    """Every table of the page by its name there."""
    return {
        "stored": stored_table(),
        "crowd": crowd_table(),
        "shards": shards_table(),
        "weight": weight_table(),
        "faults": faults_table(),
        "cost": cost_table(),
        "wire": wire_table(),
        "thinking": thinking_table(),
        "bill": bill_table(Prices()),
        "game": game_table(Prices()),
    }


def main() -> None:
    """Fill in the tables and draw the plots, or print the bill."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bill", action="store_true", help="print the bill, and write nothing")
    for price in fields(Prices):
        option = f"--{price.name.replace('_', '-')}"
        parser.add_argument(option, type=float, default=price.default, help=f"euros ({price.default})")
    wish = vars(parser.parse_args())
    if wish.pop("bill"):
        prices = Prices(**wish)
        print(bill_table(prices), game_table(prices), sep="\n\n")
        return
    page = PAGE.read_text(encoding="utf-8")
    for name, table in tables().items():
        page = with_table(page, name, table)
    PAGE.write_text(page, encoding="utf-8")
    PLOT.write_text(draw(), encoding="utf-8")
    BILL.write_text(draw_bill(), encoding="utf-8")


if __name__ == "__main__":
    main()
