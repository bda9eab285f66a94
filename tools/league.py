"""The league: all levels in mixed company, for every ruleset and number of seats, and a rating for each.

`make league` plays what the ledger does not hold yet; `make how-strong` then writes the tables. Who sits at a
table is drawn by chance, so that every level meets every other one, and chairs and deals even out. The games
that were played for the bars count as well.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from cartagena.arena.contest import Contest, contestant
from cartagena.arena.referee import play_game
from cartagena.bots.players.registry import LEVELS
from cartagena.bots.version import version_of
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from tools import ledger
from tools.arena_bars import BARS, Bar, Measured, ledger_of
from tools.league_ratings import Game, Rating, ratings
from tools.legs import Leg, legs_to_play, play_legs, wish_for

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
