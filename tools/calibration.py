"""Are win chances true? Compare what an analysis says at one moment of a game with who won it in the end.

`make calibration` plays what the ledger does not hold yet: first the games that tell how far to trust the
chances, then those that measure it; last the study of tables that are not measured.
`make how-strong` draws the picture.
"""

from typing import Final

from cartagena.bots.evaluation.calibration import believed, confidence_in
from cartagena.rules.ruleset import PRESETS
from tools import confidence, ledger
from tools.calibration_plot import Bin, Panel
from tools.confidence import confidence_table
from tools.legs import Leg, legs_to_play, play_legs, wish_for
from tools.moments import GAMES_OF_A_LEG, LEDGER, STUDIED, Moment, keep, key, moments_of, play_leg

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
