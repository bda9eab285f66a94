"""What is said between a game and an engine, in its order: `docs/engine-protocol.md` in Python."""

import math
import time
from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

import msgspec

from cartagena.engine_protocol.faults import EngineFault, EngineTrouble
from cartagena.engine_protocol.process import LONGEST_LINE, EngineProcess
from cartagena.messages.engine_lines import (
    PROTOCOL,
    EngineLine,
    GoLine,
    GreetingLine,
    InfoLine,
    RulesLine,
)
from cartagena.messages.views import ruleset_message, view_message
from cartagena.messages.wishes import LegalMessage, legal_messages
from cartagena.rules.hidden.view import View
from cartagena.rules.hidden.world import world

STARTING_SECONDS: Final = 10.0
"""How long an engine may take from its start to its first line."""
GRACE: Final = 1.0
"""The seconds beyond those that it may think, after which a choice is too late."""
ENDING_SECONDS: Final = 2.0
"""How long an engine may take to end after `quit`, or when its input has closed."""
CHANCES_DIFFER: Final = 0.01
"""How far the sum of chances may be from 1."""

_Said = TypeVar("_Said", bound=msgspec.Struct)


def choices_of(view: View) -> tuple[LegalMessage, ...]:
    """The choices of the viewer, who is to act, each with what it would do as far as the view tells."""
    # Every world that fits the view gives the same: an explanation gives no hidden card away.
    return legal_messages(world(view, Random(0)))


