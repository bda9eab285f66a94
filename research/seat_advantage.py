"""Who begins, wins? Games of the sailor with itself, for every ruleset and number of seats.

`make seats` plays what the ledger does not hold yet; `make how-strong` then draws the picture. The sailor
here is the bot itself without its view: it never uses what its seat does not see, so both choose
alike (tests/bots/test_plans.py).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartagena.arena.statistics import WinRate
from cartagena.bots.players.simple import sailors_survey
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.training.self_play import play_out
from cartagena.bots.version import version_of
from cartagena.rules.position import NOBODY
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from harness import ledger
from harness.plotting import CREWS, FAINT, INK, picture, text
from research.legs import Leg, legs_to_play, play_legs, wish_for

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

    def __str__(self) -> str:
        shares = ", ".join(map(str, self.rates))
        return f"{self.ruleset} {self.seats} seats, {self.games} games, {self.drawn} drawn: {shares}"


def draw(panels: Sequence[Panel]) -> str:
    """The whole picture: a row for each ruleset, a column for each number of seats."""
    rulesets = list(dict.fromkeys(panel.ruleset for panel in panels))
    columns = sorted({panel.seats for panel in panels})
    width = LEFT + len(columns) * (WIDTH + GAP)
    height = TOP + len(rulesets) * (HEIGHT + GAP)
    lines = [
        text(LEFT, 20, "Share of games won by each seat, in the order of play", "start", bold=True),
        text(LEFT, 36, "sailor against itself; dashed: equal shares; bars: 95 % intervals", "start"),
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
