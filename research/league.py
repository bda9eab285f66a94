"""The league: all levels in mixed company, for every ruleset and number of seats, and a rating for each.

Who sits at a table is drawn by chance, so that every level meets every other one, and chairs and deals even
out. The games that were played for the bars count as well.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cartagena.arena.contest import Contest, contestant
from cartagena.arena.referee import play_game
from cartagena.arena.tally import Z
from cartagena.bots.players.levels import version_of
from cartagena.bots.players.registry import LEVELS
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from research.arena_bars import ARENA_BARS, BARS, Bar
from research.experiment import Experiment, Game, Row, Summary, summary_of, table_cells, table_of

YARDSTICK: Final = "sailor"
YARDSTICK_POINTS: Final = 1000.0
POINTS: Final = 400 / math.log(10)
"""Points of one unit of log odds."""
DOUBT: Final = 1000 / POINTS
"""How far from the yardstick a level may be a priori; so a level that never won has a rating too."""
STEPS: Final = 50
CLOSE: Final = 1e-9


class Outcome(NamedTuple):
    """Who sat on each seat, and the seat that won, if one did."""

    company: tuple[str, ...]
    winner: int | None


class Rating(NamedTuple):
    """Points, and half of their interval of 95 %; the yardstick's are fixed."""

    points: float
    margin: float


def ratings(levels: Sequence[str], games: Mapping[Outcome, int]) -> dict[str, Rating]:
    """The rating of every level; none if no game was played."""
    if not games:
        return {}
    free = [level for level in levels if level != YARDSTICK]
    found = np.zeros(len(free))
    for _ in range(STEPS):
        slope, bend = slope_and_bend(free, games, found)
        step = np.linalg.solve(bend, slope)
        found = found + step
        if float(np.abs(step).max()) < CLOSE:
            break
    _, bend = slope_and_bend(free, games, found)
    margins = Z * np.sqrt(np.diag(np.linalg.inv(bend)))
    rated = {
        level: Rating(YARDSTICK_POINTS + POINTS * float(worth), POINTS * float(margin))
        for level, worth, margin in zip(free, found, margins, strict=True)
    }
    return {**rated, YARDSTICK: Rating(YARDSTICK_POINTS, 0.0)}


Numbers = NDArray[np.float64]


def slope_and_bend(
    free: Sequence[str], games: Mapping[Outcome, int], worths: Numbers
) -> tuple[Numbers, Numbers]:
    """Where the likelihood rises, and how sharply it bends, at these worths."""
    place = {level: number for number, level in enumerate(free)}
    slope = -worths / DOUBT**2
    bend = np.eye(len(free)) / DOUBT**2
    for (company, winner), times in games.items():
        seats = [place.get(level) for level in company]
        shares = np.exp([0.0 if seat is None else worths[seat] for seat in seats])
        shares /= shares.sum()
        expected = np.zeros(len(free))
        for number, seat in enumerate(seats):
            if seat is not None:
                # A game without a winner is shared by all.
                won = 1 / len(seats) if winner is None else float(number == winner)
                slope[seat] += times * (won - shares[number])
                expected[seat] += shares[number]
        bend += times * (np.diag(expected) - np.outer(expected, expected))
    return slope, bend


SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


def company_at(game: Game, seats: int) -> list[str]:
    """Who plays; a table of equals would tell nothing."""
    chance = game.chance()
    company: list[str] = []
    while len(set(company)) < FEWEST_SEATS:
        company = chance.choices(list(LEVELS), k=seats)
    return company


def play(game: Game) -> Row:
    """Play a game of the league, on a deal of its own."""
    ruleset, seats = table_of(game.cell)
    company = company_at(game, seats)
    line_up = tuple(map(contestant, company))
    played = play_game(Contest(ruleset=ruleset, line_up=line_up, seed=str(game)), 0)
    return {"company": " ".join(played.bots), "winner": played.winner}


def figures(row: Row) -> dict[str, float]:
    """What the summary counts: how often each company played with each result.

    >>> figures({"company": "captain sailor", "winner": 0})
    {'captain sailor: 0': 1}
    """
    return {f"{row['company']}: {row['winner']}": 1}


def outcomes(summary: Summary) -> Counter[Outcome]:
    """The results behind such figures."""
    found: Counter[Outcome] = Counter()
    for name, times in summary.figures.items():
        company, winner = name.split(": ")
        found[Outcome(tuple(company.split()), None if winner == "None" else int(winner))] += times
    return found


def outcomes_at(ruleset: str, seats: int) -> Counter[Outcome]:
    """All results of today's levels with this ruleset and number of seats, from the league and the bars."""
    found = outcomes(summary_of(LEAGUE, f"{ruleset} {seats}"))
    for bar in BARS:
        if (bar.preset, bar.seats) == (ruleset, seats) and {bar.bot, bar.against} <= set(LEVELS):
            found += outcomes_of_bar(bar, summary_of(ARENA_BARS, bar.name))
    return found


def outcomes_of_bar(bar: Bar, summary: Summary) -> Counter[Outcome]:
    """The results of a bar; among equal opponents it does not matter which one won."""
    company = (bar.bot, *[bar.against] * (bar.seats - 1))
    wins, undecided = summary.figures["wins"], summary.figures["without_winner"]
    return Counter(
        {
            Outcome(company, 0): wins,
            Outcome(company, 1): summary.games - wins - undecided,
            Outcome(company, None): undecided,
        }
    )


def league_tables() -> str:
    """A table for each ruleset in Markdown: levels down, numbers of seats across."""
    return "\n\n".join(league_table(ruleset) for ruleset in PRESETS)


def league_table(ruleset: str) -> str:
    """The ratings of one ruleset, the best level first; a column without games stays empty."""
    games = {seats: outcomes_at(ruleset, seats) for seats in SEATS}
    columns = {seats: ratings(list(LEVELS), played) for seats, played in games.items()}
    rows = [
        f"| {ruleset} | {' | '.join(f'{seats} seats, {games[seats].total():,} games' for seats in SEATS)} |",
        f"|---|{'---:|' * len(SEATS)}",
    ]
    for level in reversed(LEVELS):
        cells = [told(columns[seats].get(level)) for seats in SEATS]
        rows.append(f"| {level} | {' | '.join(cells)} |")
    return "\n".join(rows)


def told(rating: Rating | None) -> str:
    """A rating with its interval of 95 %."""
    if rating is None:
        return ""
    return f"{rating.points:.0f}" + (f" ± {rating.margin:.0f}" if rating.margin else "")


LEAGUE: Final = Experiment(
    name="league",
    games=dict.fromkeys(table_cells(SEATS), 200),
    bots=lambda _: version_of(*LEVELS),
    play=play,
    figures=figures,
    table=league_tables,
    batch=10,
)
