"""How long bots took for their turns on this device, read from the log."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from statistics import median

from cartagena.local.store import KeptTable
from cartagena.tables.table import EventKind

_MS_PER_SECOND = 1000


def seconds_a_turn(games: Iterable[KeptTable]) -> dict[str, float]:
    """The usual seconds of a turn of each level that has played here.

    The median: while the device was switched off, some turn took a night.
    """
    turns: defaultdict[str, list[int]] = defaultdict(list)
    for game in games:
        begun = game.opened.at
        for (seat, kind), events in groupby(game.events, key=lambda event: (event.seat, event.kind)):
            ended = list(events)[-1].at
            level = None if seat is None else game.sheet.chairs[seat].level
            if kind is EventKind.ACTED and level is not None:
                turns[level].append(ended - begun)
            begun = ended
    return {level: round(median(taken) / _MS_PER_SECOND, 1) for level, taken in turns.items()}
