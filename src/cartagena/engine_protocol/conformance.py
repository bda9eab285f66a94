"""Whether an engine keeps to the protocol: what `cartagena engine-check` asks of it.

The checks come in the order in which an author gets things to work. Each starts the engine anew. One that
fails is the last: those that follow would mostly fail for the same reason.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Final

import msgspec

from cartagena.engine_protocol.conversation import (
    ENDING_SECONDS,
    GRACE,
    STARTING_SECONDS,
    Conversation,
)
from cartagena.engine_protocol.faults import EngineFault
from cartagena.fairness.shuffle import lone_shuffle, opening, shuffler
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.view import View, view
from cartagena.rules.legality import advance, legal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset

SECONDS: Final = 0.1
"""How long an engine may think about each choice, unless the caller says otherwise."""
HURRY: Final = 0.001
"""The seconds of an engine that must choose at once."""
QUIET_SECONDS: Final = 0.1
"""How long a check listens for lines that were not asked for."""
MOST_CHOICES: Final = 30
"""After this many choices of the engine, a game has shown enough."""
SEED: Final = 1672
SECRET: Final = bytes(32)
"""What the deals of the checks are drawn from: every engine gets the same."""


class EngineCheck(StrEnum):
    """What is checked: each is the key of its words in the catalogue."""

    GREETS = "engine_check.greets"
    ANSWERS = "engine_check.answers"
    WAITS = "engine_check.waits"
    PLAYS_TORTUGA = "engine_check.tortuga"
    PLAYS_JAMAICA = "engine_check.jamaica"
    PLAYS_NEST = "engine_check.nest"
    HURRIES = "engine_check.hurries"
    GOES_BACK = "engine_check.goes_back"
    IGNORES = "engine_check.ignores"
    QUITS = "engine_check.quits"
    LEAVES = "engine_check.leaves"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPatience:
    """How long an engine may take to start, to think, beyond that to answer, and to end."""

    starting: float = STARTING_SECONDS
    seconds: float = SECONDS
    grace: float = GRACE
    ending: float = ENDING_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedEngine:
    """How one check went: the `fault` if it failed, else who answered, how often it chose, and how slowly."""

    check: EngineCheck
    fault: EngineFault | None = None
    name: str = ""
    choices: int = 0
    slowest: float = 0.0


def check_engine(
    command: Sequence[str],
    *,
    patience: CheckPatience | None = None,
    checks: Sequence[EngineCheck] = tuple(EngineCheck),
) -> Iterator[CheckedEngine]:
    """Check an engine, one check after the other, up to the first that fails."""
    for check in checks:
        run = _CheckRun(command, patience or CheckPatience())
        try:
            _CHECKS[check](run)
        except EngineFault as fault:
            yield CheckedEngine(check=check, fault=fault)
            return
        finally:
            run.end()
        yield CheckedEngine(check=check, name=run.name, choices=run.choices, slowest=run.slowest)


class _LaterConversation(Conversation):
    """Speaks as a later release might: with words and members that are not known yet."""

    def say(self, word: str, told: object = None) -> None:
        super().say("later", {"word": word})
        super().say(word, _with_more(msgspec.to_builtins(told)))


def _with_more(told: Any) -> object:  # what JSON can be
    if isinstance(told, dict):
        return {"later": 1, **told}
    return [_with_more(each) for each in told] if isinstance(told, list) else told


class _CheckRun:
    """An engine that was started for one check."""

    def __init__(self, command: Sequence[str], patience: CheckPatience) -> None:
        self.name = ""
        self.choices = 0
        self.slowest = 0.0
        self._command = command
        self._patience = patience
        self._begun: Conversation | None = None

    def greeted(self, kind: type[Conversation] = Conversation) -> Conversation:
        """The engine, started and greeted."""
        patience = self._patience
        self._begun = kind(self._command, grace=patience.grace, ending=patience.ending)
        engine = self._begun.greet(patience.starting)
        self.name = " ".join(filter(None, (engine.name, engine.version)))
        return self._begun

    def choose(self, talk: Conversation, seen: View, seconds: float | None = None) -> int:
        """Show a view to the engine, and get its choice."""
        talk.show(seen)
        return self.answer(talk, seen, seconds)

    def answer(self, talk: Conversation, seen: View, seconds: float | None = None) -> int:
        """The choice of the engine for the view that it was shown, counted and timed."""
        began = time.monotonic()
        code = talk.go(seen, self._patience.seconds if seconds is None else seconds)
        self.choices += 1
        self.slowest = max(self.slowest, time.monotonic() - began)
        return code

    def end(self) -> None:
        """End the engine."""
        if self._begun is not None:
            self._begun.end()


def _moments(ruleset: Ruleset, seats: int, choose: Callable[[View], int]) -> Iterator[View]:
    """A game of seat 0 against seats that leave everything to chance: each view of it before it chooses."""
    shuffle, chance = lone_shuffle("engine", SECRET, ruleset, seats), Random(SEED)
    position, renewed = opening(shuffle, ruleset, seats), shuffler(shuffle)
    while not position.over:
        if position.to_act == 0:
            seen = view(position, 0)
            yield seen
            advance(position, choose(seen))
        else:
            advance(position, chance.choice(legal(position)))
        while position.order_due:
            take_order(position, renewed(cards_due(position)))


def _first_views(ruleset: Ruleset, seats: int, number: int) -> list[View]:
    chance = Random(SEED)
    moments = _moments(ruleset, seats, lambda seen: chance.choice(seen.legal))
    return [seen for seen, _ in zip(moments, range(number), strict=False)]


def _greets(run: _CheckRun) -> None:
    run.greeted()


def _answers(run: _CheckRun) -> None:
    """It chooses when it is asked; what it writes besides is for the next check."""
    talk, (seen,) = run.greeted(), _first_views(JAMAICA, 3, 1)
    time.sleep(QUIET_SECONDS)
    talk.skip_unasked()
    talk.begin(seen, SEED)
    talk.show(seen)
    time.sleep(QUIET_SECONDS)
    talk.skip_unasked()
    run.answer(talk, seen)


def _waits(run: _CheckRun) -> None:
    """It says what it is asked, once, and nothing else."""
    talk, (seen,) = run.greeted(), _first_views(JAMAICA, 3, 1)
    time.sleep(QUIET_SECONDS)
    talk.begin(seen, SEED)
    talk.show(seen)
    time.sleep(QUIET_SECONDS)
    talk.check_silence()
    talk.go(seen, HURRY)
    time.sleep(QUIET_SECONDS)
    talk.check_silence()


def _plays(ruleset: Ruleset, seats: int) -> "_Check":
    def plays(run: _CheckRun) -> None:
        """It chooses what is legal, and in time."""
        talk = run.greeted()
        for number, seen in enumerate(_moments(ruleset, seats, lambda seen: run.choose(talk, seen))):
            if number == 0:
                talk.begin(seen, SEED)
            if number == MOST_CHOICES:
                return

    return plays


def _hurries(run: _CheckRun) -> None:
    """It can choose at once."""
    talk = run.greeted()
    for number, seen in enumerate(_first_views(TORTUGA, 4, 5)):
        if number == 0:
            talk.begin(seen, SEED)
        run.choose(talk, seen, HURRY)


def _goes_back(run: _CheckRun) -> None:
    """It chooses for the view that it is shown: after an undo, or when a game is taken up in the middle."""
    talk, seen = run.greeted(), _first_views(PIRATES_NEST, 3, 12)
    talk.begin(seen[-1], SEED)
    for each in (seen[-1], *seen[::4], seen[0]):
        run.choose(talk, each)


def _ignores(run: _CheckRun) -> None:
    """It is not disturbed by words and members that came after it was written."""
    talk, (seen, *_) = run.greeted(_LaterConversation), _first_views(TORTUGA, 2, 1)
    talk.begin(seen, SEED)
    run.choose(talk, seen)


def _quits(run: _CheckRun) -> None:
    run.greeted().quit()


def _leaves(run: _CheckRun) -> None:
    run.greeted().leave()


_Check = Callable[[_CheckRun], None]

_CHECKS: Final[dict[EngineCheck, _Check]] = {
    EngineCheck.GREETS: _greets,
    EngineCheck.ANSWERS: _answers,
    EngineCheck.WAITS: _waits,
    EngineCheck.PLAYS_TORTUGA: _plays(TORTUGA, 2),
    EngineCheck.PLAYS_JAMAICA: _plays(JAMAICA, 3),
    EngineCheck.PLAYS_NEST: _plays(PIRATES_NEST, 5),
    EngineCheck.HURRIES: _hurries,
    EngineCheck.GOES_BACK: _goes_back,
    EngineCheck.IGNORES: _ignores,
    EngineCheck.QUITS: _quits,
    EngineCheck.LEAVES: _leaves,
}
