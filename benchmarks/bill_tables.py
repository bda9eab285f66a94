"""The tables and the plot of the bill in docs/scale.md."""

from collections.abc import Iterator
from statistics import mean
from typing import Final

from benchmarks.bill import MIXES, Figures, Prices, Thinking, Wire, bill, game_bill
from benchmarks.cost_model import Size
from benchmarks.scale_figures import SIZES, markdown, model, rows
from harness.plotting import CREWS, FAINT, picture, text

COLOURS: Final = (*CREWS, FAINT)
WIRE: Final = (
    "whole_answer",
    "whole_seat",
    "whole_watcher",
    "answer",
    "patched_seat",
    "patched_watcher",
    "seat",
    "watcher",
)
LEFT, TOP, WIDTH, STEP = 190, 60, 460, 26


def wire_table() -> str:
    """Bytes that a move sends."""
    return markdown(
        (
            "table",
            "whole: the answer",
            "seat",
            "spectator",
            "patched: the answer",
            "seat",
            "spectator",
            "compact: seat",
            "spectator",
            "a move, whole",
            "patched",
            "compact",
        ),
        (
            (
                row["table"],
                *(f"{row[part]:,}" for part in WIRE),
                f"{row['whole_answer'] + row['whole_seat'] * int(row['table'][-1]):,}",
                *(
                    f"{row['answer'] + row[seat] * int(row['table'][-1]):,}"
                    for seat in ("patched_seat", "seat")
                ),
            )
            for row in rows("wire", "table")
        ),
    )


def thinking_table() -> str:
    """Processor time of bots, hints and analyses."""
    units = {"hint": "a hint", "analysis": "the analysis of a game"}
    by_people = model().cpu_seconds(1, Size(games=1, moves=1).watchers)
    lines = rows("thinking", "what")
    lines.sort(key=lambda row: row["seconds"])
    return markdown(
        ("what", "milliseconds of a processor", "as many as moves of people"),
        (
            (
                units.get(row["what"], f"a move of {row['what']}"),
                f"{1000 * row['seconds']:,.2f}",
                f"{row['seconds'] / by_people:,.1f}",
            )
            for row in lines
        ),
    )


def figures() -> Figures:
    """What the bill stands on; of the wire, tables of two."""
    pairs = [row for row in rows("wire", "table") if row["table"].endswith(", 2")]
    seconds = {row["what"]: row["seconds"] for row in rows("thinking", "what")}
    return Figures(
        costs=model(),
        wire=Wire(**{part: mean(row[part] for row in pairs) for part in ("answer", "seat", "watcher")}),
        thinking=Thinking(move=seconds, hint=seconds["hint"], analysis=seconds["analysis"]),
    )


def bills(prices: Prices) -> dict[tuple[str, str], dict[str, float]]:
    """The items of each size and mix, by their names."""
    known = figures()
    return {
        (size_name, mix_name): bill(known, size, mix, prices)
        for size_name, size in SIZES.items()
        for mix_name, mix in MIXES.items()
    }


def bill_table(prices: Prices) -> str:
    """Euros a month by size and mix."""
    known = bills(prices)
    lines = (
        (
            *names,
            *(f"{euros:,.0f}" for euros in items.values()),
            f"{sum(items.values()):,.0f}",
            max(items, key=lambda item: items[item]),
        )
        for names, items in known.items()
    )
    return markdown(("size", "who plays", *next(iter(known.values())), "in all", "most"), lines)


def game_table(prices: Prices) -> str:
    """What one finished game costs."""
    known = figures()
    lines = [("two people", game_bill(known, prices, None))]
    lines += [
        (f"a person and a {level} on the server", game_bill(known, prices, level))
        for level in ("sailor", "bosun", "captain")
    ]
    lines.append(("a person and a captain on the person's device", 0.0))
    return markdown(
        ("who plays", "cents for 1,000 games"), ((who, f"{euros * 100_000:,.1f}") for who, euros in lines)
    )


def draw_bill() -> str:
    """Of each size and mix, what its euros go to."""
    known = bills(Prices())
    lines = [text(46, 20, "What the money goes to", "start", bold=True)]
    for place, name in enumerate(next(iter(known.values()))):
        left = 46 + place * 120
        lines.append(f'<rect x="{left}" y="34" width="10" height="10" fill="{COLOURS[place]}"/>')
        lines.append(text(left + 15, 43, name, "start"))
    for row, (names, items) in enumerate(known.items()):
        lines += _bar(TOP + row * STEP, ", ".join(names), tuple(items.values()))
    return picture(LEFT + WIDTH + 140, TOP + len(known) * STEP + 10, "The bill", lines)


def _bar(top: int, name: str, euros: tuple[float, ...]) -> Iterator[str]:
    left, whole = float(LEFT), sum(euros)
    yield text(LEFT - 8, top + 13, name, "end")
    for each, colour in zip(euros, COLOURS, strict=True):
        width = WIDTH * each / whole
        yield f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="18" fill="{colour}"/>'
        left += width
    yield text(LEFT + WIDTH + 8, top + 13, f"€ {whole:,.0f} a month", "start")
