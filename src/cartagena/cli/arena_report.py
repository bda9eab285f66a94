"""What the arena tells: tables on the screen, in Markdown, or as JSON."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import click
from rich import box
from rich.console import Console
from rich.table import Table

from cartagena.arena.evidence import Rate, Sprt
from cartagena.arena.tally import Standing, Tally
from cartagena.cli.style import is_terminal, words
from cartagena.notation.ruleset_text import format_ruleset
from cartagena.rules.ruleset import PRESETS, Ruleset

PLAIN_WIDTH: Final = 200
"""How wide a table may be that no terminal shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The games that were played, the first of their deals, and the test that could have stopped them."""

    tally: Tally
    first_deal: int
    sprt: Sprt | None

    @property
    def test_rate(self) -> Rate:
        """The score that the test is about."""
        return self.tally.rate(self.tally.contest.names[0])


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of words: its heads, and its rows."""

    heads: list[str]
    rows: list[list[str]]


def as_table(report: Report) -> None:
    """Print tables for people."""
    console = Console(width=None if is_terminal(sys.stdout) else PLAIN_WIDTH, highlight=False)
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


def as_markdown(report: Report) -> str:
    """Return the tables as Markdown."""
    blocks = [_title(report)]
    for grid in _grids(report):
        ruler = ["---", *["---:"] * (len(grid.heads) - 1)]
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in (grid.heads, ruler, *grid.rows)))
    return "\n\n".join([*blocks, *_verdict(report)])


def as_json(report: Report) -> str:
    """Return the report as JSON, for programs."""
    tally, contest = report.tally, report.tally.contest
    answer = {
        "ruleset": format_ruleset(contest.ruleset),
        "seats": contest.seats,
        "line_up": [bot.name for bot in contest.line_up],
        "seed": contest.seed,
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


def _title(report: Report) -> str:
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


def _grids(report: Report) -> Iterator[Grid]:
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


def _row(standing: Standing, undecided: int) -> list[str]:
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


def _verdict(report: Report) -> Iterator[str]:
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


def _standing_as_json(standing: Standing) -> dict[str, object]:
    return {
        "name": standing.name,
        "chairs": standing.chairs,
        "wins": standing.wins,
        **_rate_as_json(standing.rate),
        "par": standing.par,
        "turns_per_game": standing.turns,
        "ms_per_turn": {"mean": standing.mean, "p95": standing.slow},
    }


def _rate_as_json(rate: Rate) -> dict[str, object]:
    return {"score": rate.score, "rate": rate.share, "interval": rate.interval}


def _sprt_as_json(report: Report) -> dict[str, object] | None:
    if report.sprt is None:
        return None
    return {
        "lower": report.sprt.lower,
        "higher": report.sprt.higher,
        "leaning": report.sprt.leaning(report.test_rate),
        "bound": report.sprt.bound,
        "verdict": report.sprt.verdict(report.test_rate),
    }
