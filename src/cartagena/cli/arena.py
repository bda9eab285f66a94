"""`cartagena arena`: bots against bots over many games, and what the games prove."""

import contextlib
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from rich import box
from rich.console import Console
from rich.table import Table

from cartagena.arena.contest import Contest, contestant, line_up
from cartagena.arena.referee import BotFault, PlayedGame
from cartagena.arena.run import play_games, until_decided
from cartagena.arena.tally import BotTally, Sprt, Tally, WinRate
from cartagena.cli.progress import progress_bar
from cartagena.cli.style import JSON, Command, CommandRefused, Flag, Unreadable, is_terminal, words
from cartagena.cli.table_flags import BotName, TableOptions, table_flags
from cartagena.notation.names import COLOURS
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import format_record
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS, Ruleset

UNFOLDED: Final = 10_000
"""How wide a table may be that no terminal shows: programs search its lines, so no name is folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaReport:
    """The games that were played, the first of their deals, and the test that could have stopped them."""

    tally: Tally
    first_deal: int
    sprt: Sprt | None

    @property
    def test_rate(self) -> WinRate:
        """The score that the test is about."""
        return self.tally.rate(self.tally.contest.names[0])


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of words: its heads, and its rows."""

    heads: list[str]
    rows: list[list[str]]


def as_table(report: ArenaReport) -> None:
    """Print tables for people."""
    console = Console(width=None if is_terminal(sys.stdout) else UNFOLDED, highlight=False)
    click.echo(_title(report))
    for grid in _grids(report):
        table = Table(*grid.heads, box=box.SIMPLE_HEAD, pad_edge=False)
        for column in table.columns[1:]:
            column.justify = "right"
            column.no_wrap = True
        for row in grid.rows:
            table.add_row(*row)
        console.print(table)
    for line in _verdict(report):
        click.echo(line)


def as_markdown(report: ArenaReport) -> str:
    """Return the tables as Markdown."""
    blocks = [_title(report)]
    for grid in _grids(report):
        ruler = ["---", *["---:"] * (len(grid.heads) - 1)]
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in (grid.heads, ruler, *grid.rows)))
    return "\n\n".join([*blocks, *_verdict(report)])


def as_json(report: ArenaReport) -> str:
    """Return the report as JSON, for programs."""
    tally, contest = report.tally, report.tally.contest
    answer = {
        "ruleset": format_ruleset(contest.ruleset),
        "seats": contest.seats,
        "line_up": [bot.name for bot in contest.line_up],
        "seed": contest.seed,
        "seconds": contest.seconds,
        "first_deal": report.first_deal,
        "rotations": contest.rotations,
        "games": tally.games,
        "without_winner": tally.undecided,
        "turns_per_game": tally.turns / tally.games if tally.games else None,
        "bots": [_standing_as_json(standing) for standing in tally.standings()],
        "order_of_play": [_rate_as_json(rate) for rate in tally.chairs()],
        "sprt": _sprt_as_json(report),
    }
    return json.dumps(answer, ensure_ascii=False, indent=2)


def _title(report: ArenaReport) -> str:
    tally, contest = report.tally, report.tally.contest
    return words().count(
        "arena.title",
        contest.rotations,
        ruleset=_ruleset(contest.ruleset),
        seats=contest.seats,
        games=tally.games,
        turns=f"{tally.turns / tally.games:.1f}" if tally.games else "-",
        seed=contest.seed,
    )


def _ruleset(ruleset: Ruleset) -> str:
    """The name of a ruleset, with the options in which it differs from its preset."""
    usual = format_ruleset(PRESETS[ruleset.key]).split()
    unusual = [option for option in format_ruleset(ruleset).split() if option not in usual]
    return " ".join([words().say(f"ruleset.{ruleset.key}"), *unusual])


def _grids(report: ArenaReport) -> Iterator[Grid]:
    say, tally = words().say, report.tally
    yield Grid(
        [
            say("arena.bot"),
            say("arena.chairs"),
            say("arena.wins"),
            say("arena.undecided"),
            say("arena.rate"),
            say("arena.par"),
            say("arena.mean"),
            say("arena.slow"),
            say("arena.turns"),
        ],
        [_row(standing, tally.undecided) for standing in tally.standings()],
    )
    rows = [[str(place), str(rate)] for place, rate in enumerate(tally.chairs(), start=1)]
    yield Grid([say("arena.order"), say("arena.rate")], rows)


