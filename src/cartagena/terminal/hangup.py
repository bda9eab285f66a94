"""Ending with the terminal: a program whose terminal is gone must not look for keys any longer."""

import os
import select
from collections.abc import Callable
from threading import Thread
from typing import Final, TextIO

LOOK_EVERY: Final = 1000
"""Milliseconds between two looks: a terminal that closes does not wake every program that waits for it."""
HUNG_UP: Final = 129
"""The exit code of a program that SIGHUP ends."""


def end_with_terminal(terminal: TextIO) -> None:
    """End this program as soon as its terminal is closed, whatever it is doing.

    Most programs get a signal. One that was started outside the session of its terminal does not: it would
    read nothing, again and again, and keep a processor busy.
    """
    if hasattr(select, "poll"):
        Thread(target=watch, args=(terminal.fileno(), lambda: os._exit(HUNG_UP)), daemon=True).start()


def watch(descriptor: int, end: Callable[[], None]) -> None:
    """Call `end` when the terminal of a descriptor is closed; never, if that cannot be detected."""
    looking = select.poll()
    looking.register(descriptor, 0)
    found: list[tuple[int, int]] = []
    while not found:
        found = looking.poll(LOOK_EVERY)
    if any(event & select.POLLHUP for _, event in found):
        end()
