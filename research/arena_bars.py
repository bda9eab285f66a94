"""The bars that our levels must clear, measured in the arena."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.arena.contest import Contest, contestant, line_up
from cartagena.arena.referee import play_game
from cartagena.arena.tally import Tally, WinRate
from cartagena.bots.players.levels import version_of
from cartagena.rules.ruleset import PRESETS
from research.experiment import Experiment, Game, Row, Summary, summary_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """How often one bot must win against others; CI plays only `short` games."""

    name: str
    preset: str = "tortuga"
    seats: int = 2
    bot: str
    against: str
    games: int
    at_least: float
    at_most: float = 1.0
    short: int = 0

    def contest(self, seed: str) -> Contest:
        """One bot on one chair, the other on all the rest."""
        bots = [contestant(self.bot), contestant(self.against)]
        return Contest(ruleset=PRESETS[self.preset], line_up=line_up(bots, self.seats), seed=seed)

    @property
    def required(self) -> str:
        """What it takes, in words."""
        floor = f">= {100 * self.at_least:g} %"
        return floor if self.at_most == 1 else f"{100 * self.at_least:g} to {100 * self.at_most:g} %"


GAMES = 400
FIRST_CAPTAIN = "research.first_captain:captain"


def quick_levels(preset: str, *, sailor: float, deckhand: float, between: tuple[float, float]) -> list[Bar]:
    """The levels that do not search: both know what they do, and one knows it better."""
    where = "" if preset == "tortuga" else f"{preset}-"
    duels = (
        ("sailor", "random", sailor, 1.0),
        ("deckhand", "random", deckhand, 1.0),
        ("deckhand", "sailor", *between),
    )
    return [
        Bar(
            name=f"{where}{bot}-{against}",
            preset=preset,
            bot=bot,
            against=against,
            games=GAMES,
            at_least=at_least,
            at_most=at_most,
            short=40,
        )
        for bot, against, at_least, at_most in duels
    ]


def against_sailors(preset: str, seats: int, at_least: float) -> Bar:
    """One captain, and sailors on all other chairs; whole deals only."""
    return Bar(
        name=f"{preset}-{seats}",
        preset=preset,
        seats=seats,
        bot="captain",
        against="sailor",
        games=seats * -(-GAMES // seats),
        at_least=at_least,
    )


BARS = (
    *quick_levels("tortuga", sailor=0.99, deckhand=0.90, between=(0.10, 0.25)),
    *quick_levels("jamaica", sailor=0.99, deckhand=0.90, between=(0.10, 0.25)),
    *quick_levels("nest", sailor=0.97, deckhand=0.90, between=(0.20, 0.45)),
    Bar(name="bosun-sailor", bot="bosun", against="sailor", games=GAMES, at_least=0.80, short=4),
    Bar(name="captain-bosun", bot="captain", against="bosun", games=GAMES, at_least=0.60),
    Bar(name="captain-first", bot="captain", against=FIRST_CAPTAIN, games=GAMES, at_least=0.60),
    against_sailors("tortuga", 2, 0.97),
    against_sailors("tortuga", 3, 0.73),
    against_sailors("tortuga", 4, 0.60),
    against_sailors("tortuga", 5, 0.44),
    against_sailors("jamaica", 2, 0.85),
    against_sailors("jamaica", 4, 0.45),
    against_sailors("nest", 2, 0.90),
    against_sailors("nest", 4, 0.45),
)
"""What the levels promise (docs/arena.md)."""
BY_NAME: Final = {bar.name: bar for bar in BARS}


def play(game: Game) -> Row:
    """Play a game of a bar: who won, and the milliseconds and the turns of each side."""
    bar = BY_NAME[game.cell]
    contest = bar.contest(game.seed)
    tally = Tally(contest)
    tally.add(play_game(contest, game.number))
    bot, against = contest.names
    return {
        "wins": tally.wins[bot],
        "without_winner": tally.undecided,
        "score": tally.rate(bot).score,
        "turns": tally.turns,
        "ms": round(sum(tally.times[bot]), 3),
        "thought": len(tally.times[bot]),
        "ms_against": round(sum(tally.times[against]), 3),
        "thought_against": len(tally.times[against]),
    }


def figures(row: Row) -> dict[str, float]:
    """What the summary adds up: everything but the number."""
    return {name: value for name, value in row.items() if name != "number"}


def rate_of(measured: Summary) -> WinRate:
    """The score of the bot, with its interval."""
    return WinRate(measured.figures["score"], measured.games)


def still_possible(bar: Bar, measured: Summary) -> bool:
    """Whether a few games do not yet rule out that a bar is cleared."""
    low, high = rate_of(measured).interval
    return high >= bar.at_least and low <= bar.at_most


def verdict(bar: Bar, measured: Summary) -> str:
    """Whether a bar is cleared."""
    if measured.games < bar.games:
        return "not yet told"
    return "yes" if bar.at_least <= rate_of(measured).share <= bar.at_most else "NO"


HEADS: Final = (
    "bar",
    "game",
    "seats",
    "games",
    "no winner",
    "win rate [95 %]",
    "required",
    "ms a turn",
    "against",
    "turns a game",
    "holds",
)


def bars_table() -> str:
    """The bars as they were measured, in Markdown; those that were never measured are left out."""
    found = {bar: summary_of(ARENA_BARS, bar.name) for bar in BARS}
    return table_of_bars({bar: measured for bar, measured in found.items() if measured.games})


def table_of_bars(found: Mapping[Bar, Summary]) -> str:
    """A row for each bar, in columns that are even in plain text as well."""
    rows = [HEADS, *(row_of(bar, measured) for bar, measured in found.items())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *body = [_line(row, widths) for row in rows]
    return "\n".join([head, f"|{'|'.join('-' * (width + 2) for width in widths)}|", *body])


def row_of(bar: Bar, measured: Summary) -> tuple[str, ...]:
    """What the table says of a bar."""
    figures = measured.figures
    return (
        bar.name,
        bar.preset,
        str(bar.seats),
        str(measured.games),
        str(round(figures["without_winner"])),
        str(rate_of(measured)),
        bar.required,
        f"{figures['ms'] / figures['thought']:.1f}",
        f"{figures['ms_against'] / figures['thought_against']:.1f}",
        f"{figures['turns'] / measured.games:.1f}",
        verdict(bar, measured),
    )


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
    return f"| {' | '.join(cells)} |"


ARENA_BARS: Final = Experiment(
    name="bars",
    games={bar.name: bar.games for bar in BARS},
    bots=lambda name: version_of(BY_NAME[name].bot, BY_NAME[name].against),
    play=play,
    figures=figures,
    table=bars_table,
    batch=10,
)
