"""Whole games to type: what people would enter at the prompt, worked out beforehand from the same seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from click.testing import CliRunner, Result

from cartagena.cli.main import entrance
from cartagena.cli.match import Match, fresh, names_of_seats
from cartagena.notation.action_text import format_action
from cartagena.notation.record import format_record
from cartagena.rules.play import legal
from cartagena.rules.ruleset import PRESETS


def run(*arguments: str, typed: Sequence[str] = ()) -> Result:
    """Call the command line as a person or a pipe would."""
    return CliRunner().invoke(entrance, arguments, input="".join(f"{line}\n" for line in typed))


def by_number(match: Match, code: int) -> str:
    """A choice as its number in the menu."""
    return str(legal(match.position).index(code) + 1)


def by_notation(match: Match, code: int) -> str:
    """A choice in words."""
    return format_action(match.position.ruleset.family, code)


@dataclass(frozen=True, kw_only=True)
class Script:
    """The flags of a game, the lines people type in it, and the record it ends with."""

    flags: tuple[str, ...]
    lines: tuple[str, ...]
    record: str


def script(
    preset: str, seats: int, bots: int, style: Callable[[Match, int], str], seed: str = "1672"
) -> Script:
    """A game in which people choose at random too, from the deal to the end."""
    match = fresh(PRESETS[preset], names_of_seats(seats, bots, "random"), seed)
    chance = Random(seed)
    lines: list[str] = []
    looking = None
    while not match.position.over:
        seat = match.position.to_act
        if match.is_bot(seat):
            match.push(match.choose_for(seat))
            continue
        if seats - bots > 1 and not match.position.ruleset.hands_open and seat != looking:
            lines.append("")
        looking = seat
        code = chance.choice(legal(match.position))
        lines.append(style(match, code))
        match.push(code)
    return Script(
        flags=(
            *("--ruleset", preset, "--seats", str(seats), "--seed", seed),
            *("--bots", str(bots), "--level", "random"),
        ),
        lines=tuple(lines),
        record=format_record(match.record()),
    )
