"""Who begins, wins? Games of the sailor with itself, for every ruleset and number of seats.

`make seats` plays what the ledger does not hold yet; `make how-strong` then draws the picture. The sailor
here is the bot itself without its view: it never uses what its seat does not see, so both choose
alike (tests/bots/test_plans.py).
"""

from collections import Counter
from typing import Final

from cartagena.arena.statistics import WinRate
from cartagena.bots.players.simple import sailors_survey
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.training.self_play import play_out
from cartagena.bots.version import version_of
from cartagena.rules.position import NOBODY
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from tools import ledger
from tools.legs import Leg, legs_to_play, play_legs, wish_for
from tools.seat_plot import Panel

LEDGER: Final = "seats"
GAMES_OF_A_LEG: Final = 500
SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


def seed_of(leg: Leg) -> int:
    """The random seed of a leg; no two legs share it."""
    return 1_000_000 * list(PRESETS).index(leg.ruleset) + 100_000 * leg.seats + leg.number


def play_leg(leg: Leg) -> tuple[Leg, list[int], int]:
    """How often each seat won, counted from the one that began, and how many games had no winner."""
    ruleset = PRESETS[leg.ruleset]
    survey = sailors_survey(ruleset.family)
    dice = Dice(seed_of(leg))
    wins: Counter[int] = Counter()
    for _ in range(GAMES_OF_A_LEG):
        position = random_opening(ruleset, leg.seats, dice)
        first = position.seat
        play_out(position, survey, 0.0, dice)
        wins[NOBODY if position.winner == NOBODY else (position.winner - first) % leg.seats] += 1
    return leg, [wins[seat] for seat in range(leg.seats)], wins[NOBODY]


def key() -> dict[str, str]:
    """What two legs must share to be added together: the same sailor."""
    return {"bots": version_of("sailor")}


def panels() -> list[Panel]:
    """What the ledger says: the share of each seat, with its interval."""
    found: list[Panel] = []
    for ruleset in PRESETS:
        for seats in SEATS:
            legs = ledger.entries(LEDGER, ruleset=ruleset, seats=seats, **key())
            games = sum(leg["games"] for leg in legs)
            drawn = sum(leg["drawn"] for leg in legs)
            # As in the arena, a game without a winner is shared equally.
            scores = [sum(leg["wins"][seat] for leg in legs) + drawn / seats for seat in range(seats)]
            if games:
                rates = tuple(WinRate(score, games) for score in scores)
                found.append(Panel(ruleset, seats, games, drawn, rates))
    return found


def main() -> None:
    """Play what is missing, then print what is known."""
    wish = wish_for(__doc__, games=10_000)
    there = ledger.entries(LEDGER, **key())
    legs = legs_to_play(there, seats=SEATS, games=wish.games, of_a_leg=GAMES_OF_A_LEG)
    for leg, wins, drawn in play_legs(play_leg, legs, wish, games=GAMES_OF_A_LEG):
        ledger.append(
            LEDGER,
            **key(),
            **leg.named(),
            seed=seed_of(leg),
            games=GAMES_OF_A_LEG,
            wins=wins,
            drawn=drawn,
        )
    for panel in panels():
        print(panel)


if __name__ == "__main__":
    main()
