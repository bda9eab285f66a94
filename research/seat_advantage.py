"""Who begins, wins? Games of the sailor with itself, for every ruleset and number of seats.

The sailor here is the bot itself without its view: it never uses what its seat does not see, so both choose
alike (tests/bots/test_plans.py).
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartagena.arena.tally import WinRate
from cartagena.bots.players.levels import version_of
from cartagena.bots.players.simple import sailors_survey
from cartagena.bots.random_games import Dice, random_opening
from cartagena.rules.position import NOBODY
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS
from harness.plotting import CREWS, FAINT, INK, picture, text
from research.experiment import Experiment, Game, Row, summary_of, table_cells, table_of
from research.training.self_play import play_out

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


def draw(panels: Sequence[Panel]) -> str:
    """The whole picture: a row for each ruleset, a column for each number of seats."""
    rulesets = list(dict.fromkeys(panel.ruleset for panel in panels))
    columns = sorted({panel.seats for panel in panels})
    width = LEFT + len(columns) * (WIDTH + GAP)
    height = TOP + len(rulesets) * (HEIGHT + GAP)
    lines = [
        text(LEFT, 20, "Share of games won by each seat, in the order of play", "start", bold=True),
        text(LEFT, 36, "sailor against itself; dashed: equal shares; thin lines: 95 % intervals", "start"),
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


def play(game: Game) -> Row:
    """Play a game: which seat won, counted from the one that began, if one did."""
    ruleset, seats = table_of(game.cell)
    dice = Dice(game.chance().getrandbits(31))
    position = random_opening(ruleset, seats, dice)
    first = position.seat
    play_out(position, sailors_survey(ruleset.family), 0.0, dice)
    winner = None if position.winner == NOBODY else (position.winner - first) % seats
    return {"winner": winner}


def figures(row: Row) -> dict[str, float]:
    """What the summary counts.

    >>> figures({"winner": 0}), figures({"winner": None})
    ({'seat 1': 1}, {'drawn': 1})
    """
    return {"drawn" if row["winner"] is None else f"seat {row['winner'] + 1}": 1}


def panels() -> list[Panel]:
    """What is known of each ruleset and number of seats."""
    found: list[Panel] = []
    for cell in SEAT_ADVANTAGE.games:
        summary = summary_of(SEAT_ADVANTAGE, cell)
        if summary.games:
            ruleset, number = cell.split()
            seats, drawn = int(number), round(summary.figures["drawn"])
            # As in the arena, a game without a winner is shared equally.
            scores = [summary.figures[f"seat {seat + 1}"] + drawn / seats for seat in range(seats)]
            rates = tuple(WinRate(score, summary.games) for score in scores)
            found.append(Panel(ruleset, seats, summary.games, drawn, rates))
    return found


def seats_table() -> str:
    """The share of each seat, in Markdown."""
    rows = [
        "| game | seats | games | no winner | share of each seat, in the order of play |",
        "|---|---:|---:|---:|---|",
    ]
    for panel in panels():
        shares = ", ".join(map(str, panel.rates))
        rows.append(f"| {panel.ruleset} | {panel.seats} | {panel.games:,} | {panel.drawn} | {shares} |")
    return "\n".join(rows)


SEAT_ADVANTAGE: Final = Experiment(
    name="seats",
    games=dict.fromkeys(table_cells(range(FEWEST_SEATS, MOST_SEATS + 1)), 10_000),
    bots=lambda _: version_of("sailor"),
    play=play,
    figures=figures,
    table=seats_table,
    batch=100,
)
