"""What a service of a given size takes: the arithmetic behind docs/scale.md, from the figures of the ledger.

>>> model = CostModel(web_us=400, streams_us=17, postgresql_us=70, nats_us=15, stream_kib=14, table_kib=11,
...                   event_bytes=170, folded_bytes=1250, events_a_game=100)
>>> round(model.cpu_seconds(moves=1_000_000, watchers=2.5))
528
"""

import math
from dataclasses import dataclass
from typing import Final

CORES: Final = 8
"""How many cores a machine has."""
BUSY: Final = 0.6
"""How much of a core may be used before waiting grows too long; the rest is for the hour after supper."""
BUSY_PRIMARY: Final = 0.4
"""How much of a core a primary may use: vacuum, checkpoints and backups need their share."""
STANDBYS: Final = 1
"""How many synchronous standbys each primary has: an acknowledged move survives the loss of a disk."""
FEWEST_PRIMARIES: Final = 16
"""The fewest primaries of a large service, so that few players feel the loss of one."""
SECONDS_A_DAY: Final = 86_400
STREAMS_A_PROCESS: Final = 10_000
GIB: Final = 1 << 20
"""One gibibyte, in kibibytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large a service is: games at once, moves a second, watchers at each table."""

    games: int
    moves: int
    watchers: float = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """The machines, memory and storage that a service takes."""

    web: int
    primaries: int
    standbys: int
    nats: int
    web_memory_gib: int
    streams: int
    log_gb_a_day: int
    folded_gb_a_day: float

    @property
    def all(self) -> int:
        """Machines in all."""
        return self.web + self.primaries + self.standbys + self.nats


@dataclass(frozen=True, slots=True, kw_only=True)
class CostModel:
    """What was measured: microseconds of processor time and bytes."""

    web_us: float
    """Of the process that takes a move."""
    streams_us: float
    """For handing one move to one stream."""
    postgresql_us: float
    nats_us: float
    stream_kib: float
    table_kib: float
    event_bytes: float
    folded_bytes: float
    events_a_game: float

    def cpu_seconds(self, moves: int, watchers: float) -> float:
        """Processor time of all parts for `moves` moves."""
        each = self.web_us + self.postgresql_us + self.nats_us + watchers * self.streams_us
        return moves * each / 1e6

    def machines(self, size: Size) -> Machines:
        """Machines of eight cores for a service of this size."""
        streams = math.ceil(size.games * size.watchers)
        web_us = self.web_us + size.watchers * self.streams_us
        web = self._machines(size.moves * web_us, BUSY)
        by_streams = math.ceil(streams / STREAMS_A_PROCESS / CORES)
        primaries = self._machines(size.moves * self.postgresql_us, BUSY_PRIMARY)
        if size.moves >= FEWEST_PRIMARIES * 1_000:
            primaries = max(primaries, FEWEST_PRIMARIES)
        memory = (streams * self.stream_kib + size.games * self.table_kib) / GIB
        a_day = size.moves * SECONDS_A_DAY
        return Machines(
            web=max(web, by_streams),
            primaries=primaries,
            standbys=primaries * STANDBYS,
            nats=3 if size.moves > 1_000 else 1,  # noqa: PLR2004 - below that one will do
            web_memory_gib=math.ceil(memory),
            streams=streams,
            log_gb_a_day=round(a_day * self.event_bytes / 1e9),
            folded_gb_a_day=round(a_day / self.events_a_game * self.folded_bytes / 1e9, 1),
        )

    def _machines(self, microseconds: float, busy: float) -> int:
        return max(1, math.ceil(microseconds / 1e6 / busy / CORES))
