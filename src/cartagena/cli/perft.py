"""`cartagena perft`: the trees of play, counted again."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from cartagena.cli.files import read_text
from cartagena.cli.progress import progress_bar
from cartagena.cli.style import JSON, Command, ExitCode, Flag, Unreadable, is_terminal, words
from cartagena.notation.perft import DEEPEST, PerftCase, PerftCount, check_perft, parse_perft
from cartagena.notation.tokens import NotationError


@dataclass(frozen=True, slots=True)
class _Timed:
    """A count and how long it took."""

    file: Path
    count: PerftCount
    seconds: float

    @property
    def speed(self) -> int:
        return _speed(self.count.found, self.seconds)


@click.command("perft", cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--depth", type=click.IntRange(1, DEEPEST), default=DEEPEST, show_default=False, cls=Flag)
@JSON
def command(files: tuple[Path, ...], depth: int, *, as_json: bool) -> None:
    """Count the ways of every case and compare."""
    cases = [(file, case) for file in files for case in _cases(file)]
    done: list[_Timed] = []
    # Lines that appear one by one show the way themselves; a bar would stand among them.
    with progress_bar(hidden=not as_json and is_terminal(sys.stdout)) as bar:
        task = bar.add_task("", total=_counts(cases, depth))
        for timed in _counted(cases, depth):
            done.append(timed)
            bar.update(task, advance=1, description=timed.count.name)
            if not as_json:
                click.echo(_line(timed))
    if as_json:
        click.echo(json.dumps([_as_json(timed) for timed in done], indent=2))
    else:
        click.echo(_sum(done))
    if not all(timed.count.agrees for timed in done):
        raise click.exceptions.Exit(ExitCode.REFUSED)


def _cases(file: Path) -> tuple[PerftCase, ...]:
    text = read_text(file)
    try:
        return parse_perft(text)
    except NotationError as error:
        raise Unreadable("error.no_perft", file=file, reason=error) from error


def _counts(cases: list[tuple[Path, PerftCase]], deepest: int) -> int:
    return sum(depth <= deepest for _, case in cases for depth, _ in case.counts)


def _counted(cases: list[tuple[Path, PerftCase]], deepest: int) -> Iterator[_Timed]:
    for file, case in cases:
        began = time.perf_counter()
        for count in check_perft(case, deepest):
            yield _Timed(file, count, time.perf_counter() - began)
            began = time.perf_counter()


def _line(timed: _Timed) -> str:
    count = timed.count
    line = words().say(
        "perft.count", name=count.name, depth=count.depth, nodes=count.found, speed=timed.speed
    )
    if count.agrees:
        return line
    return f"{line} {words().say('perft.differs', expected=count.expected)}"


def _sum(done: list[_Timed]) -> str:
    nodes = sum(timed.count.found for timed in done)
    seconds = sum(timed.seconds for timed in done)
    wrong = sum(not timed.count.agrees for timed in done)
    speed = _speed(nodes, seconds)
    return words().say("perft.sum", counts=len(done), wrong=wrong, nodes=nodes, speed=speed)


def _speed(nodes: int, seconds: float) -> int:
    return round(nodes / seconds) if seconds else 0


def _as_json(timed: _Timed) -> dict[str, object]:
    return {
        "file": str(timed.file),
        "name": timed.count.name,
        "depth": timed.count.depth,
        "nodes": timed.count.found,
        "expected": timed.count.expected,
        "agrees": timed.count.agrees,
        "nodes_per_second": timed.speed,
    }
