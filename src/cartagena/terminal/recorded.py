"""A record as a source: a game that was played, followed step by step."""

import asyncio
from dataclasses import dataclass
from itertools import chain
from typing import Final

from cartagena.notation.record import Ending, Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.happenings import Happening, Moved
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import UndoableGame
from cartagena.terminal.source import Moment, ReadOnlyTable, Role, Show
from cartagena.words.sentences import Names, tell

BOT: Final = "bot:"
"""How a record names the seat of a bot; people know the bot by what follows."""


def happened_in(record: Record, seat: int | None) -> list[list[Happening]]:
    """What happened at each step, as a seat saw it; raises ReplayError if one is impossible."""
    game = begin(record.headers)
    return [[seen(each, seat) for each in replay_step(game, step)] for step in record.steps]


@dataclass(kw_only=True)
class RecordedTable(ReadOnlyTable):
    """The steps of a record, all of them played beforehand; raises ReplayError if one is impossible.

    With a `seat` it is told as that seat saw it, else with every hand open.
    """

    record: Record
    names: Names
    seat: int | None = None
    step: int = 0

    def __post_init__(self) -> None:
        super().__init__(self.names.words)
        self._stirred = asyncio.Event()
        game = begin(self.record.headers)
        self._views = [self._view(game)]
        self._told: list[list[Happening]] = []
        for step in self.record.steps:
            self._told.append(replay_step(game, step))
            self._views.append(self._view(game))

    def _view(self, game: UndoableGame) -> View:
        seats = range(self.record.headers.seats)
        if self.seat is not None:
            return view(game.position, self.seat)._replace(legal=())
        return view(game.position, None)._replace(
            hands=tuple(view(game.position, one).hands[one] for one in seats)
        )

    @property
    def role(self) -> Role:
        """The people at this keyboard step through what was played."""
        return Role.FOLLOWING

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that was played."""
        return self.record.headers.ruleset

    async def run(self, show: Show) -> None:
        """Show the step that is looked at, until it is cancelled."""
        while True:
            self._stirred.clear()
            show(self.moment())
            await self._stirred.wait()

    def moment(self) -> Moment:
        """The table after the steps so far."""
        happened = list(chain.from_iterable(self._told[: self.step]))
        if self.seat is not None:
            happened = [seen(happening, self.seat) for happening in happened]
        last = self._told[self.step - 1] if self.step else []
        result, is_end = self.record.result, self.step == len(self._told)
        return Moment(
            view=self._views[self.step],
            players=tuple(name.removeprefix(BOT) for name in self.record.headers.names),
            log=tuple(tell(self.names, happening) for happening in happened),
            last=next((each for each in last if isinstance(each, Moved)), None),
            is_over=is_end and result.ending is not Ending.RUNNING,
            winner=result.winner if is_end else None,
            step=self.step,
            steps=len(self._told),
        )

    def go(self, steps: int) -> None:
        """Go `steps` steps forward, or back if negative, within the record."""
        self.step = min(max(0, self.step + steps), len(self._told))
        self._stirred.set()
