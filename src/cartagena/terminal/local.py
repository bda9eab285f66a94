"""A game at this keyboard as a source: people take turns at it, and bots think beside it."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Final, Protocol

from cartagena.messages.wishes import RefusalMessage, wishes_message
from cartagena.notation.record import Ending, Headers, Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.codes import END_TURN
from cartagena.rules.happenings import Happening, Moved
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.play import legal, refusal
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import UndoableGame
from cartagena.terminal.app import in_background
from cartagena.terminal.source import Declined, Moment, Role, Show, Tip
from cartagena.words.sentences import Names, tell

# A record as a source: a game that was played, followed step by step.


@dataclass(kw_only=True)
class RecordedTable:
    """The steps of a record, all of them played beforehand; raises ReplayError if one is impossible.

    With a `seat` it is told as that seat saw it, else with every hand open.
    """

    record: Record
    names: Names
    seat: int | None = None
    step: int = 0

    def __post_init__(self) -> None:
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
            return view(game.position, self.seat)._replace(legal=None)
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
            players=self.record.headers.names,
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

    async def act(self, code: int) -> None:  # noqa: ARG002 - what a source is asked
        """Decline: a recorded game takes no actions."""
        raise Declined(self.names.words.say("terminal.only_watching"))

    async def undo(self) -> None:
        """Decline: nothing is taken back in a recorded game."""
        raise Declined(self.names.words.say("terminal.only_watching"))

    async def tip(self) -> Tip:
        """Decline: a recorded game gives no tips."""
        raise Declined(self.names.words.say("terminal.only_watching"))

    def uncover(self) -> None:
        """Nothing is covered."""


PACE: Final = 0.35
"""Seconds between two actions of a bot, so that people can follow them."""


class LocalMatch(Protocol):
    """A game with the bots that sit at it."""

    @property
    def headers(self) -> Headers:
        """Rules, board, names and deal."""

    @property
    def position(self) -> Position:
        """The table as it is."""

    def people(self) -> list[int]:
        """The seats that no bot plays."""

    def is_bot(self, seat: int) -> bool:
        """Whether a bot plays a seat."""

    def push(self, choice: int) -> list[Happening]:
        """Do as the code says."""

    def refusal_of_undo(self) -> Refusal | None:
        """Why the last choice cannot be taken back; None if it can."""

    def undo(self) -> None:
        """Take back the last choice of the running turn."""

    def choose_for(self, seat: int) -> int:
        """What the bot on a seat chooses."""


@dataclass(kw_only=True)
class LocalTable:
    """One sitting at one keyboard.

    `keep` is called after every choice; it returns what people must be told, usually nothing.
    Everybody who looks at the screen sees what the seat in `looking` may see, so another person's hidden hand
    is covered until that person is there. `happened` holds what each choice did.
    """

    match: LocalMatch
    names: Names
    players: tuple[str, ...] = ()
    keep: Callable[[], str] = str
    auto_end: bool = False
    pace: float = PACE
    looking: int | None = None
    happened: list[list[Happening]] = field(default_factory=list)
    note: str = ""

    def __post_init__(self) -> None:
        people = self.match.people()
        self._stirred = asyncio.Event()
        if len(people) == 1 or (people and self.ruleset.hands_open):
            self.looking = people[0]

    @property
    def role(self) -> Role:
        """The people at this keyboard play."""
        return Role.PLAYING

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return self.match.headers.ruleset

    # What is shown.

    async def run(self, show: Show) -> None:
        """Show the table after every choice, let bots choose, and wait for people."""
        while not self.match.position.over:
            seat = self.match.position.to_act
            if self.match.is_bot(seat):
                await self._let_bot_choose(seat, show)
            elif self.auto_end and legal(self.match.position) == [END_TURN]:
                self._do(END_TURN)
            else:
                await self._wait_for(seat, show)
        self._keep()
        show(self.moment())

    async def _let_bot_choose(self, seat: int, show: Show) -> None:
        show(self.moment())
        code, _ = await asyncio.gather(
            in_background(lambda: self.match.choose_for(seat)), asyncio.sleep(self.pace)
        )
        self._do(code)

    async def _wait_for(self, seat: int, show: Show) -> None:
        if self.ruleset.hands_open:
            self.looking = seat
        self._stirred.clear()
        show(self.moment())
        await self._stirred.wait()

    def moment(self) -> Moment:
        """The table as the people at the keyboard may see it now."""
        position, covered = self.match.position, self._covered()
        audience = None if covered is not None else self.looking
        is_asked = not position.over and covered is None and not self.match.is_bot(position.to_act)
        return Moment(
            view=view(position, audience),
            wishes=wishes_message(position) if is_asked else None,
            players=self.players,
            log=tuple(self._told(audience)),
            last=_last_move(self.happened),
            covered=covered,
            is_over=position.over,
            winner=None if position.winner == NOBODY else position.winner,
            note=self.note,
        )

    def _covered(self) -> int | None:
        """The seat whose player must come to the keyboard before the hand is shown."""
        position = self.match.position
        if position.over or self.match.is_bot(position.to_act) or self.ruleset.hands_open:
            return None
        return None if position.to_act == self.looking else position.to_act

    def _told(self, audience: int | None) -> Iterable[str]:
        happenings = chain.from_iterable(self.happened)
        return (tell(self.names, seen(happening, audience)) for happening in happenings)

    # What is asked for.

    async def act(self, code: int) -> None:
        """Do what a code says, for the person to act."""
        self._check_asked()
        reason = refusal(self.match.position, code)
        if reason is not None:
            raise _declined(reason)
        self.note = ""
        self._do(code)
        self._stirred.set()

    async def undo(self) -> None:
        """Take back the last choice of the turn."""
        self._check_asked()
        reason = self.match.refusal_of_undo()
        if reason is not None:
            raise _declined(reason)
        self.match.undo()
        # What happened before the game was resumed was not kept, so there may be nothing to forget.
        del self.happened[-1:]
        self.note = ""
        self._keep()
        self._stirred.set()

    async def tip(self) -> Tip:
        """What the person to act might do, found beside the screen."""
        from cartagena.bots.analysis.comparison import hint  # noqa: PLC0415 - only who asks for a tip waits for it

        self._check_asked()
        sight = view(self.match.position, self.match.position.to_act)
        best = (await in_background(lambda: hint(sight, chance=Random()))).best
        return Tip(codes=best.codes, chance=best.chances[sight.seat or 0])

    def uncover(self) -> None:
        """The person to act has come to the keyboard."""
        self.looking = self.match.position.to_act
        self._stirred.set()

    def go(self, steps: int) -> None:
        """Do nothing: a game in progress has no steps to go through."""

    def _check_asked(self) -> None:
        position = self.match.position
        if position.over:
            raise _declined(Refusal.GAME_OVER)
        if self.match.is_bot(position.to_act) or self._covered() is not None:
            raise Declined(self.names.words.say("terminal.not_your_turn"))

    def _do(self, code: int) -> None:
        self.happened.append(self.match.push(code))
        self._keep()

    def _keep(self) -> None:
        self.note = self.keep() or self.note


def _declined(reason: Refusal) -> Declined:
    return Declined(refusal=RefusalMessage(code=reason.code, rule=reason.rule))


def _last_move(happened: Sequence[Sequence[Happening]]) -> Moved | None:
    moves = (each for told in reversed(happened) for each in reversed(told) if isinstance(each, Moved))
    return next(moves, None)
