"""`cartagena analyse`: the chances in the course of a recorded game, costly decisions and finds."""

import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import click

from cartagena.bots.analysis.annotation import SEED, SIMULATIONS, AnalysedMoment, Analysis, analyse
from cartagena.bots.analysis.comparison import Prospect
from cartagena.bots.analysis.marks import Judgement, Mark
from cartagena.cli.board_text import COLOURS as PAINTS
from cartagena.cli.board_text import WIDTH
from cartagena.cli.files import FILE, broken, read_record
from cartagena.cli.progress import told_bar
from cartagena.cli.style import JSON, Command, Flag, words
from cartagena.notation.action_text import format_action
from cartagena.notation.names import COLOURS
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import Record, Step, format_result
from cartagena.notation.tokens import ReplayError
from cartagena.rules.codes import END_TURN
from cartagena.words.sentences import Names

BLOCKS: Final = "▁▂▃▄▅▆▇█"
ASCII_BLOCKS: Final = "_.-:=+*#"
"""The eight heights of a block in ASCII, for screens that have no blocks."""


@dataclass(frozen=True, slots=True)
class Point:
    """One moment of a line: how high it stands, from 0 to 1, and what is written below."""

    height: float
    mark: str = ""


def blocks_for(encoding: str) -> str:
    """The blocks that a screen of this encoding can show.

    >>> blocks_for("ascii")
    '_.-:=+*#'
    """
    try:
        BLOCKS.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return ASCII_BLOCKS
    return BLOCKS


def draw_line(points: Sequence[Point], *, width: int, blocks: str) -> list[str]:
    """The blocks, and below them the marks if there are any; a long line is drawn shorter.

    >>> draw_line([Point(0.5), Point(0.1, "?"), Point(1.0)], width=60, blocks=ASCII_BLOCKS)
    ['=_#', ' ?']
    """
    columns = [_together(column) for column in _columns(points, width)]
    line = "".join(blocks[min(int(point.height * len(blocks)), len(blocks) - 1)] for point in columns)
    marks = "".join(point.mark or " " for point in columns).rstrip()
    return [line, marks] if marks else [line]


