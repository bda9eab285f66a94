"""New tables: opened by a host, or again after a game."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from typing import Final, Protocol
from uuid import UUID

from msgspec.structs import replace

from cartagena.fairness import SIZE, commit
from cartagena.fairness.shuffle import shuffler
from cartagena.messages.replays import LineMessage, ReplayStep
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.ids import RANDOM_BYTES, new_id
from cartagena.server.tables.access import seat_of
from cartagena.server.tables.ports import Sender, Store
from cartagena.server.tables.records import Telling, everything, whole_record
from cartagena.server.tables.seating import Sitter, Terms, bot_chair, open_sheet, shuffle_of
from cartagena.server.tables.sheet import MINDER, Branch, Chair, Sheet, Stage
from cartagena.server.tables.table import Change, EventKind, News, Table, by_seat, step

Chance = Callable[[int], bytes]
"""Returns that number of unguessable random bytes."""

INVITE_BYTES: Final = 16
_TIME_OF_ID: Final = 80


class Creations(Protocol):
    """What remembers for a day which table a player's request opened."""

    async def claim(self, player: UUID, key: UUID, table_id: UUID) -> UUID:
        """The table that this request stands for: this one, unless the key was used before."""


async def open_table(
    store: Store, creations: Creations, terms: Terms, sitter: Sitter, *, key: UUID, made: "New"
) -> UUID:
    """Open a table and sit down at it; a repeated request returns the table it opened."""
    sheet = open_sheet(terms, sitter, invite=made.invite, commitment=commit(made.secret))
    table_id = await creations.claim(sitter.player, key, made.id)
    await store.open(table_id, sheet, made.secret, Sender(player=sitter.player, key=key))
    return table_id


class New:
    """What chance gives a new table: its id, the secret of its shuffle, and the code that lets friends in."""

    __slots__ = ("id", "invite", "secret")

    def __init__(self, milliseconds: int, chance: Chance) -> None:
        self.id = new_id(milliseconds, chance(RANDOM_BYTES))
        self.secret = chance(SIZE)
        self.invite = new_invite(chance)


def new_invite(chance: Chance) -> str:
    """A code that lets friends in."""
    return chance(INVITE_BYTES).hex()


def rematch_id(table_id: UUID) -> UUID:
    """The id of the table that follows one: always the same, so two players who ask at once meet there."""
    chance = hashlib.sha256(b"rematch" + table_id.bytes).digest()[:RANDOM_BYTES]
    return new_id(table_id.int >> _TIME_OF_ID, chance)


def rematch_sheet(table: Table, sitter: Sitter, made: New) -> Sheet:
    """The sheet of a rematch: the player who asked is its host, bots stay, the others are invited."""
    table.require(Stage.OVER)
    old = table.sheet
    seat = seat_of(table, sitter.player)
    chairs = tuple(
        sitter.chair(0)
        if number == seat
        else Chair(level=chair.level, name=chair.name if chair.level else "")
        for number, chair in enumerate(old.chairs)
    )
    return replace(
        old,
        chairs=chairs,
        quick=False,
        shut_since=0,
        host=sitter.player,
        household=sitter.household,
        invite=made.invite,
        commitment=commit(made.secret),
        stage=Stage.OPEN,
        starts=0,
        called_off=0,
        invited=tuple(chair.player for chair in old.chairs if chair.player is not None),
        muted=tuple(player for player in old.muted if player != sitter.player),
        ending=None,
        winner=None,
        rematch=None,
        rematch_of=table.id,
        branch=None,
    )


def point_to_rematch(table: Table, player: UUID) -> Change:
    """Tell those who are still at the old table where the rematch is."""
    table.require(Stage.OVER)
    next_id = rematch_id(table.id)
    change = step(table, EventKind.REMATCH, sheet=replace(table.sheet, rematch=next_id))
    change = by_seat(change, seat_of(table, player))
    return replace(change, news=News(seat=change.seat, name=change.news.name, text=str(next_id)))


# Branches: a finished game continued from one of its moments, as a line to look at or a table to play at.
#
# Anyone who has read the replay knows its cards, so such a table is private, casual, and against bots alone.


async def branch_sheet(store: Store, old: Table, step: int, sitter: Sitter, made: New) -> Sheet:
    """A table that continues a game after `step` actions: the sitter chooses next, against bots."""
    record = await _over(store, old)
    game = await asyncio.to_thread(_game_after, record, step)
    seat = game.position.to_act
    chairs = tuple(
        _with_number_of(chair, sitter.chair(0) if number == seat else bot_chair(chair.level or MINDER))
        for number, chair in enumerate(old.sheet.chairs)
    )
    sheet = old.sheet
    return Sheet(
        ruleset=sheet.ruleset,
        chairs=chairs,
        host=sitter.player,
        clock=None,
        listed=False,
        rated=False,
        spectators=False,
        invite=made.invite,
        commitment=sheet.commitment,
        household=sitter.household,
        branch=Branch(
            table=old.id,
            shuffle=sheet.shuffle_id(old.id),
            codes=tuple(event.code for event in game.events),
        ),
    )


def _with_number_of(old: Chair, chair: Chair) -> Chair:
    """A chair with the number that entered the shuffle from this seat."""
    return replace(chair, nonce_hash=old.nonce_hash, nonce=old.nonce)


async def line_from(store: Store, table: Table, step: int, codes: Sequence[int]) -> LineMessage:
    """What would have happened with other actions after `step`; raises IllegalAction if the rules refuse."""
    record = await _over(store, table)
    return await asyncio.to_thread(_line, table, record, step, codes)


def _line(table: Table, record: Record, step: int, codes: Sequence[int]) -> LineMessage:
    game = _game_after(record, step)
    order = shuffler(shuffle_of(table), game.position.renewals)
    telling = Telling(game, look=everything, hear=lambda told: told)
    steps: list[ReplayStep] = []
    for code in codes:
        turn, seat = game.position.turn, game.position.to_act
        steps.append(telling.step(turn, seat, code, game.act(code, order)))
    return LineMessage(first=telling.first, steps=tuple(steps))


async def _over(store: Store, table: Table) -> Record:
    """The record of a game that is over; raises WRONG_STAGE until then."""
    table.require(Stage.OVER)
    return await whole_record(store, table)


def _game_after(record: Record, step: int) -> UndoableGame:
    """The game after `step` actions; raises UNFIT if it is over by then."""
    game = begin(record.headers)
    for played in record.steps[:step]:
        replay_step(game, played)
    if step > len(record.steps) or game.position.over:
        raise ServiceError(Problem.UNFIT, "the game is over by then")
    return game
