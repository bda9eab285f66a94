"""A study: a game that somebody looks into, from a record or a position; lines branch off at any step.

Nothing is kept: the text, a step and codes say all there is, so a line is the same wherever it is opened.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cartagena.fairness.record import headers_of_shuffle, shuffle_of_headers
from cartagena.fairness.shuffle import Shuffle, lone_shuffle, shuffler
from cartagena.messages.cards import word_of
from cartagena.messages.replays import ReplayStep
from cartagena.messages.studies import (
    MOST_ACTIONS,
    FaultMessage,
    OpenedStudy,
    StudyLineMessage,
    StudyMessage,
    StudyText,
    TextTrouble,
    TroubleCode,
)
from cartagena.messages.wishes import RefusalMessage, wishes_message
from cartagena.notation import (
    format_position,
    format_record,
    parse_position,
    parse_record,
    parse_ruleset,
    place_word,
)
from cartagena.notation.record import FIRST_LINE, Ending, Record
from cartagena.notation.replay import begin, check_result, record_of, replay_step, result_of
from cartagena.notation.tokens import NotationError, ReplayError, lines_of
from cartagena.rules.hidden.view import View, view
from cartagena.rules.position import Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import RULES_VERSION
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.records import Telling, everything

_KEPT: Final = 4


class TooLongError(ServiceError):
    """A record has more actions than a study may have."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Problem.UNFIT, sentence)


class Study:
    """A game to look into."""

    def __init__(self, text: str, record: Record, opening: UndoableGame) -> None:
        self.text = text
        self.record = record
        if len(record.steps) > MOST_ACTIONS:
            raise TooLongError(f"a game of more than {MOST_ACTIONS} actions is not looked into")
        self._games = [_without_events(opening)]
        telling = _told(opening)
        self.first = telling.first
        steps: list[ReplayStep] = []
        for step in record.steps:
            steps.append(telling.step(step.turn, step.seat, step.code, replay_step(opening, step)))
            self._games.append(_without_events(opening))
        self.steps = tuple(steps)
        self._events = opening.events
        self._shuffle = self._chance(opening.position)
        check_result(opening.position, record.result)

    def _chance(self, position: Position) -> Shuffle:
        """The shuffle of the record; without one the text decides, so that a line always brings the same."""
        shuffle = shuffle_of_headers(self.record.headers)
        secret = hashlib.sha256(self.text.encode()).digest()
        return shuffle or lone_shuffle("study", secret, position.ruleset, position.seats)

    def message(self) -> StudyMessage:
        """The whole game as it is sent."""
        record = self.record
        over = record.result.ending is not Ending.RUNNING
        return StudyMessage(
            text=self.text,
            is_dealt=record.headers.opening is None,
            names=record.headers.names,
            first=self.first,
            steps=self.steps,
            ending=record.result.ending.value if over else None,
            winner=record.result.winner,
        )

    def line(self, step: int, codes: Sequence[int]) -> StudyLineMessage:
        """What happens with these actions after `step`; raises IllegalAction if the rules refuse one."""
        game = self._game(step)
        telling, order = _told(game), shuffler(self._shuffle, game.position.renewals)
        steps: list[ReplayStep] = []
        for code in codes:
            turn, seat = game.position.turn, game.position.to_act
            steps.append(telling.step(turn, seat, code, game.act(code, order)))
        position = game.position
        return StudyLineMessage(
            first=telling.first,
            steps=tuple(steps),
            now=_told(game).first,
            wishes=None if position.over else wishes_message(position),
        )

    def written(self, step: int, codes: Sequence[int]) -> StudyText:
        """A line as text."""
        game = self._played(step, codes)
        try:
            position = format_position(game.position)
        except PositionError:
            position = None
        whole = step == len(self.steps) and not codes
        return StudyText(record=self._record(game, whole=whole), position=position)

    def position(self, step: int, codes: Sequence[int]) -> Position:
        """The table at the end of a line."""
        return self._played(step, codes).position

    def seen(self, step: int, codes: Sequence[int]) -> View:
        """What the seat to act knows at the end of a line; raises UNFIT if the game is over there."""
        position = self.position(step, codes)
        if position.over:
            raise ServiceError(Problem.UNFIT, "the game is over there")
        return view(position, position.to_act)

    def _record(self, game: UndoableGame, *, whole: bool) -> str:
        result = self.record.result if whole else result_of(game.position)
        return format_record(record_of(game, self.record.headers, result))

    def _played(self, step: int, codes: Sequence[int]) -> UndoableGame:
        game = self._game(step)
        order = shuffler(self._shuffle, game.position.renewals)
        for code in codes:
            game.act(code, order)
        return game

    def _game(self, step: int) -> UndoableGame:
        if step >= len(self._games):
            raise ServiceError(Problem.UNFIT, "the record has fewer actions")
        game = self._games[step].fork()
        game.events = self._events[:step]
        return game


