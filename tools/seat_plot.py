"""The picture of the seat advantage: one panel for each ruleset and number of seats, as SVG."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartagena.arena.statistics import WinRate
from tools.plotting import CREWS, FAINT, INK, picture, text

WIDTH, HEIGHT = 190, 150
LEFT, TOP, GAP = 46, 56, 18
PLOT_HEIGHT: Final = 96
MOST: Final = 0.7
"""The top of every panel's scale, so that they can be compared."""


class Panel(NamedTuple):
    """What is known of one ruleset and number of seats; rates begin with the seat that began."""

    ruleset: str
    seats: int
    games: int
    drawn: int
    rates: tuple[WinRate, ...]

    def __str__(self) -> str:
        shares = ", ".join(map(str, self.rates))
        return f"{self.ruleset} {self.seats} seats, {self.games} games, {self.drawn} drawn: {shares}"


def draw(panels: Sequence[Panel]) -> str:
    """The whole picture: a row for each ruleset, a column for each number of seats."""
    rulesets = list(dict.fromkeys(panel.ruleset for panel in panels))
    columns = sorted({panel.seats for panel in panels})
    width = LEFT + len(columns) * (WIDTH + GAP)
    height = TOP + len(rulesets) * (HEIGHT + GAP)
    lines = [
        text(LEFT, 20, "Share of games won by each seat, in the order of play", "start", bold=True),
        text(LEFT, 36, "sailor against itself; dashed: equal shares; bars: 95 % intervals", "start"),
    ]
    for panel in panels:
        left = LEFT + columns.index(panel.seats) * (WIDTH + GAP)
        top = TOP + rulesets.index(panel.ruleset) * (HEIGHT + GAP)
        lines += _panel(panel, left, top)
    return picture(width, height, "Share of games won by each seat, in the order of play", lines)


def _panel(panel: Panel, left: int, top: int) -> Iterator[str]:
    floor = top + 18 + PLOT_HEIGHT
    right = left + WIDTH - GAP
    yield text(left, top + 8, f"{panel.ruleset}, {panel.seats} seats", "start", bold=True)
    for percent in (0, 20, 40, 60):
        y = _height(percent / 100, floor)
        yield f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}" stroke="{FAINT}" stroke-width="0.5"/>'
        yield text(left - 5, y + 4, f"{percent} %", "end")
    par = _height(1 / panel.seats, floor)
    yield f'<line x1="{left}" x2="{right}" y1="{par}" y2="{par}" stroke="{INK}" stroke-dasharray="4 3"/>'
    for seat, rate in enumerate(panel.rates):
        yield from _bar(seat, rate, left, (WIDTH - GAP) / panel.seats, floor)


def _bar(seat: int, rate: WinRate, left: int, step: float, floor: int) -> Iterator[str]:
    middle = round(left + step * (seat + 0.5), 1)
    half = round(min(14, step * 0.32), 1)
    low, high = (_height(end, floor) for end in rate.interval)
    y = _height(rate.share, floor)
    yield (
        f'<rect x="{middle - half:.1f}" y="{y}" width="{2 * half:.1f}" height="{floor - y:.1f}" '
        f'fill="{CREWS[seat]}" opacity="0.85"/>'
    )
    yield f'<line x1="{middle}" x2="{middle}" y1="{low}" y2="{high}" stroke="{INK}" stroke-width="1.5"/>'
    yield text(middle, high - 4, f"{100 * rate.share:.1f}", "middle")
    yield text(middle, floor + 13, f"{seat + 1}", "middle")


def _height(share: float, floor: int) -> float:
    return round(floor - PLOT_HEIGHT * share / MOST, 1)
