"""Ending with the terminal: a program whose terminal is gone must not look for keys any longer."""

import os
import select
from collections.abc import Callable
from threading import Thread
from typing import Final, TextIO

LOOK_EVERY: Final = 1000
"""Milliseconds between two looks: a terminal that goes does not wake everybody who waits for it."""
HUNG_UP: Final = 129
"""How a program ends that is told by SIGHUP that its terminal is gone."""


def end_with_terminal(terminal: TextIO) -> None:
    """End this program as soon as its terminal is closed, whatever it is doing.

    Most programs are told by a signal. One that was started beside the session of its terminal is not: it
    would read nothing from it, again and again, with all the time of a processor.
    """
    if hasattr(select, "poll"):
        Thread(target=watch, args=(terminal.fileno(), lambda: os._exit(HUNG_UP)), daemon=True).start()


def watch(descriptor: int, end: Callable[[], None]) -> None:
    """Call `end` when the terminal of a descriptor is closed; where nobody can tell, not at all."""
    looking = select.poll()
    looking.register(descriptor, 0)
    found: list[tuple[int, int]] = []
    while not found:
        found = looking.poll(LOOK_EVERY)
    if any(event & select.POLLHUP for _, event in found):
        end()
