"""The program as the system runs it: streams that are closed, full, or not text, and a real terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("cartagena"))


def through_shell(command: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which $0 is the program."""
    shell = ["/bin/sh", "-c", command, PROGRAM]
    return subprocess.run(shell, input=typed, capture_output=True, check=False)  # noqa: S603 - our own


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ('"$0" play <&-', b"no keyboard"),
        ('"$0" verify - <&-', b"no keyboard"),
        ('"$0" play >&-', b"no keyboard"),
        ('"$0" rules >/dev/full', b"cannot be written out (No space left on device)"),
        ('"$0" --help >/dev/full', b"cannot be written out (No space left on device)"),
        ('"$0" play >/dev/full', b"cannot be written out (No space left on device)"),
    ],
)
def test_a_stream_that_fails_is_one_line_and_an_exit_code(command: str, message: bytes) -> None:
    done = through_shell(command)
    assert (done.returncode, done.stderr.count(b"\n")) == (3, 1), done.stderr
    assert message in done.stderr


def test_when_not_even_the_error_can_be_written_the_exit_code_is() -> None:
    assert through_shell('"$0" rules >/dev/full 2>/dev/full').returncode == 3


def test_bytes_that_are_no_text_mean_nothing_and_the_game_goes_on() -> None:
    done = through_shell('"$0" play --bots 0', b"\xff\xfe\nquit\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"Expected: an action (play, retreat, end_turn)") == 1
    assert b"The game stops here." in done.stdout


def test_a_name_without_letters_on_this_screen_is_spelled_out(tmp_path: Path) -> None:
    file = os.fsencode(tmp_path) + b"/\xff.txt"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [os.fsencode(PROGRAM), b"play", b"--save", file]
    done = subprocess.run(command, input=b"quit\n", capture_output=True, check=True, env=environment)  # noqa: S603 - our own
    assert rb"\udcff.txt" in done.stdout


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a terminal."""
    ours, theirs = pty.openpty()
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def read_all(end: int) -> bytes:
    """Everything that is shown until the program ends, when reading a terminal fails."""
    shown = b""
    while True:
        try:
            shown += os.read(end, 4096)
        except OSError:
            return shown


def read_until(end: int, words: bytes) -> bytes:
    """Everything that is shown until these words are."""
    shown = b""
    while words not in shown:
        shown += os.read(end, 4096)
    return shown


def test_a_terminal_says_that_a_bot_thinks_and_forgets_it_again() -> None:
    with terminal() as (ours, theirs):
        flags = ["--plain", "--ruleset", "nest", "--bots", "2", "--level", "random", "--seed", "1"]
        command = [PROGRAM, "play", *flags]
        playing = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)  # noqa: S603 - our own
        os.close(theirs)
        shown = read_all(ours)
        assert playing.wait() == 0
    assert shown.count(b" thinks ...\r\x1b[K") == shown.count(b" thinks ") > 10


def test_a_covered_screen_is_forgotten_and_can_be_left() -> None:
    with terminal() as (ours, theirs):
        command = [PROGRAM, "play", "--plain", "--ruleset", "jamaica", "--bots", "0"]
        playing = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)  # noqa: S603 - our own
        os.close(theirs)
        shown = read_until(ours, b"come to the keyboard")
        os.write(ours, b"quit\n")
        shown += read_all(ours)
        assert playing.wait() == 0
    cleared, _, rest = shown.partition(b"\x1b[3J")
    assert cleared.endswith(b"\x1b[2J\x1b[1;1H")
    assert b"come to the keyboard" in rest
    assert b"The game stops here." in rest
    assert b"cards:" not in shown
