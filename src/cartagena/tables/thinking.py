"""Thinking: choices of bots, hints and analyses, worked out from nothing but what is handed in."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from cartagena.bots.players.interface import Bot, BotGaveUp, Budget, close, planned_by
from cartagena.bots.players.registry import make
from cartagena.messages.replays import (
    AnalysedStep,
    AnalysisFound,
    DecisionMessage,
    HintFound,
    ProspectMessage,
)
from cartagena.messages.updates import encode, read
from cartagena.messages.views import ViewMessage, view_of
from cartagena.notation import Record, Step, format_action, parse_record
from cartagena.rules.hidden.view import View, view
from cartagena.tables.creating import Chance
from cartagena.tables.table import Table

if TYPE_CHECKING:
    from cartagena.bots.analysis.annotation import AnalysedMoment, Analysis
    from cartagena.bots.analysis.comparison import Hint, Prospect
    from cartagena.bots.analysis.marks import Judgement

# Hints and analyses as messages.

DIGITS: Final = 4
"""How many decimals of a chance are meaningful."""


def hint_message(family: str, hint: "Hint") -> HintFound:
    """A hint as it is kept and sent."""
    return HintFound(best=_prospect(family, hint.best), alternatives=_prospects(family, hint.alternatives))


def analysis_message(record: Record, analysis: "Analysis") -> AnalysisFound:
    """The analysis of a record as it is kept and sent."""
    family = record.headers.ruleset.family
    steps = zip(record.steps[analysis.skipped :], analysis.moments, strict=True)
    return AnalysisFound(
        simulations=analysis.simulations,
        seed=analysis.seed,
        before=_rounded(analysis.before),
        steps=tuple(_step(family, step, moment) for step, moment in steps),
    )


def _step(family: str, step: Step, moment: "AnalysedMoment") -> AnalysedStep:
    assert step.code is not None, "a whole record knows every action"
    return AnalysedStep(
        turn=step.turn,
        seat=step.seat,
        code=step.code,
        action=format_action(family, step.code),
        chances=_rounded(moment.chances),
        decision=None if moment.judgement is None else _decision(family, moment.judgement),
    )


def _decision(family: str, judgement: "Judgement") -> DecisionMessage:
    return DecisionMessage(
        mark=judgement.mark.value,
        cost=judgement.cost,
        luck=judgement.luck,
        played=_prospect(family, judgement.played),
        alternatives=_prospects(family, judgement.alternatives),
    )


def _prospects(family: str, prospects: "tuple[Prospect, ...]") -> tuple[ProspectMessage, ...]:
    return tuple(_prospect(family, prospect) for prospect in prospects)


def _prospect(family: str, prospect: "Prospect") -> ProspectMessage:
    return ProspectMessage(
        codes=prospect.codes,
        actions=tuple(format_action(family, code) for code in prospect.codes),
        chances=_rounded(prospect.chances),
    )


def _rounded(chances: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(chance, DIGITS) for chance in chances)


SUBSTITUTE: Final = "sailor"
"""The level that chooses when another one failed: it never thinks long."""
SEED_BYTES: Final = 16
BOTS_KEPT: Final = 256
"""How many bots keep what they planned for the rest of their turn."""

Attempt = Callable[[str], Awaitable[int | None]]
"""What a level chooses, None if that is not a legal code."""


async def settled(level: str, legal: Sequence[int], attempt: Attempt, chance: Chance) -> int:
    """One of the legal codes: what the level chooses, else its substitute, else chance."""
    for name in dict.fromkeys((level, SUBSTITUTE)):
        code = await attempt(name)
        if code is not None:
            return code
    return Random(seed_from(chance)).choice(legal)


def turn_of_bot(table: Table) -> tuple[str, int, View]:
    """The level of the bot that is to act, its seat, and the view of that seat: never the position."""
    position, seat, level = table.position, table.to_act, table.bot_to_act
    assert position is not None and seat is not None and level is not None  # noqa: PT018 - one state
    seen = view(position, seat)
    assert seen.legal
    return level, seat, seen


def seed_from(chance: Chance) -> int:
    """A seed for one choice."""
    return int.from_bytes(chance(SEED_BYTES))


class BotChoice(NamedTuple):
    """The code that a bot chose, or the kind of error that kept it from choosing.

    `ahead` is what it will choose next if nothing else happens: it need not be asked for that.
    """

    code: int | None
    trouble: str | None = None
    ahead: tuple[int, ...] = ()


class JobResult(NamedTuple):
    """The JSON that a job found, or the kind of error that kept it from finding anything.

    An analysis that has neither goes on.
    """

    found: bytes | None
    trouble: str | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing more will be found."""
        return self.found is not None or self.trouble is not None

    def __repr__(self) -> str:
        return f"JobResult(trouble={self.trouble!r})"


