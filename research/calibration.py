"""Are win chances true? Compare what an analysis says at one moment of a game with who won it in the end.

A quick search plays the games against itself. From each, one action is drawn, all equally likely, and the
position before it is analysed. Two experiments play such games. One finds how far to trust the chances: the
best powers for `cartagena.bots.evaluation.calibration`. The other measures in games of its own how true the
chances then are: nothing is tested on what it was learned from.
"""

from collections.abc import Iterator, Sequence
from math import log
from random import Random
from typing import Final, NamedTuple

from cartagena.arena.tally import WinRate
from cartagena.bots.analysis.annotation import SIMULATIONS, chances_at
from cartagena.bots.evaluation.calibration import CONFIDENCE, believed, confidence_in
from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.players.levels import version_of
from cartagena.bots.random_games import Dice, deal_again, random_opening
from cartagena.bots.search.bot import Breadth, Depth, Searcher
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS, Ruleset
from harness.plotting import CREWS, FAINT, INK, picture, text
from research.experiment import Experiment, Game, Row, Summary, summary_of, table_cells, table_of

PLAYERS: Final = Depth(simulations=12, hidden_worlds=2, duel=Breadth(8, 8))
"""Quick enough for some games a second, and far better than the sailor all the same."""


def play(game: Game) -> Row:
    """One moment of a game: the chances that the search found for each seat, and the winner, if any."""
    ruleset, seats = table_of(game.cell)
    chance = game.chance()
    moment, winner = moment_of(ruleset, seats, chance)
    # The reported chances include today's confidence; rows keep them without it.
    back = 1 / confidence_in(ruleset.family, seats)
    chances = believed(chances_at(moment, chance, SIMULATIONS // 2), back)
    return {"cell": game.cell, "chances": [round(one, 3) for one in chances], "winner": winner}


def moment_of(ruleset: Ruleset, seats: int, chance: Random) -> tuple[Position, int]:
    """One moment of a game, and its winner, who may be `NOBODY`."""
    dice = Dice(chance.getrandbits(31))
    position = random_opening(ruleset, seats, dice)
    bots = [Searcher(PLAYERS) for _ in range(seats)]
    moment, actions = position, 0
    while not position.over:
        actions += 1
        # Keep the n-th action with a chance of one in n: in the end every action is equally likely.
        if chance.random() * actions < 1:
            moment = position.copy()
        advance(position, bots[position.to_act].choose(view(position, position.to_act), chance, UNHURRIED))
        if position.order_due:
            deal_again(position, dice)
    return moment, position.winner


def result_of(row: Row) -> list[float]:
    """Each seat's share of the win; a game without a winner is shared.

    >>> result_of({"chances": [0.5, 0.3, 0.2], "winner": 1})
    [0.0, 1.0, 0.0]
    """
    seats = len(row["chances"])
    if row["winner"] == NOBODY:
        return [1 / seats] * seats
    return [float(seat == row["winner"]) for seat in range(seats)]


def bots(_cell: str) -> str:
    """What two moments must share to be compared: the same search and the same players."""
    return f"{version_of('captain')}, {SIMULATIONS // 2} simulations, players {PLAYERS.simulations}"


# How far to trust the chances.

POWERS: Final = tuple(number / 20 for number in range(8, 45))
LEAST: Final = 0.001
"""The lowest chance of anything that can still happen, or one miracle would outweigh all else."""
LIKELY: Final = 1.92
"""Powers whose surprise is at most this much above the least form the interval of 95 %."""


class Found(NamedTuple):
    """The best power and the interval around it, and how many games say so."""

    games: int
    power: float
    low: float
    high: float


def surprises(row: Row) -> dict[str, float]:
    """How surprising a result is with each power: minus the logarithm of the winner's chance."""
    return {
        f"{power:.2f}": sum(
            -log(max(LEAST, chance)) * share
            for chance, share in zip(believed(row["chances"], power), result_of(row), strict=True)
        )
        for power in POWERS
    }


def best_power(summary: Summary) -> Found:
    """The power that makes the winners of the games least surprising."""
    least = min(summary.figures.values())
    likely = [float(power) for power, value in summary.figures.items() if value <= least + LIKELY]
    best = min(summary.figures, key=lambda power: summary.figures[power])
    return Found(summary.games, float(best), min(likely), max(likely))


def studied(family: str, seats: int) -> Summary:
    """The games of all rulesets of a family: they share what was learned."""
    whole = Summary()
    for name, ruleset in PRESETS.items():
        if ruleset.family == family:
            one = summary_of(CONFIDENCE_STUDY, f"{name} {seats}")
            whole.games += one.games
            whole.figures.update(one.figures)
    return whole


def confidence_table() -> str:
    """The powers that were found and those in use, in Markdown."""
    rows = ["| family | seats | games | best power [95 %] | in use |", "|---|---:|---:|---:|---:|"]
    for family in CONFIDENCE:
        for seats in range(FEWEST_SEATS, MOST_SEATS + 1):
            summary = studied(family, seats)
            if summary.games:
                games, power, low, high = best_power(summary)
                told = f"{power:.2f} [{low:.2f}, {high:.2f}]"
                rows.append(
                    f"| {family} | {seats} | {games:,} | {told} | {confidence_in(family, seats):.2f} |"
                )
    return "\n".join(rows)


CONFIDENCE_STUDY: Final = Experiment(
    name="confidence",
    games=dict.fromkeys(table_cells(range(FEWEST_SEATS, MOST_SEATS + 1)), 1_000),
    bots=bots,
    play=play,
    figures=surprises,
    table=confidence_table,
)


# How true they are.

BINS: Final = 20
MANY: Final = 500
"""A bin with fewer promises says little."""


class Bin(NamedTuple):
    """Promises of about the same chance: how many, their sum, and the sum of the actual results."""

    number: int
    promised: float
    came: float

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


def promises(row: Row) -> dict[str, float]:
    """Promised chances and actual results, summed by the chance that was promised."""
    ruleset, seats = table_of(row["cell"])
    sums: dict[str, float] = {}
    chances = believed(row["chances"], confidence_in(ruleset.family, seats))
    for promised, came in zip(chances, result_of(row), strict=True):
        number = min(BINS - 1, int(BINS * promised))
        for what, value in (("number", 1.0), ("promised", promised), ("came", came)):
            name = f"bin {number} {what}"
            sums[name] = sums.get(name, 0.0) + value
    return sums


def bins_of(summary: Summary) -> tuple[Bin, ...]:
    """The bins behind such sums."""
    sums = summary.figures
    return tuple(
        Bin(round(sums[f"bin {one} number"]), sums[f"bin {one} promised"], sums[f"bin {one} came"])
        for one in range(BINS)
    )


def panels() -> list[Panel]:
    """What is known of each ruleset and number of seats."""
    found: list[Panel] = []
    for cell in CALIBRATION.games:
        summary = summary_of(CALIBRATION, cell)
        if summary.games:
            ruleset, seats = cell.split()
            found.append(Panel(ruleset, int(seats), summary.games, bins_of(summary)))
    return found


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


def bots_and_power(cell: str) -> str:
    """Search, players and how far chances are believed: the sums are of believed chances."""
    ruleset, seats = table_of(cell)
    return f"{bots(cell)}, power {confidence_in(ruleset.family, seats)}"


CALIBRATION: Final = Experiment(
    name="calibration",
    games=dict.fromkeys(table_cells((2, 4)), 10_000),
    bots=bots_and_power,
    play=play,
    figures=promises,
    table=calibration_table,
)


# The picture.

SIDE: Final = 170
LEFT, TOP, GAP = 46, 56, 52
TITLE: Final = "Chances that were promised, and how often they came true"


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
