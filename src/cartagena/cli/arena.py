"""`cartagena arena`: bots against bots over many games, and what the games prove."""

import contextlib
import os
import secrets
import time
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from cartagena.arena.contest import Contest, contestant, line_up
from cartagena.arena.evidence import Sprt
from cartagena.arena.judge import BotFault, Played
from cartagena.arena.run import play_games, until_decided
from cartagena.arena.tally import Tally
from cartagena.cli.arena_report import Report, as_json, as_markdown, as_table
from cartagena.cli.bot_names import BotName
from cartagena.cli.progress import progress_bar
from cartagena.cli.style import JSON, Command, Flag, Refused, Unreadable, words
from cartagena.cli.table_flags import Table, table_flags
from cartagena.notation.names import COLOURS
from cartagena.notation.record_text import format_record
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS

GAMES: Final = 100
SEED_SIZE: Final = 4
GRACE: Final = 0.3
"""Seconds within which the key stroke that ended a worker must reach us too."""


def _sprt(context: click.Context, _: click.Parameter, text: str | None) -> Sprt | None:
    """Two rates with a comma between; anything else is a wrong use."""
    if text is None:
        return None
    try:
        lower, higher = map(float, text.split(","))
        return Sprt(lower, higher)
    except ValueError as error:
        raise click.BadParameter(words(context).say("error.no_sprt")) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Which games of a contest are played, and how."""

    contest: Contest
    numbers: range
    workers: int
    sprt: Sprt | None
    records: Path | None


@click.command("arena", cls=Command)
@click.argument("bots", nargs=-1, required=True, type=BotName())
@table_flags
@click.option("--games", type=click.IntRange(1), default=GAMES, cls=Flag)
@click.option("--first-deal", type=click.IntRange(0), default=0, cls=Flag)
@click.option("--workers", type=click.IntRange(1), cls=Flag)
@click.option("--sprt", callback=_sprt, metavar="LOW,HIGH", cls=Flag)
@click.option("--records", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", cls=Flag)
@click.option("--markdown", is_flag=True, cls=Flag)
@JSON
def command(  # noqa: PLR0913  # one for each flag
    table: Table,
    bots: tuple[str, ...],
    *,
    games: int,
    first_deal: int,
    workers: int | None,
    sprt: Sprt | None,
    records: Path | None,
    markdown: bool,
    as_json: bool,
) -> None:
    """Play the games of a contest and report."""
    if markdown and as_json:
        raise click.UsageError(words().say("error.one_answer"))
    contest = _contest(table, bots)
    first, count = first_deal * contest.rotations, contest.whole_deals(games)
    run = _Run(
        contest=contest,
        numbers=range(first, first + count),
        workers=min(count, workers or os.cpu_count() or 1),
        sprt=sprt,
        records=records,
    )
    tally = Tally(contest)
    try:
        _play(run, tally)
    except KeyboardInterrupt:
        click.echo(words().say("arena.stopped", games=tally.games), err=True)
    except BotFault as fault:
        raise _refused(fault, contest) from fault
    except BrokenExecutor as broken:
        if not _interrupted():
            raise Refused("error.worker_died") from broken
        click.echo(words().say("arena.stopped", games=tally.games), err=True)
    _show(Report(tally=tally, first_deal=first_deal, sprt=sprt), markdown=markdown, json=as_json)


def _interrupted() -> bool:
    """Whether a key stroke ended the workers: it goes to them and to us, and may reach either first."""
    try:
        time.sleep(GRACE)
    except KeyboardInterrupt:
        return True
    return False


def _contest(table: Table, bots: tuple[str, ...]) -> Contest:
    seats = table.seats or min(max(FEWEST_SEATS, len(bots)), MOST_SEATS)
    ruleset = table.ruleset()
    if len(bots) > seats:
        raise click.UsageError(words().say("error.line_up", bots=len(bots), seats=seats))
    if not ruleset.quiet_rounds:
        raise click.BadOptionUsage("options", words().say("error.endless"))
    return Contest(
        ruleset=ruleset,
        line_up=line_up([contestant(name) for name in bots], seats),
        seed=secrets.token_hex(SEED_SIZE) if table.seed is None else table.seed,
    )


def _play(run: _Run, tally: Tally) -> None:
    """Play until all games are done or the test is sure, and show the progress."""
    first_bot = run.contest.names[0]
    recorded = run.records is not None
    games = play_games(run.contest, run.numbers, workers=run.workers, recorded=recorded)
    with contextlib.closing(games), progress_bar() as progress:
        task = progress.add_task(first_bot, total=len(run.numbers))
        for played in until_decided(games, tally, run.sprt):
            if run.records is not None:
                _keep(run.records, played)
            progress.update(task, advance=1, description=f"{first_bot} {tally.rate(first_bot)}")


def _keep(folder: Path, played: Played) -> None:
    """Write the record of a game into its own file; an existing file is not touched."""
    assert played.record is not None
    file = folder / f"deal-{played.deal:05}-rotation-{played.rotation}.record"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as target:
            target.write(format_record(played.record))
    except OSError as error:
        raise Unreadable("error.no_place", file=file, reason=error.strerror or error) from error


def _refused(fault: BotFault, contest: Contest) -> Refused:
    return Refused(
        "error.bot_fault",
        name=fault.name,
        seat=words().say(f"crew.{COLOURS[fault.seat]}"),
        deal=fault.deal,
        rotation=fault.rotation,
        reason=fault.reason,
        again=f"--seed {contest.seed} --first-deal {fault.deal} --games {contest.rotations} --workers 1",
    )


def _show(report: Report, *, markdown: bool, json: bool) -> None:
    if json:
        click.echo(as_json(report))
    elif markdown:
        click.echo(as_markdown(report))
    else:
        as_table(report)
