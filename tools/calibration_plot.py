"""The picture of calibration: promised chances against actual results, one panel for each game, as SVG."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartagena.arena.statistics import WinRate
from tools.plotting import CREWS, FAINT, INK, picture, text

SIDE: Final = 170
LEFT, TOP, GAP = 46, 56, 52
MANY: Final = 500
"""A bin with fewer promises says little."""
TITLE: Final = "Chances that were promised, and how often they came true"


class Bin(NamedTuple):
    """Promises of about the same chance: how many, their sum, and the sum of the actual results."""

    number: int
    promised: float
    came: float

    def with_one(self, promised: float, came: float) -> "Bin":
        """Return the bin with one more promise."""
        return Bin(self.number + 1, self.promised + promised, self.came + came)

    @property
    def gap(self) -> float:
        """How much the results exceed the promises, on average."""
        return (self.came - self.promised) / self.number if self.number else 0.0


class Panel(NamedTuple):
    """What is known of one ruleset and number of seats."""

    ruleset: str
    seats: int
    games: int
    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: the mean gap of all promises."""
        promises = sum(one.number for one in self.bins)
        return sum(one.number * abs(one.gap) for one in self.bins) / promises if promises else 0.0

    @property
    def worst(self) -> float:
        """The widest gap of a bin with many promises."""
        return max((one.gap for one in self.bins if one.number >= MANY), key=abs, default=0.0)


def draw(panels: Sequence[Panel]) -> str:
    """The whole picture: a row for each number of seats, a column for each ruleset."""
    rulesets = list(dict.fromkeys(panel.ruleset for panel in panels))
    rows = sorted({panel.seats for panel in panels})
    width = LEFT + len(rulesets) * (SIDE + GAP)
    height = TOP + len(rows) * (SIDE + GAP)
    lines = [
        text(LEFT, 20, TITLE, "start", bold=True),
        text(LEFT, 36, "dashed: promises that are kept; bars: 95 % intervals; faint: few promises", "start"),
    ]
    for panel in panels:
        left = LEFT + rulesets.index(panel.ruleset) * (SIDE + GAP)
        top = TOP + rows.index(panel.seats) * (SIDE + GAP)
        lines += _panel(panel, left, top)
    return picture(width, height, TITLE, lines)


def _panel(panel: Panel, left: int, top: int) -> Iterator[str]:
    floor = top + 18 + SIDE
    yield text(left, top + 8, f"{panel.ruleset}, {panel.seats} seats", "start", bold=True)
    for percent in (0, 25, 50, 75, 100):
        across, up = left + SIDE * percent / 100, floor - SIDE * percent / 100
        yield f'<path d="M{left} {up}h{SIDE}M{across} {floor}v-{SIDE}" stroke="{FAINT}" stroke-width="0.5"/>'
        yield text(left - 5, up + 4, f"{percent}", "end")
        yield text(across, floor + 13, f"{percent}", "middle")
    yield f'<path d="M{left} {floor}l{SIDE} -{SIDE}" stroke="{INK}" stroke-dasharray="4 3"/>'
    for one in panel.bins:
        if one.number:
            yield from _dot(one, left, floor)
    yield text(left + SIDE - 4, floor - 6, f"error {100 * panel.error:.1f}", "end")


def _dot(one: Bin, left: int, floor: int) -> Iterator[str]:
    rate = WinRate(one.came, one.number)
    x = round(left + SIDE * one.promised / one.number, 1)
    y = round(floor - SIDE * rate.share, 1)
    low, high = (round(floor - SIDE * end, 1) for end in rate.interval)
    strength = 1 if one.number >= MANY else 0.3
    yield f'<line x1="{x}" x2="{x}" y1="{low}" y2="{high}" stroke="{INK}" opacity="{strength}"/>'
    yield f'<circle cx="{x}" cy="{y}" r="2.6" fill="{CREWS[1]}" opacity="{strength}"/>'
