"""The shuffle as a client keeps it: its pledge, what it saw and chose, and the check of the record."""

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from cartagena.client.request import BrokenPromise
from cartagena.client.stream import is_whole
from cartagena.client.table_state import TableState
from cartagena.fairness import SIZE, Kept, Moves, Promise, Shown, commit
from cartagena.fairness.record import Report, verify_record
from cartagena.messages.cards import NUMBER_BY_WORD
from cartagena.messages.tables import TableMessage
from cartagena.messages.updates import Update
from cartagena.messages.views import ViewMessage, ruleset_of
from cartagena.notation import Record
from cartagena.notation.position_text import format_ruleset


class Witness:
    """Keeps the first table that it is shown, and the choices that were granted and not taken back.

    An undo takes the last one back, whichever device asked for it. What was missed may have been an undo:
    then the choices of the running turn are dropped.
    """

    def __init__(self) -> None:
        self.seat: int | None = None
        self.shown: Shown | None = None
        self._moves: list[tuple[int, int, int]] = []
        self._settled_at = -1

    @property
    def moves(self) -> Moves | None:
        """The turn and the code of each choice; None if neither the deal nor an own choice was seen."""
        moves = tuple((turn, code) for _, turn, code in self._moves)
        return moves if moves or self.shown else None

    def made(self, seq: int, turn: int, code: int) -> None:
        """A choice was granted that is event number `seq` at the earliest; answers may come in any order."""
        if seq > self._settled_at:
            insort(self._moves, (seq, turn, code))

    def hear(self, before: TableState | None, update: Update) -> None:
        """Take note of an update, which comes after what was known `before`."""
        if self.seat is None and update.view is not None and update.view.seat is not None:
            self._see(update.view)
        if before is not None and before.view is not None and is_gap(before, update):
            self._settle(update.seq, [move for move in self._moves if move[1] < before.view.turn])
        elif self._is_undo(update):
            earlier = [move for move in self._moves if move[0] < update.seq]
            self._settle(update.seq, earlier[:-1] + self._moves[len(earlier) :])

    def _see(self, view: ViewMessage) -> None:
        self.seat = view.seat
        if is_dealt(view):
            self.shown = shown_of(view)

    def _is_undo(self, update: Update) -> bool:
        """Whether our last choice was taken back; an answer and a stream both tell it."""
        news = update.news
        is_new = update.seq > self._settled_at
        return is_new and news is not None and news.kind == "undone" and news.seat == self.seat

    def _settle(self, seq: int, moves: list[tuple[int, int, int]]) -> None:
        self._settled_at, self._moves = seq, moves


def is_gap(before: TableState, update: Update) -> bool:
    """Whether something was missed: a whole state tells where the table is and not how it came there."""
    return update.seq > before.seq + (not is_whole(update))


def is_dealt(view: ViewMessage) -> bool:
    """Whether hands, row and seat to act are still those of the deal."""
    return view.turn == 1 and not (view.actions_used or view.discard or any(view.surplus))


def shown_of(view: ViewMessage) -> Shown:
    """What a view shows of the deal; start, sloop and nest lie where they always do."""
    return Shown(
        board=tuple(word for word in view.board if word in NUMBER_BY_WORD),
        first_seat=view.turn_seat,
        hands=view.hands,
        row=view.row,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pledge:
    """A number for one start of one game, secret until everything else is fixed."""

    nonce: bytes = field(repr=False)

    @classmethod
    def draw(cls, chance: Callable[[int], bytes]) -> Self:
        """Draw a new number; `chance` returns as many unpredictable bytes as it is asked for."""
        return cls(nonce=chance(SIZE))

    @property
    def nonce_hash(self) -> str:
        """What is shown of it beforehand."""
        return commit(self.nonce)


def check_record(record: Record, kept: Kept | None) -> Report:
    """Raise BrokenPromise unless a record is fair, by the rules, and what was promised, if that was kept."""
    report = verify_record(record, kept)
    troubles = _troubles(report)
    if troubles:
        raise BrokenPromise("; ".join(troubles), report.failed)
    return report


def troubles_of(record: Record) -> list[str]:
    """What is wrong with a record in itself; nothing if it was fair and by the rules."""
    return _troubles(verify_record(record))


def _troubles(report: Report) -> list[str]:
    wrong = [str(finding) for finding in report.failed]
    if report.verdict is None:
        return [*wrong, "the record does not tell all that proves its shuffle"]
    return wrong


def promise_of(table: TableMessage) -> Promise:
    """The promise that a table shows when its game starts."""
    return Promise(
        game_id=table.game,
        ruleset=format_ruleset(ruleset_of(table.ruleset)),
        commitment=table.commitment,
        nonce_hashes=tuple(chair.nonce_hash for chair in table.chairs),
    )


def kept_promise(table: TableMessage, seat: int, pledge: Pledge, commitment: str | None) -> Kept:
    """Look at a promise before the number is shown; `commitment` is the one seen when it was promised.

    Raises BrokenPromise: then the number must not be shown.
    """
    if commitment is None or table.commitment != commitment:
        raise BrokenPromise("the commitment is not the one that was there when we promised our number")
    if table.chairs[seat].nonce_hash != pledge.nonce_hash:
        raise BrokenPromise("another hash than ours stands at our seat")
    promise = promise_of(table)
    return Kept(
        game_id=promise.game_id,
        ruleset=promise.ruleset,
        commitment=promise.commitment,
        nonce_hashes=promise.nonce_hashes,
        nonce=pledge.nonce,
    )