class Conversation:
    """One engine from its start to its end; raises EngineFault when it breaks the protocol."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        grace: float = GRACE,
        ending: float = ENDING_SECONDS,
    ) -> None:
        self.info: InfoLine | None = None
        """What the engine told about its last choice."""
        self._grace = grace
        self._ending = ending
        self._process = EngineProcess(command)

    def greet(self, seconds: float = STARTING_SECONDS) -> EngineLine:
        """Say which protocol is spoken, and learn who answers."""
        self.say("cartagena", GreetingLine(protocol=PROTOCOL))
        word, rest, line = self._next(time.monotonic() + seconds, seconds, expected="engine")
        if word != "engine":
            raise self._no_line(line, "engine")
        engine = self._read(EngineLine, word, rest, line)
        if engine.protocol != PROTOCOL:
            raise self._process.fault(EngineTrouble.OTHER_PROTOCOL, protocol=engine.protocol, ours=PROTOCOL)
        return engine

    def begin(self, view: View, seed: int) -> None:
        """Say which game begins."""
        assert view.seat is not None, "an engine has a seat"
        ruleset = ruleset_message(view.ruleset)
        self.say("rules", RulesLine(ruleset=ruleset, seats=view.seats, seat=view.seat, seed=seed))

    def ask(self, view: View, seconds: float) -> int:
        """Show what the seat may know, and get one of the codes in `view.legal`."""
        self.show(view)
        return self.go(view, seconds)

    def show(self, view: View) -> None:
        """Say how the table stands, and what the choices are."""
        self.check_silence()
        self.say("view", view_message(view))
        self.say("choices", choices_of(view))

    def go(self, view: View, seconds: float) -> int:
        """Let it think about the view that was shown, and get its choice."""
        self.info = None
        self.say("go", GoLine(seconds=seconds, grace=self._grace))
        allowed = seconds + self._grace
        ends = time.monotonic() + allowed
        while True:
            word, rest, line = self._next(ends, allowed, expected="choice")
            if word == "choice":
                return self._choice(view, rest, line)
            if word != "info":
                raise self._no_line(line, "choice")
            self.info = self._info(view, rest, line)

    def check_silence(self) -> None:
        """Raise EngineFault if the engine has said something that was not asked for."""
        if self._process.has_spoken:
            raise self._process.fault(EngineTrouble.UNASKED, self._process.line(0) or b"")

    def skip_unasked(self) -> None:
        """Forget what the engine has said and was not asked for; only a test of engines is so patient."""
        while self._process.has_spoken:
            self._process.line(0)

    def say(self, word: str, told: object = None) -> None:
        """Send a line; only a test of engines sends another than the methods above."""
        line = word.encode() if told is None else word.encode() + b" " + msgspec.json.encode(told)
        self._process.send(line + b"\n")

    def quit(self) -> None:
        """Ask it to end; one that does not is ended, and raises EngineFault like one that fails at last."""
        self.say("quit")
        self.leave()

    def leave(self) -> None:
        """Close its input, after which it should end by itself, as after `quit`."""
        self._process.close_input()
        status = self._process.wait(self._ending)
        self.end()
        if status is None:
            raise self._process.fault(EngineTrouble.STAYED, seconds=f"{self._ending:g}")
        if status:
            raise self._process.fault(EngineTrouble.ENDED, status=status)

    def end(self) -> None:
        """End it at once."""
        self._process.end()

    # What it answers.

    def _next(self, ends: float, allowed: float, *, expected: str) -> tuple[str, str, bytes]:
        """The next line: its word, the rest, and as it was written."""
        left = ends - time.monotonic()
        line = self._process.line(left) if left > 0 else None
        if line is None and left > 0 and self._process.unfinished:
            raise self._no_line_feed(self._process.unfinished, expected)
        if line is None:
            raise self._process.fault(EngineTrouble.TOO_LATE, seconds=f"{allowed:g}", expected=expected)
        if not line.endswith(b"\n"):
            raise self._no_line_feed(line, expected)
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise self._no_line(line, expected) from None
        word, _, rest = text.strip().partition(" ")
        return word, rest, line

    def _choice(self, view: View, rest: str, line: bytes) -> int:
        try:
            code = msgspec.json.decode(rest, type=int)
        except msgspec.MsgspecError:
            raise self._process.fault(EngineTrouble.NO_NUMBER, line) from None
        if code not in view.legal:
            raise self._process.fault(EngineTrouble.NO_CHOICE, line)
        return code

    def _info(self, view: View, rest: str, line: bytes) -> InfoLine:
        info = self._read(InfoLine, "info", rest, line)
        if info.chances is not None and not are_chances(info.chances, view.seats):
            raise self._process.fault(EngineTrouble.WRONG_CHANCES, line, seats=view.seats)
        return info

    def _read(self, kind: type[_Said], word: str, rest: str, line: bytes) -> _Said:
        try:
            told = msgspec.json.decode(rest)
            wrong = wrong_member(kind, told)
            if wrong is None:
                return msgspec.convert(told, kind)
        except (msgspec.MsgspecError, RecursionError):
            raise self._no_line(line, word) from None
        trouble, member = wrong
        raise self._process.fault(trouble, line, word=word, member=member)

    def _no_line_feed(self, line: bytes, expected: str) -> EngineFault:
        if len(line) >= LONGEST_LINE:
            return self._process.fault(
                EngineTrouble.TOO_LONG, line, most=f"{LONGEST_LINE:,}", expected=expected
            )
        return self._process.fault(EngineTrouble.NO_LINE_FEED, line, expected=expected)

    def _no_line(self, line: bytes, expected: str) -> EngineFault:
        return self._process.fault(EngineTrouble.NO_LINE, line, expected=expected)


def wrong_member(kind: type[msgspec.Struct], told: object) -> tuple[EngineTrouble, str] | None:
    """The first member of an object that is not there, or not of its kind; None if all are right.

    >>> wrong_member(EngineLine, {"protocol": 1, "version": "1"})
    (<EngineTrouble.LACKS: 'engine.lacks'>, 'name')
    """
    if not isinstance(told, dict):
        return None
    for field in msgspec.structs.fields(kind):
        if field.encode_name not in told:
            if field.required:
                return EngineTrouble.LACKS, field.encode_name
            continue
        try:
            msgspec.convert(told[field.encode_name], field.type)
        except msgspec.ValidationError:
            return EngineTrouble.WRONG_MEMBER, field.encode_name
    return None


def are_chances(chances: Sequence[float], seats: int) -> bool:
    """Whether these are chances to win, one for each seat.

    >>> are_chances((0.75, 0.25), 2), are_chances((0.75, 0.75), 2), are_chances((1.0,), 2)
    (True, False, False)
    """
    return (
        len(chances) == seats
        and all(0 <= chance <= 1 for chance in chances)
        and math.isclose(sum(chances), 1, abs_tol=CHANCES_DIFFER)
    )
