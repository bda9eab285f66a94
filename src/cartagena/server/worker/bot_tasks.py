"""What a separate process works out, from nothing but what it is handed, and its results as messages."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from functools import lru_cache
from multiprocessing.connection import wait
from random import Random
from typing import Final, NamedTuple, TypeVar

from cartagena.bots.analysis.annotation import AnalysedMoment, Analysis, analyse
from cartagena.bots.analysis.comparison import Prospect
from cartagena.bots.analysis.hints import Hint, hint
from cartagena.bots.analysis.marks import Judgement
from cartagena.bots.players.interface import Bot, Budget
from cartagena.bots.players.registry import make
from cartagena.messages.analyses import (
    AnalysedStep,
    AnalysisFound,
    DecisionMessage,
    HintFound,
    ProspectMessage,
)
from cartagena.messages.updates import encode, read
from cartagena.messages.views import ViewMessage, view_of
from cartagena.notation import Record, Step, format_action, parse_record
from cartagena.rules.hidden.view import View

DIGITS: Final = 4
"""How many decimals of a chance are meaningful."""


def hint_message(family: str, hint: Hint) -> HintFound:
    """A hint as it is kept and sent."""
    return HintFound(best=_prospect(family, hint.best), alternatives=_prospects(family, hint.alternatives))


def analysis_message(record: Record, analysis: Analysis) -> AnalysisFound:
    """The analysis of a record as it is kept and sent."""
    family = record.headers.ruleset.family
    steps = zip(record.steps[analysis.skipped :], analysis.moments, strict=True)
    return AnalysisFound(
        simulations=analysis.simulations,
        seed=analysis.seed,
        before=_rounded(analysis.before),
        steps=tuple(_step(family, step, moment) for step, moment in steps),
    )


def _step(family: str, step: Step, moment: AnalysedMoment) -> AnalysedStep:
    assert step.code is not None, "a whole record knows every action"
    return AnalysedStep(
        turn=step.turn,
        seat=step.seat,
        code=step.code,
        action=format_action(family, step.code),
        chances=_rounded(moment.chances),
        decision=None if moment.judgement is None else _decision(family, moment.judgement),
    )


def _decision(family: str, judgement: Judgement) -> DecisionMessage:
    return DecisionMessage(
        mark=judgement.mark.value,
        cost=judgement.cost,
        luck=judgement.luck,
        played=_prospect(family, judgement.played),
        alternatives=_prospects(family, judgement.alternatives),
    )


def _prospects(family: str, prospects: tuple[Prospect, ...]) -> tuple[ProspectMessage, ...]:
    return tuple(_prospect(family, prospect) for prospect in prospects)


def _prospect(family: str, prospect: Prospect) -> ProspectMessage:
    return ProspectMessage(
        codes=prospect.codes,
        actions=tuple(format_action(family, code) for code in prospect.codes),
        chances=_rounded(prospect.chances),
    )


def _rounded(chances: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(chance, DIGITS) for chance in chances)


BOTS_KEPT: Final = 256
"""How many bots keep what they planned for the rest of their turn."""

Returned = TypeVar("Returned")


class BotChoice(NamedTuple):
    """The code that a bot chose, or the kind of error that kept it from choosing."""

    code: int | None
    trouble: str | None = None


class JobResult(NamedTuple):
    """The JSON that a job found, or the kind of error that kept it from finding anything."""

    found: bytes | None
    trouble: str | None = None

    def __repr__(self) -> str:
        return f"Result(trouble={self.trouble!r})"


def settle_in() -> None:
    """Prepare a process that thinks: only its parent decides when it ends."""
    # A worker is often stopped by a signal to all its processes, but a choice under way must be finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A killed parent cannot tell its processes; without this they would wait for work forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def choose(level: str, game: str, view: bytes, seed: int, seconds: float) -> BotChoice:
    """Let a bot of the given level choose for the seat of a view."""
    try:
        seen = view_of(read(ViewMessage, view))
        bot = _bot(level, game, seen.seat)
        return BotChoice(int(bot.choose(seen, Random(seed), Budget(seconds=seconds))))
    except BaseException as error:  # noqa: BLE001 - a bot may raise anything, also the wish to end the process
        # The state that it keeps may be corrupt.
        _bot.cache_clear()
        return BotChoice(None, type(error).__name__)


@lru_cache(maxsize=BOTS_KEPT)
def _bot(level: str, game: str, seat: int | None) -> Bot:  # noqa: ARG001 - each seat of each game has its own
    return make(level)


def find_hint(view: bytes, seed: int, simulations: int) -> JobResult:
    """Work out a hint for the seat of a view."""
    return _result(lambda: _hint(view_of(read(ViewMessage, view)), seed, simulations))


def _hint(view: View, seed: int, simulations: int) -> bytes:
    found = hint(view, chance=Random(seed), simulations=simulations)
    return encode(hint_message(view.ruleset.family, found))


def find_analysis(record: str, simulations: int) -> JobResult:
    """Analyse the record of a game that is over."""
    return _result(lambda: _analysis(record, simulations))


def _analysis(text: str, simulations: int) -> bytes:
    record = parse_record(text)
    return encode(analysis_message(record, analyse(record, simulations=simulations)))


def _result(work: Callable[[], bytes]) -> JobResult:
    try:
        return JobResult(work())
    except Exception as error:  # noqa: BLE001 - its words may tell a card, its kind does not
        return JobResult(None, type(error).__name__)
