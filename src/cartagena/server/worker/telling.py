"""Telling results: hints and analyses as messages."""

from typing import Final

from cartagena.bots.analysis.annotation import Analysis, Moment
from cartagena.bots.analysis.comparison import Prospect
from cartagena.bots.analysis.hints import Hint
from cartagena.bots.analysis.marks import Judgement
from cartagena.messages.analyses import (
    AnalysedStep,
    AnalysisFound,
    DecisionMessage,
    HintFound,
    ProspectMessage,
)
from cartagena.notation import Record, Step, format_action

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


def _step(family: str, step: Step, moment: Moment) -> AnalysedStep:
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
