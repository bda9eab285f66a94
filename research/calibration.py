"""Are win chances true? Compare what an analysis says at one moment of a game with who won it in the end.

`make calibration` plays what the ledger does not hold yet: first the games that tell how far to trust the
chances, then those that measure it; last the study of tables that are not measured.
`make how-strong` draws the picture.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartagena.arena.statistics import WinRate
from cartagena.bots.evaluation.calibration import believed, confidence_in
from cartagena.rules.ruleset import PRESETS
from harness import ledger
from harness.plotting import CREWS, FAINT, INK, picture, text
from research import confidence
from research.confidence import confidence_table
from research.legs import Leg, legs_to_play, play_legs, wish_for
from research.moments import GAMES_OF_A_LEG, LEDGER, STUDIED, Moment, keep, key, moments_of, play_leg

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


SEATS: Final = (2, 4)
BINS: Final = 20


def panels() -> list[Panel]:
    """What the ledger says of each ruleset and number of seats."""
    found: list[Panel] = []
    for name, ruleset in PRESETS.items():
        for seats in SEATS:
            moments = moments_of(name, seats, studied=False)
            if moments:
                bins = gathered(moments, confidence_in(ruleset.family, seats))
                found.append(Panel(name, seats, len(moments), bins))
    return found


def gathered(moments: list[Moment], power: float) -> tuple[Bin, ...]:
    """Promised chances and actual results, grouped by the chance that was promised."""
    bins = [Bin(0, 0.0, 0.0)] * BINS
    for moment in moments:
        for promised, came in zip(believed(moment.chances, power), moment.result, strict=True):
            number = min(BINS - 1, int(BINS * promised))
            bins[number] = bins[number].with_one(promised, came)
    return tuple(bins)


def calibration_table() -> str:
    """The error of each panel, in Markdown."""
    rows = [
        "| game | seats | games | expected error, points | worst bin of at least 500, points |",
        "|---|---:|---:|---:|---:|",
    ]
    for panel in panels():
        error, worst = 100 * panel.error, 100 * panel.worst
        rows.append(f"| {panel.ruleset} | {panel.seats} | {panel.games:,} | {error:.2f} | {worst:+.1f} |")
    return "\n".join(rows)


def legs(games: int) -> list[Leg]:
    """The legs missing for `games` measured games, followed by those that are only studied."""
    played = ledger.entries(LEDGER, **key())
    first = STUDIED * GAMES_OF_A_LEG
    measured = legs_to_play(played, seats=SEATS, games=first + games, of_a_leg=GAMES_OF_A_LEG)
    studied = legs_to_play(played, seats=confidence.SEATS, games=first, of_a_leg=GAMES_OF_A_LEG)
    return list(dict.fromkeys([*measured, *studied]))


def main() -> None:
    """Play what is missing, then print what is known."""
    wish = wish_for(__doc__, games=10_000)
    missing = legs(wish.games)
    for leg, lines in play_legs(play_leg, missing, wish, games=GAMES_OF_A_LEG):
        keep(leg, lines)
    print(confidence_table(), calibration_table(), sep="\n\n")


if __name__ == "__main__":
    main()
