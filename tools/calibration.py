"""Are win chances true? What an analysis says in one moment of a game, against who won it in the end.

`make calibration` plays what the ledger does not hold yet; `make how-strong` then draws the picture. The
games are those of a quick search with itself. Of each, one action is drawn, as likely as any other, and the
position before it is analysed.
"""

from random import Random
from typing import Any, Final

from cartagena.bots.analysis import SIMULATIONS, chances_at
from cartagena.bots.confidence import confidence_in
from cartagena.bots.player import UNHURRIED
from cartagena.bots.playout import Dice, deal_again, random_opening
from cartagena.bots.searcher import Breadth, Depth, Searcher
from cartagena.rules.play import advance
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.ruleset import PRESETS
from cartagena.rules.view import view
from tools import ledger
from tools.bot_version import version_of
from tools.calibration_plot import Bin, Panel
from tools.legs import Leg, legs_to_play, play_legs, wish_for

LEDGER: Final = "calibration"
GAMES_OF_A_LEG: Final = 200
SEATS: Final = (2, 4)
BINS: Final = 20
PLAYERS: Final = Depth(simulations=12, hidden_worlds=2, duel=Breadth(8, 8))
"""Quick enough for some games a second, and far better than the sailor all the same."""


def seed_of(leg: Leg) -> str:
    """Where the chance of a leg begins; no two legs share it."""
    return f"calibration/{leg.ruleset}/{leg.seats}/{leg.number}"


def play_leg(leg: Leg) -> tuple[Leg, list[Bin]]:
    """What was promised and what came of it, gathered by the chance that was promised."""
    chance = Random(seed_of(leg))
    bins = [Bin(0, 0.0, 0.0)] * BINS
    for _ in range(GAMES_OF_A_LEG):
        moment, result = play(leg, chance)
        for promised, came in zip(chances_at(moment, chance, SIMULATIONS // 2), result, strict=True):
            number = min(BINS - 1, int(BINS * promised))
            bins[number] = bins[number].with_one(promised, came)
    return leg, bins


def play(leg: Leg, chance: Random) -> tuple[Position, list[float]]:
    """One moment of a game, and what each seat had of it in the end; a game that nobody won is shared."""
    dice = Dice(chance.getrandbits(31))
    position = random_opening(PRESETS[leg.ruleset], leg.seats, dice)
    bots = [Searcher(PLAYERS) for _ in range(leg.seats)]
    moment, actions = position, 0
    while not position.over:
        actions += 1
        # The last of n actions that is drawn with one chance in n: every action is as likely as any other.
        if chance.random() * actions < 1:
            moment = position.copy()
        advance(position, bots[position.to_act].choose(view(position, position.to_act), chance, UNHURRIED))
        if position.order_due:
            deal_again(position, dice)
    if position.winner == NOBODY:
        return moment, [1 / leg.seats] * leg.seats
    return moment, [float(seat == position.winner) for seat in range(leg.seats)]


def search_key() -> dict[str, Any]:
    """What two legs have in common whose chances may be compared: the same search, and the same players."""
    return {
        "bots": version_of("captain"),
        "simulations": SIMULATIONS // 2,
        "players": PLAYERS.simulations,
    }


def legs_of(ruleset: str, seats: int) -> list[dict[str, Any]]:
    """The legs of the ledger that may be added: by the same search, and believed as much."""
    confidence = confidence_in(PRESETS[ruleset].family, seats)
    return ledger.entries(LEDGER, ruleset=ruleset, seats=seats, confidence=confidence, **search_key())


def panels() -> list[Panel]:
    """What the ledger says of each ruleset and number of seats."""
    found: list[Panel] = []
    for ruleset in PRESETS:
        for seats in SEATS:
            legs = legs_of(ruleset, seats)
            if legs:
                columns = zip(*(leg["bins"] for leg in legs), strict=True)
                bins = tuple(Bin(*map(sum, zip(*column, strict=True))) for column in columns)
                found.append(Panel(ruleset, seats, sum(leg["games"] for leg in legs), bins))
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


def main() -> None:
    """Play what is missing, then print what is known."""
    wish = wish_for(__doc__, games=10_000)
    played = [leg for ruleset in PRESETS for seats in SEATS for leg in legs_of(ruleset, seats)]
    legs = legs_to_play(played, seats=SEATS, games=wish.games, of_a_leg=GAMES_OF_A_LEG)
    for leg, bins in play_legs(play_leg, legs, games=GAMES_OF_A_LEG, workers=wish.workers):
        ledger.append(
            LEDGER,
            **search_key(),
            ruleset=leg.ruleset,
            seats=leg.seats,
            confidence=confidence_in(PRESETS[leg.ruleset].family, leg.seats),
            leg=leg.number,
            seed=seed_of(leg),
            games=GAMES_OF_A_LEG,
            bins=[[number, round(promised, 4), round(came, 4)] for number, promised, came in bins],
        )
    print(calibration_table())


if __name__ == "__main__":
    main()