def _columns(points: Sequence[Point], width: int) -> list[Sequence[Point]]:
    """The points of each column, one or several."""
    number = min(len(points), width)
    bounds = [len(points) * column // number for column in range(number + 1)] if number else [0]
    return [points[first:last] for first, last in pairwise(bounds)]


def _together(points: Sequence[Point]) -> Point:
    """One point for several: the last height, and the first mark."""
    marks = [point.mark for point in points if point.mark]
    return Point(points[-1].height, marks[0] if marks else "")


NAME: Final = 8
"""How wide the name of a seat may be."""
COLUMN: Final = 4
"""How wide a column of chances is."""
UNBROKEN: Final = "\N{NO-BREAK SPACE}"
MARK_PAINTS: Final = {Mark.COSTLY: "yellow", Mark.BLUNDER: "red", Mark.FIND: "green"}


@dataclass(frozen=True, slots=True)
class AnalysedTurn:
    """What one seat did in one turn: its actions, each with its moment."""

    number: int
    seat: int
    actions: list[tuple[Step, AnalysedMoment]]

    @property
    def chances(self) -> tuple[float, ...]:
        """The chances of every seat when it was done."""
        return self.actions[-1][1].chances

    @property
    def remarks(self) -> list[Judgement]:
        """The judgements that have a mark."""
        judgements = [moment.judgement for _, moment in self.actions if moment.judgement is not None]
        return [judgement for judgement in judgements if judgement.mark is not Mark.NONE]


def turns_of(record: Record, analysis: Analysis) -> list[AnalysedTurn]:
    """The actions of a game by turn and seat; others than the one whose turn it is may have to trim."""
    actions: dict[tuple[int, int], list[tuple[Step, AnalysedMoment]]] = {}
    for step, moment in steps_of(record, analysis):
        actions.setdefault((step.turn, step.seat), []).append((step, moment))
    return [AnalysedTurn(number, seat, done) for (number, seat), done in actions.items()]


def steps_of(record: Record, analysis: Analysis) -> Iterator[tuple[Step, AnalysedMoment]]:
    """The actions that were looked at, each with its moment."""
    return zip(record.steps[analysis.skipped :], analysis.moments, strict=True)


@dataclass(frozen=True, kw_only=True)
class AnalysisReport:
    """A game, its analysis, and the names to tell them with."""

    record: Record
    analysis: Analysis
    names: Names
    width: int = WIDTH

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.record.headers.seats)

    def say(self, key: str, **values: object) -> str:
        """Words of the catalogue."""
        return self.names.words.say(key, **values)

    # For people.

    def lines(self, encoding: str) -> Iterator[str]:
        """The game turn by turn, and the chart."""
        turns = turns_of(self.record, self.analysis)
        yield self.say("replay.game", ruleset=self.say(f"ruleset.{self.record.headers.ruleset.key}"))
        yield from wrapped(self.say("replay.seats", seats=", ".join(map(self._seat, self.seats))), self.width)
        yield ""
        yield self._columns("", [f"{self.names.letter(seat):>{COLUMN}}" for seat in self.seats])
        yield self._columns(self.say("analysis.before"), self._percents(self.analysis.before))
        for turn in turns:
            yield from self._turn(turn)
        yield ""
        if turns:
            yield from self._chart(turns, blocks_for(encoding))
        yield self.say("replay.result", result=format_result(self.record.result))

    def _seat(self, seat: int) -> str:
        name = self.record.headers.names[seat]
        return f"{self.names.crew(seat)} ({name})" if name else self.names.crew(seat)

    def _columns(self, label: str, columns: list[str]) -> str:
        return f"{'':>4}{label:<{NAME}}{''.join(columns)}"

    def _percents(self, chances: tuple[float, ...]) -> list[str]:
        return [f"{percent(chance):>{COLUMN}}" for chance in chances]

    def _turn(self, turn: AnalysedTurn) -> Iterator[str]:
        head = f"{turn.number:>3} {paint(turn.seat, f'{self.names.crew(turn.seat):<{NAME}}')}"
        head += "".join(self._percents(turn.chances))
        indent = 4 + NAME + COLUMN * len(self.seats) + 2
        first, *rest = wrapped(", ".join(self._actions(turn)), self.width - indent)
        yield f"{head}  {first}"
        yield from (f"{'':>{indent}}{line}" for line in rest)
        for judgement in turn.remarks:
            for line in wrapped(self._remark(judgement), self.width - indent):
                yield f"{'':>{indent}}{click.style(line, fg=MARK_PAINTS[judgement.mark])}"

    def _actions(self, turn: AnalysedTurn) -> list[str]:
        """The actions in notation, a mark after the last one of its decision; the usual end is left out."""
        told: list[str] = []
        mark, left = "", 0
        for step, moment in turn.actions:
            if moment.judgement is not None:
                mark, left = moment.judgement.mark.value, len(moment.judgement.played.codes)
            if step.code != END_TURN or not told:
                told.append(self._unbroken(step.code))
            left -= 1
            if mark and left == 0:
                told[-1] += f"{UNBROKEN}{mark}"
        return told

    def _action(self, code: int | None) -> str:
        assert code is not None
        return format_action(self.record.headers.ruleset.family, code)

    def _unbroken(self, code: int | None) -> str:
        """An action that no line break tears apart."""
        return self._action(code).replace(" ", UNBROKEN)

    def _remark(self, judgement: Judgement) -> str:
        best, seat = judgement.alternatives[0], judgement.seat
        played, other = judgement.played.chances[seat], best.chances[seat]
        if judgement.mark is Mark.FIND:
            key = "analysis.find"
        else:
            key = "analysis.better_luck" if judgement.luck else "analysis.better"
        return self.say(
            key,
            mark=judgement.mark.value,
            actions=", ".join(self._plan(best)),
            other=f"{percent(other)}{UNBROKEN}%",
            played=f"{percent(played)}{UNBROKEN}%",
            gain=f"{percent(played - other)}{UNBROKEN}%",
            luck=f"{percent(judgement.luck):+}{UNBROKEN}%",
        )

    def _plan(self, prospect: Prospect) -> list[str]:
        codes = prospect.codes
        return [self._unbroken(code) for code in (codes[:-1] if codes[-1] == END_TURN != codes[0] else codes)]

    def _chart(self, turns: list[AnalysedTurn], blocks: str) -> Iterator[str]:
        """A line for each seat: its chance after each turn, and below that its marks."""
        numbers = sorted({turn.number for turn in turns})
        yield self.say("analysis.chart", first=numbers[0], last=numbers[-1])
        for seat in self.seats:
            points = [self._point(seat, [turn for turn in turns if turn.number == n]) for n in numbers]
            line, *marks = draw_line(points, width=self.width - NAME - len(" 100 %"), blocks=blocks)
            chance = percent(turns[-1].chances[seat])
            yield f"{paint(seat, f'{self.names.crew(seat):<{NAME}}{line}')} {chance} %"
            yield from (f"{'':>{NAME}}{below}" for below in marks)
        yield self.say("analysis.legend")

    def _point(self, seat: int, turns: list[AnalysedTurn]) -> Point:
        marks = [remark.mark.value[0] for turn in turns if turn.seat == seat for remark in turn.remarks]
        return Point(turns[-1].chances[seat], marks[0] if marks else "")

    # For programs.

    def as_json(self) -> dict[str, object]:
        """Return the analysis with all numbers."""
        headers = self.record.headers
        steps = enumerate(steps_of(self.record, self.analysis), start=self.analysis.skipped + 1)
        return {
            "game": headers.game_id,
            "ruleset": format_ruleset(headers.ruleset),
            "seats": headers.names,
            "simulations": self.analysis.simulations,
            "seed": self.analysis.seed,
            "before": self.analysis.before,
            "steps": [self._step(seq, step, moment) for seq, (step, moment) in steps],
            "result": format_result(self.record.result),
        }

    def _step(self, seq: int, step: Step, moment: AnalysedMoment) -> dict[str, object]:
        return {
            "seq": seq,
            "turn": step.turn,
            "seat": COLOURS[step.seat],
            "action": self._action(step.code),
            "chances": moment.chances,
            "decision": None if moment.judgement is None else self._decision(moment.judgement),
        }

    def _decision(self, judgement: Judgement) -> dict[str, object]:
        return {
            "mark": judgement.mark.value,
            "cost": judgement.cost,
            "luck": judgement.luck,
            **self._prospect(judgement.played),
            "alternatives": [self._prospect(other) for other in judgement.alternatives],
        }

    def _prospect(self, prospect: Prospect) -> dict[str, object]:
        return {
            "actions": [self._action(code) for code in prospect.codes],
            "chances": prospect.chances,
        }


