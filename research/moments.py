"""Moments of games: the chances that an analysis finds for every seat, and who won in the end.

A quick search plays the games against itself. From each, one action is drawn, all equally likely, and the
position before it is analysed. Confidence is found in the first legs, and calibration is measured in all
others: nothing is tested on what it was learned from.
"""

from random import Random
from typing import Any, Final, NamedTuple

from cartagena.bots.analysis.annotation import SIMULATIONS, chances_at
from cartagena.bots.evaluation.calibration import believed, confidence_in
from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.random_games import Dice, deal_again, random_opening
from cartagena.bots.search.bot import Breadth, Depth, Searcher
from cartagena.bots.version import version_of
from cartagena.rules.hidden.view import view
from cartagena.rules.play import advance
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.ruleset import PRESETS
from harness import ledger
from research.legs import Leg

LEDGER: Final = "moments"
GAMES_OF_A_LEG: Final = 100
STUDIED: Final = 10
"""How many legs are for confidence."""
PLAYERS: Final = Depth(simulations=12, hidden_worlds=2, duel=Breadth(8, 8))
"""Quick enough for some games a second, and far better than the sailor all the same."""
WHOLE: Final = 1000
"""The ledger keeps chances in thousandths."""


class Moment(NamedTuple):
    """The chances that the search found for each seat, and each seat's share of the win."""

    chances: tuple[float, ...]
    result: tuple[float, ...]


def play_leg(leg: Leg) -> tuple[Leg, list[list[int]]]:
    """The moments of a leg, as the ledger keeps them."""
    chance = Random(seed_of(leg))
    # The reported chances include today's confidence; the ledger keeps them without it.
    back = 1 / confidence_in(PRESETS[leg.ruleset].family, leg.seats)
    lines: list[list[int]] = []
    for _ in range(GAMES_OF_A_LEG):
        position, winner = play(leg, chance)
        lines.append(line_of(believed(chances_at(position, chance, SIMULATIONS // 2), back), winner))
    return leg, lines


def seed_of(leg: Leg) -> str:
    """The random seed of a leg; no two legs share it."""
    return f"moments/{leg.ruleset}/{leg.seats}/{leg.number}"


def play(leg: Leg, chance: Random) -> tuple[Position, int]:
    """One moment of a game, and its winner, who may be `NOBODY`."""
    dice = Dice(chance.getrandbits(31))
    position = random_opening(PRESETS[leg.ruleset], leg.seats, dice)
    bots = [Searcher(PLAYERS) for _ in range(leg.seats)]
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


def line_of(chances: tuple[float, ...], winner: int) -> list[int]:
    """A moment as the ledger keeps it: thousandths for all seats but the last, then who won.

    >>> line_of((0.5, 0.3, 0.2), 1)
    [500, 300, 1]
    """
    return [*(round(WHOLE * chance) for chance in chances[:-1]), winner]


def moment_of(line: list[int]) -> Moment:
    """A moment from the ledger; a game without a winner is shared.

    >>> moment_of([500, 300, 1])
    Moment(chances=(0.5, 0.3, 0.2), result=(0.0, 1.0, 0.0))
    """
    *parts, winner = line
    seats = len(parts) + 1
    chances = tuple(part / WHOLE for part in (*parts, max(0, WHOLE - sum(parts))))
    if winner == NOBODY:
        return Moment(chances, (1 / seats,) * seats)
    return Moment(chances, tuple(float(seat == winner) for seat in range(seats)))


def key() -> dict[str, Any]:
    """What two legs must share for their moments to be compared: the same search and the same players."""
    return {
        "bots": version_of("captain"),
        "simulations": SIMULATIONS // 2,
        "players": PLAYERS.simulations,
    }


def keep(leg: Leg, lines: list[list[int]]) -> None:
    """Write a leg down."""
    ledger.append(
        LEDGER,
        **key(),
        **leg.named(),
        seed=seed_of(leg),
        games=len(lines),
        moments=lines,
    )


def moments_of(ruleset: str, seats: int, *, studied: bool) -> list[Moment]:
    """The moments of the ledger for confidence, or those for calibration."""
    return [
        moment_of(line)
        for leg in ledger.entries(LEDGER, ruleset=ruleset, seats=seats, **key())
        if (leg["leg"] < STUDIED) == studied
        for line in leg["moments"]
    ]