class KeptBots:
    """The bots of this process, each of one seat of one game; `make` makes them by their names."""

    def __init__(self, make: Callable[[str], Bot] = make) -> None:
        self.reason: str | None = None
        """Why a bot gave up, if the last that was asked did."""
        self._make = make
        self._bots: OrderedDict[tuple[str, str, int | None], Bot] = OrderedDict()

    def choose(self, level: str, game: str, view: bytes, seed: int, seconds: float) -> BotChoice:
        """Let a bot of the given level choose for the seat of a view."""
        self.reason = None
        try:
            seen = view_of(read(ViewMessage, view))
            bot = self._bot(level, game, seen.seat)
            code = int(bot.choose(seen, Random(seed), Budget(seconds=seconds)))
            return BotChoice(code, ahead=planned_by(bot))
        except BaseException as error:  # noqa: BLE001 - a bot may raise anything, also the wish to end the process
            # The state that they keep may be corrupt.
            self.close()
            self.reason = error.reason if isinstance(error, BotGaveUp) else None
            return BotChoice(None, type(error).__name__)

    def close(self) -> None:
        """Let all of them go; each is made again when it is asked again."""
        while self._bots:
            # What a bot does at its end is of no consequence.
            with suppress(Exception):
                close(self._bots.popitem()[1])

    def _bot(self, level: str, game: str, seat: int | None) -> Bot:
        key = (level, game, seat)
        bot = self._bots.pop(key, None) or self._make(level)
        self._bots[key] = bot
        if len(self._bots) > BOTS_KEPT:
            with suppress(Exception):
                close(self._bots.popitem(last=False)[1])
        return bot


_OF_THIS_PROCESS: Final = KeptBots()


def choose(level: str, game: str, view: bytes, seed: int, seconds: float) -> BotChoice:
    """Let a bot of the given level choose for the seat of a view, in a process of its own."""
    return _OF_THIS_PROCESS.choose(level, game, view, seed, seconds)


def find_hint(view: bytes, seed: int, simulations: int) -> JobResult:
    """Work out a hint for the seat of a view."""
    return _result(lambda: _hint(view_of(read(ViewMessage, view)), seed, simulations))


def _hint(view: View, seed: int, simulations: int) -> bytes:
    from cartagena.bots.analysis.comparison import hint  # noqa: PLC0415 - only who asks for one waits for it

    found = hint(view, chance=Random(seed), simulations=simulations)
    return encode(hint_message(view.ruleset.family, found))


ANALYSES_KEPT: Final = 64
"""How many analyses under way a process keeps: more than a worker has at once. A dropped one begins again."""

_UNDER_WAY: "OrderedDict[tuple[str, int], tuple[Record, Iterator[Analysis | None]]]" = OrderedDict()


def find_analysis(record: str, simulations: int) -> JobResult:
    """Look at the next decision of a game that is over; after the last one, this finds the whole analysis."""
    return _result(lambda: _analysed_on(record, simulations))


def _analysed_on(text: str, simulations: int) -> bytes | None:
    key = text, simulations
    record, steps = _UNDER_WAY.pop(key) if key in _UNDER_WAY else _begun(text, simulations)
    found = next(steps)
    if found is not None:
        return encode(analysis_message(record, found))
    _UNDER_WAY[key] = record, steps
    if len(_UNDER_WAY) > ANALYSES_KEPT:
        _UNDER_WAY.popitem(last=False)
    return None


def _begun(text: str, simulations: int) -> "tuple[Record, Iterator[Analysis | None]]":
    from cartagena.bots.analysis.annotation import analysing  # noqa: PLC0415 - only who asks waits for it

    record = parse_record(text)
    return record, analysing(record, simulations=simulations)


def _result(work: Callable[[], bytes | None]) -> JobResult:
    try:
        return JobResult(work())
    except Exception as error:  # noqa: BLE001 - its words may tell a card, its kind does not
        return JobResult(None, type(error).__name__)
