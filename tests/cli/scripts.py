"""Whole games to type: what people would enter at the prompt, worked out beforehand from the same seed."""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from click.testing import CliRunner, Result

from cartagena.cli.deal import fresh, names_of_seats
from cartagena.cli.kept_games import Sitting
from cartagena.cli.main import entrance
from cartagena.client.sample_bot import worth
from cartagena.messages.wishes import WishesMessage
from cartagena.notation.action_text import format_action
from cartagena.notation.record import Record, format_record
from cartagena.rules.hidden.view import View
from cartagena.rules.ruleset import PRESETS
from cartagena.terminal.local import LocalTable
from cartagena.terminal.source import Declined, Moment
from cartagena.words import Words
from cartagena.words.sentences import Names
from tests.waiting import PATIENCE


def run(*arguments: str, typed: Sequence[str] = (), color: bool = False) -> Result:
    """Call the command line as a pipe would."""
    ours, theirs = os.pipe()
    os.write(theirs, "".join(f"{line}\n" for line in typed).encode())
    os.close(theirs)
    with open(ours, "rb") as pipe:  # noqa: PTH123 - a descriptor
        return CliRunner().invoke(entrance, arguments, input=pipe, color=color)


def by_number(seen: View, code: int) -> str:
    """A choice as its number in the menu."""
    return str(seen.legal.index(code) + 1)


def by_notation(seen: View, code: int) -> str:
    """A choice in words."""
    return format_action(seen.ruleset.family, code)


ADRIFT = 0.3
"""How often people choose anything."""

Style = Callable[[View, int], str]


@dataclass(frozen=True, kw_only=True)
class Script:
    """The flags of a game, the lines people type in it, and the record it ends with."""

    flags: tuple[str, ...]
    lines: tuple[str, ...]
    record: str


class Typist:
    """People who play on; what they would type, and what they were shown, is kept."""

    def __init__(self, sitting: Sitting, style: Style, *, undoing: float = 0.0) -> None:
        names = Names(Words("en"), sitting.record.headers.ruleset)
        self.lines: list[str] = []
        self.shown: list[tuple[Moment, Record]] = []
        """Each moment, and what was kept of the game by then."""
        self._sitting = sitting
        self._table = LocalTable(
            sitting.record, names, levels=sitting.levels, keep=sitting.keep, seed=sitting.seed, pace=0
        )
        self._style = style
        self._undoing = undoing
        self._chance = Random(sitting.seed)
        self._seen: View | None = None

    async def play(self) -> None:
        """Play to the end."""
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as self._answers:
            await self._table.run(self._show)

    def _show(self, moment: Moment) -> None:
        self.shown.append((moment, self._sitting.record))
        if moment.view is not None and moment.view != self._seen:
            self._seen = moment.view
            self._answers.create_task(self._answer(moment, moment.view))

    async def _answer(self, moment: Moment, seen: View) -> None:
        if moment.covered is not None:
            self.lines.append("")
            await self._table.uncover()
        elif moment.wishes is not None and not await self._takes_back():
            code = self._choice(seen, moment.wishes)
            self.lines.append(self._style(seen, code))
            await self._table.act(code)

    def _choice(self, seen: View, wishes: WishesMessage) -> int:
        """What leads on, or now and then anything: chance alone would play for hundreds of turns."""
        if self._chance.random() < ADRIFT:
            return self._chance.choice(seen.legal)
        held = seen.hand_sizes[seen.seat or 0]
        return max(wishes.legal, key=lambda choice: worth(choice, held)).code

    async def _takes_back(self) -> bool:
        if not self._undoing or self._chance.random() > self._undoing:
            return False
        with suppress(Declined):
            await self._table.undo()
            return True
        return False


def script(preset: str, seats: int, bots: int, style: Style, seed: str = "1672") -> Script:
    """A game from the deal to the end."""
    sitting = Sitting(fresh(PRESETS[preset], names_of_seats(seats, bots, "random"), seed), None, seed)
    typist = Typist(sitting, style)
    asyncio.run(typist.play())
    return Script(
        flags=(
            *("--ruleset", preset, "--seats", str(seats), "--seed", seed),
            *("--bots", str(bots), "--level", "random"),
        ),
        lines=tuple(typist.lines),
        record=format_record(sitting.record),
    )