def _without_events(game: UndoableGame) -> UndoableGame:
    """A copy that stands as the game does; all of a study share one list of events."""
    copy = game.fork()
    copy.events = []
    return copy


def dealt_study(ruleset: str, seats: int, secret: bytes) -> StudyMessage:
    """A new game; raises UNFIT or NotationError for one that nobody can play."""
    rules = parse_ruleset(ruleset)
    shuffle = lone_shuffle("study", secret, rules, seats)
    headers = headers_of_shuffle(shuffle, rules, ("",) * seats)
    return study_of(format_record(record_of(begin(headers), headers))).message()


def _told(game: UndoableGame) -> Telling:
    return Telling(game, look=everything, hear=lambda told: told)


@lru_cache(maxsize=_KEPT)
def study_of(text: str) -> Study:
    """Read a record or a position; raises NotationError or ReplayError."""
    text = text.removeprefix("\ufeff")
    first = next((line.text for line, _ in lines_of(text) if line.text), "")
    if first == FIRST_LINE:
        record = parse_record(text)
        return Study(format_record(record), record, begin(record.headers))
    opening = UndoableGame(parse_position(text))
    return Study(format_position(opening.position), record_of(opening), opening)


def opened(text: str) -> OpenedStudy:
    """Read a text, or say why it is no game to look into."""
    try:
        return OpenedStudy(study=study_of(text).message(), trouble=None)
    except NotationError as error:
        trouble = _unreadable(text, error)
    except ReplayError as error:
        trouble = _unplayable(parse_record(text), error)
    except TooLongError as error:
        trouble = TextTrouble(code="too_long", message=error.sentence)
    return OpenedStudy(study=None, trouble=trouble)


def _unreadable(text: str, error: NotationError) -> TextTrouble:
    fault = error.__cause__ if isinstance(error.__cause__, PositionError) else None
    return TextTrouble(
        code="unreadable" if fault is None else "arrangement",
        message=str(error),
        line=error.line,
        column=error.column,
        expected=error.expected,
        found=error.text,
        meant=error.nearest,
        fault=None if fault is None else fault_message(fault, _family_in(text)),
    )


def _family_in(text: str) -> str:
    """The family of the ruleset that a text names."""
    pieces = filter(None, (line.split() for line, _ in lines_of(text.removeprefix("\ufeff"))))
    return next(parse_ruleset(value.text).family for key, value in pieces if key.text == "Ruleset")


def fault_message(error: PositionError, family: str) -> FaultMessage:
    """What is wrong with a table that was laid out."""
    assert error.fault is not None, "whatever refuses a layout says what is wrong"
    values = dict(error.values)
    card, place = values.pop("card", None), values.pop("place", None)
    return FaultMessage(
        code=error.fault.value,
        values=values,
        card=word_of(family, card),
        place=None if place is None else place_word(family, place),
    )


def _unplayable(record: Record, error: ReplayError) -> TextTrouble:
    refusal = error.refusal
    return TextTrouble(
        code=_why(record, error),
        message=str(error),
        line=error.line,
        column=error.column,
        refusal=None if refusal is None else RefusalMessage(code=refusal.code, rule=refusal.rule),
    )


def _why(record: Record, error: ReplayError) -> TroubleCode:
    orders = (record.headers.cards, *(order for step in record.steps for order in step.orders))
    if any(None in order for order in orders) or any(step.code is None for step in record.steps):
        return "of_view"
    if record.headers.rules_version > RULES_VERSION:
        return "newer"
    return "impossible" if error.refusal is None else "refused"
