"""What a service of a given size costs a month, item by item, and what one finished game costs.

The amounts are as good as the prices: these are round examples, so give your own to
`python -m benchmarks.scale_page --bill`. What was measured comes from the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.cost_model import BUSY, CORES, SECONDS_A_DAY, CostModel, Size

DAYS: Final = 30.4
"""Of a month."""
HOURS: Final = DAYS * 24
KEPT_DAYS: Final = 7
"""How long the log of a finished game is kept, and how far back a backup can go."""
BASES: Final = 2
"""How many whole copies of the databases the backups hold."""
YEAR: Final = 365
GB: Final = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What is paid for, in euros."""

    core_hour: float = 0.03
    egress_gb: float = 0.05
    disk_gb: float = 0.08
    """A month."""
    backup_gb: float = 0.02
    """A month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """Bytes that one move sends: its answer, and to each seat and each spectator."""

    answer: float
    seat: float
    watcher: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """Seconds of a processor: a bot's move by its level, a hint, the analysis of a game."""

    move: Mapping[str, float]
    hint: float
    analysis: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Who plays: the share of all moves that bots make on the server, by level, and what people ask for."""

    bots: Mapping[str, float]
    hints: float = 0.5
    """A game."""
    analyses: float = 0.1
    """A game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All that was measured."""

    costs: CostModel
    wire: Wire
    thinking: Thinking


MIXES: Final = {
    "people": Mix(bots={}),
    "an evening": Mix(bots={"sailor": 0.15, "bosun": 0.1}),
    "captains": Mix(bots={"sailor": 0.1, "captain": 0.1}),
}
"""From no bots on the server, because they think on the players' devices, to one move in ten a captain's."""
SEATS: Final = 2
ONE_MACHINE: Final = 100
"""Moves a second below which one machine carries everything."""
ITS_CORES: Final = 2


def bill(figures: Figures, size: Size, mix: Mix, prices: Prices) -> dict[str, float]:
    """Euros a month by item, in the order of the table."""
    machines = figures.costs.machines(size)
    cores = ITS_CORES if size.moves < ONE_MACHINE else machines.all * CORES
    moves = size.moves * SECONDS_A_DAY * DAYS
    games = moves / figures.costs.events_a_game
    thinking = figures.thinking
    log = machines.log_gb_a_day * KEPT_DAYS
    stored = log + machines.folded_gb_a_day * YEAR
    copies = 1 + machines.standbys / machines.primaries
    return {
        "moves": cores * HOURS * prices.core_hour,
        "bots": _cores(moves * _seconds_a_move(thinking, mix), prices),
        "hints, analyses": _cores(
            games * (mix.hints * thinking.hint + mix.analyses * thinking.analysis), prices
        ),
        "egress": moves * _bytes_a_move(figures.wire, size.watchers) / GB * prices.egress_gb,
        "storage": stored * copies * prices.disk_gb,
        "backups": (log + BASES * stored) * prices.backup_gb,
    }


def game_bill(figures: Figures, prices: Prices, level: str | None) -> float:
    """Euros for one finished game of two: of people, or of a person with a bot of a level on the server."""
    costs, moves = figures.costs, figures.costs.events_a_game
    watchers = float(SEATS if level is None else 1)
    seconds = costs.cpu_seconds(1, watchers) * moves
    if level is not None:
        seconds += figures.thinking.move[level] * moves / SEATS
    sent = moves * _bytes_a_move(figures.wire, watchers)
    return _cores(seconds, prices) + sent / GB * prices.egress_gb


def _seconds_a_move(thinking: Thinking, mix: Mix) -> float:
    return sum(share * thinking.move[level] for level, share in mix.bots.items())


def _bytes_a_move(wire: Wire, streams: float) -> float:
    """The streams of a table beyond its seats are spectators'."""
    seats = min(streams, SEATS)
    return wire.answer + seats * wire.seat + (streams - seats) * wire.watcher


def _cores(seconds: float, prices: Prices) -> float:
    """What processor time costs on machines that must not be busier than they may."""
    return seconds / BUSY / 3600 * prices.core_hour
