"""`cartagena analyse`: the chances in the course of a recorded game, costly decisions and finds."""

import json
import sys
from pathlib import Path

import click

from cartagena.bots.analysis import SEED, SIMULATIONS, Analysis, analyse
from cartagena.cli.analysis_report import Report
from cartagena.cli.files import FILE, broken, read_record
from cartagena.cli.progress import progress_bar
from cartagena.cli.style import JSON, Command, Flag, words
from cartagena.notation.errors import ReplayError
from cartagena.notation.record import Record
from cartagena.words.names import Names


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
    report = Report(record=record, analysis=analysis, names=Names(words(), record.headers.ruleset))
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        for line in report.lines(encoding=sys.stdout.encoding):
            click.echo(line)


def _analysed(record: Record, simulations: int, seed: str, from_turn: int) -> Analysis:
    """The analysis, with a bar that shows its progress; none if the error output is no terminal."""
    with progress_bar() as bar:
        task = bar.add_task(words().say("analysis.progress"), total=None)
        return analyse(
            record,
            simulations=simulations,
            seed=seed,
            from_turn=from_turn,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
