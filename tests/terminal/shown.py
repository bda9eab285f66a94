"""The program in a real terminal, without a screen multiplexer: bytes in, bytes out."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

from tests.waiting import STARTING, until_sync

PROGRAM = str(Path(sys.executable).with_name("cartagena"))


class Shown:
    """What a command shows in a terminal of 80 by 24."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        named = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        self._running = subprocess.Popen(  # noqa: S603 - our own
            [PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, **named}
        )
        os.close(theirs)
        self.text = ""

    def until(self, *parts: str) -> "Shown":
        """Read until all of these are shown; a program that ends before that is noticed at once."""
        read = bytearray()

        def is_shown() -> bool:
            if select.select([self._ours], [], [], 0)[0]:
                read.extend(os.read(self._ours, 65536))
            self.text = read.decode(errors="replace")
            return all(part in self.text for part in parts)

        until_sync(is_shown, seconds=STARTING, what=lambda: f"{parts} on this screen:\n{self.text}")
        return self

    def press(self, keys: bytes) -> "Shown":
        """Press keys."""
        os.write(self._ours, keys)
        return self

    def until_ended(self) -> int:
        """Wait until it ends by itself; return its exit code."""

        def has_ended() -> bool:
            # A terminal that nobody reads fills up, and then the program waits for it. Once the
            # program is gone there is nothing to read.
            if select.select([self._ours], [], [], 0)[0]:
                with suppress(OSError):
                    os.read(self._ours, 65536)
            return self._running.poll() is not None

        until_sync(has_ended, seconds=STARTING, what="the end of the program")
        os.close(self._ours)
        return self._running.returncode

    def hang_up(self) -> int:
        """Close the terminal under it; return the exit code of the program."""
        os.close(self._ours)
        return self._running.wait(30)

    def end(self) -> None:
        """Stop it at once."""
        self._running.kill()
        self._running.wait()
        os.close(self._ours)