def _row(standing: BotTally, undecided: int) -> list[str]:
    return [
        standing.name,
        str(standing.chairs),
        str(standing.wins),
        str(undecided),
        str(standing.rate),
        f"{100 * standing.par:.1f} %",
        f"{standing.mean:.2f}",
        f"{standing.slow:.2f}",
        f"{standing.turns:.1f}",
    ]


def _verdict(report: ArenaReport) -> Iterator[str]:
    if report.sprt is None:
        return
    verdict = report.sprt.verdict(report.test_rate)
    yield words().say(
        "arena.sprt.open" if verdict is None else "arena.sprt.decided",
        bot=report.tally.contest.names[0],
        low=report.sprt.lower,
        high=report.sprt.higher,
        leaning=f"{report.sprt.leaning(report.test_rate):+.2f}",
        bound=f"{report.sprt.bound:.2f}",
        verdict=verdict,
        games=report.tally.games,
    )


def _standing_as_json(standing: BotTally) -> dict[str, object]:
    return {
        "name": standing.name,
        "chairs": standing.chairs,
        "wins": standing.wins,
        **_rate_as_json(standing.rate),
        "par": standing.par,
        "turns_per_game": standing.turns,
        "ms_per_turn": {"mean": standing.mean, "p95": standing.slow},
    }


def _rate_as_json(rate: WinRate) -> dict[str, object]:
    return {"score": rate.score, "rate": rate.share, "interval": rate.interval}


def _sprt_as_json(report: ArenaReport) -> dict[str, object] | None:
    if report.sprt is None:
        return None
    return {
        "lower": report.sprt.lower,
        "higher": report.sprt.higher,
        "leaning": report.sprt.leaning(report.test_rate),
        "bound": report.sprt.bound,
        "verdict": report.sprt.verdict(report.test_rate),
    }


GAMES: Final = 100
SEED_SIZE: Final = 16
"""The bytes of a seed that is drawn: too many for a bot to find it out from what it sees."""
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
@click.option("--seconds", type=click.FloatRange(0, min_open=True), cls=Flag)
@click.option("--sprt", callback=_sprt, metavar="LOW,HIGH", cls=Flag)
@click.option("--records", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", cls=Flag)
@click.option("--markdown", is_flag=True, cls=Flag)
@JSON
def command(  # noqa: PLR0913  # one for each flag
    table: TableOptions,
    bots: tuple[str, ...],
    *,
    games: int,
    first_deal: int,
    workers: int | None,
    seconds: float | None,
    sprt: Sprt | None,
    records: Path | None,
    markdown: bool,
    as_json: bool,
) -> None:
    """Play the games of a contest and report."""
    if markdown and as_json:
        raise click.UsageError(words().say("error.one_answer"))
    contest = _contest(table, bots, seconds)
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
            raise CommandRefused("error.worker_died") from broken
        click.echo(words().say("arena.stopped", games=tally.games), err=True)
    _show(ArenaReport(tally=tally, first_deal=first_deal, sprt=sprt), markdown=markdown, json=as_json)


def _interrupted() -> bool:
    """Whether a key stroke ended the workers: it goes to them and to us, and may reach either first."""
    try:
        time.sleep(GRACE)
    except KeyboardInterrupt:
        return True
    return False


def _contest(table: TableOptions, bots: tuple[str, ...], seconds: float | None) -> Contest:
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
        seconds=seconds,
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


def _keep(folder: Path, played: PlayedGame) -> None:
    """Write the record of a game into its own file; an existing file is not touched."""
    assert played.record is not None
    file = folder / f"deal-{played.deal:05}-rotation-{played.rotation}.record"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as target:
            target.write(format_record(played.record))
    except OSError as error:
        raise Unreadable("error.no_place", file=file, reason=error.strerror or error) from error


def _refused(fault: BotFault, contest: Contest) -> CommandRefused:
    return CommandRefused(
        "error.bot_fault",
        name=fault.name,
        seat=words().say(f"crew.{COLOURS[fault.seat]}"),
        deal=fault.deal,
        rotation=fault.rotation,
        # The sentence of an engine has its own full stop.
        reason=fault.reason.removesuffix("."),
        again=f"--seed {contest.seed} --first-deal {fault.deal} --games {contest.rotations} --workers 1",
    )


def _show(report: ArenaReport, *, markdown: bool, json: bool) -> None:
    if json:
        click.echo(as_json(report))
    elif markdown:
        click.echo(as_markdown(report))
    else:
        as_table(report)
