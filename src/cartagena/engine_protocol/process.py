"""The process of an engine: lines in, lines out, and an end that leaves nothing behind.

A thread for each of its three pipes keeps that moving: an engine that writes much to its standard error, or
reads nothing, holds up neither itself nor the game.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import FrameType
from typing import IO, Final, TypeVar

from cartagena.engine_protocol.faults import EngineFault, EngineTrouble
from cartagena.words.printable import printable

LONGEST_LINE: Final = 100_000
"""The most bytes of a line that is read as one."""
MOST_UNREAD: Final = 1_000_000
"""The most bytes that lines take while they wait to be read; an engine that writes more is not heard."""
LINE_SHOWN: Final = 300
"""How many bytes of a line are shown when an engine fails."""
COMPLAINT_LINES: Final = 10
"""How many lines at the end of the standard error are shown then."""
COMPLAINT_SIZE: Final = 4_000
"""How many bytes at the end of the standard error are kept."""
CLOSING_SECONDS: Final = 0.5
"""How long after its output an engine may end that has failed, or been ended."""

_Goods = TypeVar("_Goods")

_HAS_GROUPS: Final = os.name == "posix"
_CAN_PEEK: Final = hasattr(os, "waitid")
"""Whether we can learn that a process has ended before its id is given up; on macOS from Python 3.13 on."""
_LONGEST_PAUSE: Final = 0.05
_RUNNING: "Final[set[subprocess.Popen[bytes]]]" = set()
"""The engines that were started and not ended yet."""


class UnreadLines:
    """The lines of an engine that wait to be read, at the end an empty one; what is too much is lost."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._size = 0
        self._lock = Lock()
        self.unfinished = b""
        """What has been written of a line that has no line feed yet, at most its first bytes."""

    def __bool__(self) -> bool:
        return not self._lines.empty()

    def put(self, line: bytes) -> None:
        """Add a line, unless too much waits already; the end always finds room."""
        with self._lock:
            size = self._size + sys.getsizeof(line)
            if line and size > MOST_UNREAD:
                return
            self._size = size
        self._lines.put(line)

    def get(self, seconds: float) -> bytes | None:
        """Take the next line, None if none comes within `seconds`."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            return None
        with self._lock:
            self._size -= sys.getsizeof(line)
        return line


class EngineProcess:
    """A program that was started, without a shell; raises EngineFault when it does not do as it should.

    It gets a process group of its own. So a key stroke that interrupts the game leaves it to us, and programs
    that it has started in turn end with it. It ends at the latest when this object does.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - the command of the person whose machine this is
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=_HAS_GROUPS,
            )
        except OSError as error:
            reason = error.strerror or error
            raise EngineFault(EngineTrouble.CANNOT_START, command=command[0], reason=reason) from error
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        self._heard = UnreadLines()
        self._complaints = bytearray()
        # They know the pipes alone, not this object, which could not end while they wait.
        _in_thread(_send, process.stdin, self._unsent)
        _in_thread(_hear, process.stdout, self._heard)
        self._listener = _in_thread(_keep_end, process.stderr, self._complaints)
        self._finalizer = weakref.finalize(self, _end_at_once, process)
        _RUNNING.add(process)
        _end_all_when_interrupted()

    @property
    def id(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def has_spoken(self) -> bool:
        """Whether it has written something that was not read yet."""
        return bool(self._heard)

    @property
    def unfinished(self) -> bytes:
        """What it has written of a line that has no line feed yet."""
        return self._heard.unfinished

    def send(self, line: bytes) -> None:
        """Send a line, without waiting until it is read."""
        self._unsent.put(line)

    def line(self, seconds: float) -> bytes | None:
        """The next line, None if it writes none within `seconds`; raises EngineFault at its end."""
        line = self._heard.get(seconds)
        if line == b"":
            raise self._gone()
        return line

    def close_input(self) -> None:
        """Close its standard input, behind everything that was sent."""
        self._unsent.put(None)

    def wait(self, seconds: float) -> int | None:
        """The status with which it ends by itself, None if it is still there after that time.

        What it has started ends with it.
        """
        process = self._process
        if process.returncode is None:
            if not _ends_within(process, seconds):
                return None
            _kill_group(process)
        return process.wait()

    def end(self) -> None:
        """End it now, and all that it has started."""
        self._finalizer()
        self._unsent.put(None)

    def fault(self, trouble: EngineTrouble, line: bytes = b"", **values: object) -> EngineFault:
        """What went wrong, with the line that did, and with the end of the standard error."""
        said = repr(_text(line[:LINE_SHOWN])) if line else ""
        return EngineFault(trouble, said, self._complaint(), **values)

    def _gone(self) -> EngineFault:
        status = self.wait(CLOSING_SECONDS)
        if status is None:
            return self.fault(EngineTrouble.CLOSED)
        # What it complained of at last may still be on its way.
        self._listener.join(CLOSING_SECONDS)
        if status < 0:
            return self.fault(EngineTrouble.ENDED_BY_SIGNAL, signal=signal.strsignal(-status) or -status)
        return self.fault(EngineTrouble.ENDED, status=status)

    def _complaint(self) -> list[str]:
        lines = _text(bytes(self._complaints)).splitlines()[-COMPLAINT_LINES:]
        return [printable(line.rstrip()[:LINE_SHOWN]) for line in lines]


def _text(words: bytes) -> str:
    return words.decode(errors="backslashreplace").strip()


def _in_thread(work: Callable[[IO[bytes], _Goods], None], pipe: IO[bytes], goods: _Goods) -> Thread:
    thread = Thread(target=work, args=(pipe, goods), daemon=True)
    thread.start()
    return thread


def _send(pipe: IO[bytes], lines: "SimpleQueue[bytes | None]") -> None:
    """Write each line; None closes the pipe."""
    with contextlib.suppress(OSError), pipe:
        while (line := lines.get()) is not None:
            pipe.write(line)
            pipe.flush()


def _hear(pipe: IO[bytes], lines: UnreadLines) -> None:
    """Hand on each line, one that is too long in parts, and at the end an empty one."""
    rest = b""
    with contextlib.suppress(OSError), pipe:
        while part := os.read(pipe.fileno(), 65536):
            *whole, rest = _parts(rest + part)
            for line in whole:
                lines.put(line)
            lines.unfinished = rest[:LINE_SHOWN]
    if rest:
        lines.put(rest)
    lines.put(b"")


def _parts(heard: bytes) -> list[bytes]:
    """The lines of what was heard, each with its line feed unless it is too long, and the rest."""
    parts: list[bytes] = []
    begin = 0
    while True:
        end = heard.find(b"\n", begin, begin + LONGEST_LINE) + 1
        if not end and len(heard) - begin < LONGEST_LINE:
            return [*parts, heard[begin:]]
        end = end or begin + LONGEST_LINE
        parts.append(heard[begin:end])
        begin = end


def _keep_end(pipe: IO[bytes], kept: bytearray) -> None:
    """Read everything, and keep the end of it."""
    with contextlib.suppress(OSError), pipe:
        while part := os.read(pipe.fileno(), 65536):
            kept[:] = (kept + part)[-COMPLAINT_SIZE:]


def _ends_within(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether it ends by itself; where that can be, its id stays its own, so that the group can be ended."""
    if not _CAN_PEEK:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    ends, pause = time.monotonic() + seconds, 0.001
    # A program that ignores the end of its children finds none to wait for.
    with contextlib.suppress(ChildProcessError):
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            left = ends - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, pause))
            pause = min(2 * pause, _LONGEST_PAUSE)
    return True


def _kill(process: "subprocess.Popen[bytes]") -> None:
    # As long as we have not waited for it, its id cannot have become that of another program.
    if process.returncode is None:
        _kill_group(process)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if _HAS_GROUPS:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _end_at_once(process: "subprocess.Popen[bytes]") -> None:
    _RUNNING.discard(process)
    _kill(process)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(CLOSING_SECONDS)


def _end_all_when_interrupted() -> None:
    """Where an interrupt ends this process at once, as it ends workers of the arena, end the engines too."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if in_main_thread and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, _end_all)


def _end_all(number: int, _: FrameType | None) -> None:
    for process in tuple(_RUNNING):
        _kill(process)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
