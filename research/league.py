"""The league: all levels in mixed company, for every ruleset and number of seats, and a rating for each.

`make league` plays what the ledger does not hold yet; `make how-strong` then writes the tables. Who sits at a
table is drawn by chance, so that every level meets every other one, and chairs and deals even out. The games
that were played for the bars count as well.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cartagena.arena.contest import Contest, contestant
from cartagena.arena.referee import play_game
from cartagena.arena.statistics import Z
from cartagena.bots.players.registry import LEVELS
from cartagena.bots.version import version_of
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from harness import ledger
from research.arena_bars import BARS, Bar, Measured, ledger_of
from research.legs import Leg, legs_to_play, play_legs, wish_for

YARDSTICK: Final = "sailor"
YARDSTICK_POINTS: Final = 1000.0
POINTS: Final = 400 / math.log(10)
"""Points of one unit of log odds."""
DOUBT: Final = 1000 / POINTS
"""How far from the yardstick a level may be a priori; so a level that never won has a rating too."""
STEPS: Final = 50
CLOSE: Final = 1e-9


class Game(NamedTuple):
    """Who sat on each seat, and the seat that won, if one did."""

    company: tuple[str, ...]
    winner: int | None


class Rating(NamedTuple):
    """Points, and half of their interval of 95 %; the yardstick's are fixed."""

    points: float
    margin: float


def ratings(levels: Sequence[str], games: Sequence[Game]) -> dict[str, Rating]:
    """The rating of every level; none if no game was played."""
    if not games:
        return {}
    free = [level for level in levels if level != YARDSTICK]
    counted = Counter(games)
    found = np.zeros(len(free))
    for _ in range(STEPS):
        slope, bend = slope_and_bend(free, counted, found)
        step = np.linalg.solve(bend, slope)
        found = found + step
        if float(np.abs(step).max()) < CLOSE:
            break
    _, bend = slope_and_bend(free, counted, found)
    margins = Z * np.sqrt(np.diag(np.linalg.inv(bend)))
    rated = {
        level: Rating(YARDSTICK_POINTS + POINTS * float(worth), POINTS * float(margin))
        for level, worth, margin in zip(free, found, margins, strict=True)
    }
    return {**rated, YARDSTICK: Rating(YARDSTICK_POINTS, 0.0)}


Numbers = NDArray[np.float64]


def slope_and_bend(
    free: Sequence[str], games: Mapping[Game, int], worths: Numbers
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


LEDGER: Final = "league"
GAMES_OF_A_LEG: Final = 10
SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


def tables(leg: Leg) -> Iterator[Contest]:
    """Each game of a leg, with its own deal and company; a table of equals would tell nothing."""
    for game in range(GAMES_OF_A_LEG):
        seed = f"league/{leg.ruleset}/{leg.seats}/{leg.number}/{game}"
        chance = Random(seed)
        company: list[str] = []
        while len(set(company)) < FEWEST_SEATS:
            company = chance.choices(list(LEVELS), k=leg.seats)
        line_up = tuple(map(contestant, company))
        yield Contest(ruleset=PRESETS[leg.ruleset], line_up=line_up, seed=seed)


def play_leg(leg: Leg) -> tuple[Leg, list[Game]]:
    """Who sat at each table, and who won."""
    played = [play_game(contest, 0) for contest in tables(leg)]
    return leg, [Game(game.bots, game.winner) for game in played]


def key() -> dict[str, str]:
    """What two legs must share to be added together: the same bots."""
    return {"bots": version_of(*LEVELS)}


def games_of(ruleset: str, seats: int) -> list[Game]:
    """The games of today's bots with this ruleset and `seats` seats, from the league and from the bars."""
    legs = ledger.entries(LEDGER, ruleset=ruleset, seats=seats, **key())
    games = [game_of(line) for leg in legs for line in leg["played"]]
    for bar in BARS:
        if (bar.preset, bar.seats) == (ruleset, seats) and {bar.bot, bar.against} <= set(LEVELS):
            games += games_of_bar(bar, ledger_of(bar))
    return games


def games_of_bar(bar: Bar, measured: Measured) -> list[Game]:
    """One game for each that was measured; among equal opponents it does not matter which one won."""
    company = (bar.bot, *[bar.against] * (bar.seats - 1))
    lost = measured.games - measured.wins - measured.without_winner
    return [
        *[Game(company, 0)] * measured.wins,
        *[Game(company, 1)] * lost,
        *[Game(company, None)] * measured.without_winner,
    ]


def line_of(game: Game) -> list[Any]:
    """A game as the ledger keeps it."""
    return [" ".join(game.company), game.winner]


def game_of(line: Sequence[Any]) -> Game:
    """A game from the ledger."""
    company, winner = line
    return Game(tuple(company.split()), winner)


def league_tables() -> str:
    """A table for each ruleset in Markdown: levels down, numbers of seats across."""
    return "\n\n".join(table_of(ruleset) for ruleset in PRESETS)


def table_of(ruleset: str) -> str:
    """The ratings of one ruleset, the best level first; a column without games stays empty."""
    games = {seats: games_of(ruleset, seats) for seats in SEATS}
    columns = {seats: ratings(list(LEVELS), played) for seats, played in games.items()}
    rows = [
        f"| {ruleset} | {' | '.join(f'{seats} seats, {len(games[seats]):,} games' for seats in SEATS)} |",
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


def main() -> None:
    """Play what is missing, then print what is known."""
    wish = wish_for(__doc__, games=200)
    there = ledger.entries(LEDGER, **key())
    legs = legs_to_play(there, seats=SEATS, games=wish.games, of_a_leg=GAMES_OF_A_LEG)
    for leg, games in play_legs(play_leg, legs, wish, games=GAMES_OF_A_LEG):
        played = [line_of(game) for game in games]
        ledger.append(LEDGER, **key(), **leg.named(), played=played)
    print(league_tables())


if __name__ == "__main__":
    main()
