"""Playing many games of a contest: on all cores, told in the order of their numbers."""

import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Final

from cartagena.arena.contest import Contest
from cartagena.arena.referee import PlayedGame, play_game
from cartagena.arena.tally import Sprt, Tally

AHEAD: Final = 2
"""How many games for each worker are under way or wait: enough to keep it busy, and few to throw away."""


def play_games(
    contest: Contest, numbers: Iterable[int], *, workers: int = 1, recorded: bool = False
) -> Generator[PlayedGame]:
    """Play the games with these numbers and give each when it and all before it are finished.

    The games do not depend on the number of workers. With more than one, bots must be importable by other
    processes, as those of the registry are. Close the iterator to stop early.
    """
    if workers == 1:
        for number in numbers:
            yield play_game(contest, number, recorded=recorded)
        return
    # A fresh interpreter for each worker: a copy of this one could hold a lock of some other thread.
    fresh = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=fresh, initializer=_end_at_once_when_interrupted)
    try:
        yield from _in_order(pool, contest, iter(numbers), recorded=recorded, ahead=AHEAD * workers)
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, contest: Contest, numbers: Iterator[int], *, recorded: bool, ahead: int
) -> Iterator[PlayedGame]:
    waiting: deque[Future[PlayedGame]] = deque()
    while True:
        for number in islice(numbers, ahead - len(waiting)):
            with _interrupts_held():
                waiting.append(pool.submit(play_game, contest, number, recorded=recorded))
        if not waiting:
            return
        yield waiting.popleft().result()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let an interrupt wait, also in a process that is started here, until it is ready for one."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_at_once_when_interrupted() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def until_decided(games: Iterable[PlayedGame], tally: Tally, sprt: Sprt | None) -> Iterator[PlayedGame]:
    """Count the games on their way, and stop behind the deal that makes the sequential test sure.

    The test is about the first bot of the line-up.
    """
    contest = tally.contest
    for played in games:
        tally.add(played)
        yield played
        whole = played.rotation == contest.rotations - 1
        if sprt is not None and whole and sprt.verdict(tally.rate(contest.names[0])) is not None:
            return
