"""The judge of one game: asks each bot with its own view, does what it chooses, and keeps the time."""

import operator
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from cartagena.arena.contest import Contest
from cartagena.bots.players.interface import BotGaveUp, Budget, close
from cartagena.fairness.record import headers_of_shuffle
from cartagena.fairness.shuffle import opening, shuffler
from cartagena.notation.record import Record, Step
from cartagena.notation.replay import result_of
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance
from cartagena.rules.position import ACT, NOBODY, Position
from cartagena.rules.refusals import CartagenaError, IllegalAction
from cartagena.rules.ruleset import ACTIONS_PER_TURN


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A finished game.

    `bots` are names by seat, `winner` is a seat, `ending` one of the engine's. `times` has for each seat the
    milliseconds of each of its turns; no two runs measure the same, so they do not count when games are
    compared. The record is there if it was asked for.
    """

    number: int
    deal: int
    rotation: int
    bots: tuple[str, ...]
    first_seat: int
    winner: int | None
    ending: int
    turns: int
    times: tuple[tuple[float, ...], ...] = field(compare=False)
    record: Record | None = None


class BotFault(CartagenaError):
    """A bot broke down or chose what the rules refuse; says which bot, where, and in which game."""

    def __init__(self, name: str, seat: int, deal: int, rotation: int, reason: str) -> None:
        super().__init__(name, seat, deal, rotation, reason)
        self.name = name
        self.seat = seat
        self.deal = deal
        self.rotation = rotation
        self.reason = reason

    def __str__(self) -> str:
        game = f"deal {self.deal}, rotation {self.rotation}"
        return f"the bot {self.name!r} on seat {self.seat} of {game}: {self.reason}"


def play_game(contest: Contest, number: int, *, recorded: bool = False) -> PlayedGame:
    """Play one game of a contest; raises BotFault when a bot does what it must not."""
    return _Judge(contest, number).play(recorded=recorded)


class _Judge:
    """One game in the playing."""

    def __init__(self, contest: Contest, number: int) -> None:
        self.contest = contest
        self.number = number
        self.deal, self.rotation = contest.place_of(number)
        self.shuffle = contest.shuffle(self.deal)
        self.renewed = shuffler(self.shuffle)
        self.position: Position = opening(self.shuffle, contest.ruleset, contest.seats)
        self.first_seat = self.position.seat
        sitting = contest.sitting(self.rotation)
        self.names = tuple(bot.name for bot in sitting)
        self.bots = [bot.make() for bot in sitting]
        self.budget = Budget(seconds=contest.seconds)
        self.chances = [contest.chance(self.deal, self.rotation, seat) for seat in range(self.position.seats)]
        self.times: list[list[float]] = [[] for _ in sitting]
        self.timed_turn = 0
        self.steps: list[Step] = []

    def play(self, *, recorded: bool) -> PlayedGame:
        position = self.position
        try:
            while not position.over:
                self.do(self.chosen())
        finally:
            for bot in self.bots:
                close(bot)
        winner = None if position.winner == NOBODY else position.winner
        return PlayedGame(
            number=self.number,
            deal=self.deal,
            rotation=self.rotation,
            bots=self.names,
            first_seat=self.first_seat,
            winner=winner,
            ending=position.ending,
            turns=position.turn,
            times=tuple(map(tuple, self.times)),
            record=self.record() if recorded else None,
        )

    def chosen(self) -> int:
        """What the seat to act chooses; a turn that can only be ended needs no bot."""
        position = self.position
        if position.actions_used == ACTIONS_PER_TURN and position.phase == ACT:
            return END_TURN
        seat = position.to_act
        seen = view(position, seat)
        began = time.perf_counter()
        try:
            chosen = self.bots[seat].choose(seen, self.chances[seat], self.budget)
        except Exception as error:  # noqa: BLE001  # whatever a bot does wrong
            self.blame(seat, _told(error), error)
        self.note_time(seat, 1000 * (time.perf_counter() - began))
        try:
            return operator.index(chosen)
        except TypeError as error:
            self.blame(seat, f"`choose` returned {chosen!r}, not a code: return one of `view.legal`", error)

    def do(self, code: int) -> None:
        """Do as the bot says, with chance answering where an order of cards is due."""
        position = self.position
        turn, seat = position.turn, position.to_act
        orders: list[Sequence[int]] = []
        try:
            advance(position, code)
        except (IllegalAction, OverflowError) as error:
            self.blame(seat, f"it chose the code {code}, which is refused ({error})", error)
        while position.order_due:
            orders.append(self.renewed(cards_due(position)))
            take_order(position, orders[-1])
        self.steps.append(Step(turn=turn, seat=seat, code=code, orders=tuple(map(tuple, orders))))

    def note_time(self, seat: int, spent: float) -> None:
        """Add to the time of a turn; a trim in another seat's turn counts with the last of its own."""
        position, times = self.position, self.times[seat]
        if not times or (seat == position.seat and position.turn != self.timed_turn):
            times.append(0.0)
        if seat == position.seat:
            self.timed_turn = position.turn
        times[-1] += spent

    def blame(self, seat: int, reason: str, error: Exception) -> NoReturn:
        raise BotFault(self.names[seat], seat, self.deal, self.rotation, reason) from error

    def record(self) -> Record:
        headers = headers_of_shuffle(self.shuffle, self.contest.ruleset, self.names)
        return Record(headers=headers, steps=tuple(self.steps), result=result_of(self.position))


def _told(error: Exception) -> str:
    """What went wrong, and the line of the bot where it did; a bot that gave up has said all of it."""
    if isinstance(error, BotGaveUp):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