def percent(part: float) -> int:
    """A chance, or a part of one, in per cent: an analysis tells whole ones.

    >>> percent(0.29), percent(-0.07)
    (29, -7)
    """
    return round(part * 100)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines; what follows the first is indented."""
    lines = textwrap.wrap(text, width, subsequent_indent="  ")
    return [line.replace(UNBROKEN, " ") for line in lines]


def paint(seat: int, text: str) -> str:
    """A text in the colour of a crew."""
    return click.style(text, fg=PAINTS[seat])


@click.command("analyse", cls=Command)
@FILE
@click.option("--simulations", type=click.IntRange(1), default=SIMULATIONS, cls=Flag)
@click.option("--seed", "analysis_seed", default=SEED, cls=Flag)
@click.option("--from-turn", type=click.IntRange(1), default=1, metavar="N", cls=Flag)
@JSON
def command(file: Path, simulations: int, analysis_seed: str, from_turn: int, *, as_json: bool) -> None:
    """Analyse a game and tell it turn by turn, or as JSON."""
    tell_analysis(file, simulations, analysis_seed, from_turn, as_json=as_json)


def tell_analysis(
    file: Path, simulations: int = SIMULATIONS, seed: str = SEED, from_turn: int = 1, *, as_json: bool
) -> None:
    """Print the analysis of the game in a file."""
    record = read_record(file)
    try:
        analysis = _analysed(record, simulations, seed, from_turn)
    except ReplayError as error:
        raise broken(file, error) from error
    report = AnalysisReport(record=record, analysis=analysis, names=Names(words(), record.headers.ruleset))
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        for line in report.lines(encoding=sys.stdout.encoding):
            click.echo(line)


def _analysed(record: Record, simulations: int, seed: str, from_turn: int) -> Analysis:
    """The analysis, with a bar that shows its progress; none if the error output is no terminal."""
    actions = sum(step.turn >= from_turn for step in record.steps)
    with told_bar(words().say("analysis.progress"), actions) as progress:
        return analyse(record, simulations=simulations, seed=seed, from_turn=from_turn, progress=progress)
