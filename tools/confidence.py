"""How far are the chances of an analysis to be believed? Finds the powers for `cartagena.bots.confidence`.

`make confidence` plays what the ledger does not hold yet, then prints the power with which who won surprises
least, and the interval of 95 %. The games are played as those of the calibration, with chance of their own:
what is studied here is measured there.
"""

from math import log
from random import Random
from typing import Final, NamedTuple

from cartagena.bots.analysis import SIMULATIONS, chances_at
from cartagena.bots.confidence import CONFIDENCE, believed, confidence_in
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from tools import ledger
from tools.calibration import play, search_key
from tools.legs import Leg, legs_to_play, play_legs, wish_for

LEDGER: Final = "confidence"
GAMES_OF_A_LEG: Final = 20
SEATS: Final = range(FEWEST_SEATS, MOST_SEATS + 1)
POWERS: Final = tuple(number / 20 for number in range(10, 45))
LEAST: Final = 0.001
"""Nothing that can still happen is less likely than this, or one wonder would outweigh all else."""
LIKELY: Final = 1.92
"""A power whose surprise is at most so much above the least lies within the interval of 95 %."""


class Found(NamedTuple):
    """The best power and the interval around it, and how many games say so."""

    games: int
    power: float
    low: float
    high: float


def seed_of(leg: Leg) -> str:
    """Where the chance of a leg begins; no two legs share it."""
    return f"confidence/{leg.ruleset}/{leg.seats}/{leg.number}"


def play_leg(leg: Leg) -> tuple[Leg, list[float]]:
    """How much the games of a leg would have surprised with each power."""
    chance = Random(seed_of(leg))
    # The chances come with today's power, and are taken back to what the search found.
    back = 1 / confidence_in(PRESETS[leg.ruleset].family, leg.seats)
    surprises = [0.0] * len(POWERS)
    for _ in range(GAMES_OF_A_LEG):
        moment, result = play(leg, chance)
        found = believed(chances_at(moment, chance, SIMULATIONS // 2), back)
        for number, power in enumerate(POWERS):
            surprises[number] += surprise(believed(found, power), result)
    return leg, surprises


def surprise(chances: tuple[float, ...], result: list[float]) -> float:
    """How surprising a result is, given these chances: minus the logarithm of that of the winner.

    >>> surprise((1.0, 0.0), [1.0, 0.0])
    0.0
    """
    return sum(-log(max(LEAST, chance)) * share for chance, share in zip(chances, result, strict=True))


def found_in(family: str, seats: int) -> Found:
    """What the ledger says of a family with so many seats."""
    legs = [
        leg
        for name, ruleset in PRESETS.items()
        if ruleset.family == family
        for leg in ledger.entries(LEDGER, ruleset=name, seats=seats, **search_key())
    ]
    surprises = [sum(column) for column in zip(*(leg["surprises"] for leg in legs), strict=True)]
    likely = [
        power for power, value in zip(POWERS, surprises, strict=True) if value <= min(surprises) + LIKELY
    ]
    best = POWERS[surprises.index(min(surprises))]
    return Found(sum(leg["games"] for leg in legs), best, min(likely), max(likely))


def main() -> None:
    """Play what is missing, then print what is known."""
    wish = wish_for(__doc__, games=300)
    played = ledger.entries(LEDGER, **search_key())
    legs = legs_to_play(played, seats=SEATS, games=wish.games, of_a_leg=GAMES_OF_A_LEG)
    for leg, surprises in play_legs(play_leg, legs, games=GAMES_OF_A_LEG, workers=wish.workers):
        ledger.append(
            LEDGER,
            **search_key(),
            ruleset=leg.ruleset,
            seats=leg.seats,
            leg=leg.number,
            seed=seed_of(leg),
            games=GAMES_OF_A_LEG,
            surprises=[round(value, 3) for value in surprises],
        )
    for family in CONFIDENCE:
        for seats in SEATS:
            found = found_in(family, seats)
            print(
                f"{family} {seats}: {found.power:.2f} [{found.low:.2f}, {found.high:.2f}], "
                f"{found.games} games; in use: {confidence_in(family, seats):.2f}"
            )


if __name__ == "__main__":
    main()
