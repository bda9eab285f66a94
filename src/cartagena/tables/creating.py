"""New tables: opened by a host, or again after a game."""

import hashlib
from collections.abc import Callable
from typing import Final, Protocol
from uuid import UUID

from msgspec.structs import replace as with_fields

from cartagena.fairness import SIZE, commit
from cartagena.tables.access import seat_of
from cartagena.tables.ids import OF_SERVICE, RANDOM_BYTES, new_id
from cartagena.tables.ports import Sender, Store
from cartagena.tables.seating import Sitter, Terms, open_sheet
from cartagena.tables.sheet import Chair, Sheet, Stage
from cartagena.tables.table import Change, EventKind, News, Table, by_seat, step

Chance = Callable[[int], bytes]
"""Returns that number of unguessable random bytes."""

INVITE_BYTES: Final = 16
_TIME_OF_ID: Final = 80


class Creations(Protocol):
    """What remembers for a day which table a player's request opened."""

    async def claim(self, player: UUID, key: UUID, table_id: UUID) -> UUID:
        """The table that this request stands for: this one, unless the key was used before."""


async def open_table(
    store: Store, creations: Creations, terms: Terms, sitter: Sitter, *, key: UUID, made: "NewTable"
) -> UUID:
    """Open a table and sit down at it; a repeated request returns the table it opened."""
    sheet = open_sheet(terms, sitter, invite=made.invite, commitment=commit(made.secret))
    table_id = await creations.claim(sitter.player, key, made.id)
    await store.open(table_id, sheet, made.secret, Sender(player=sitter.player, key=key))
    return table_id


class NewTable:
    """What chance gives a new table: its id, the secret of its shuffle, and the code that lets friends in."""

    __slots__ = ("id", "invite", "secret")

    def __init__(self, milliseconds: int, chance: Chance, version: int = OF_SERVICE) -> None:
        self.id = new_id(milliseconds, chance(RANDOM_BYTES), version)
        self.secret = chance(SIZE)
        self.invite = new_invite(chance)


def new_invite(chance: Chance) -> str:
    """A code that lets friends in."""
    return chance(INVITE_BYTES).hex()


def rematch_id(table_id: UUID) -> UUID:
    """The id of the table that follows one: always the same, so two players who ask at once meet there."""
    chance = hashlib.sha256(b"rematch" + table_id.bytes).digest()[:RANDOM_BYTES]
    return new_id(table_id.int >> _TIME_OF_ID, chance, table_id.version or OF_SERVICE)


def rematch_sheet(table: Table, sitter: Sitter, made: NewTable) -> Sheet:
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
    return with_fields(
        old,
        chairs=chairs,
        quick=False,
        shut_since=0,
        public_after=0,
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
    change = step(table, EventKind.REMATCH, sheet=with_fields(table.sheet, rematch=next_id))
    change = by_seat(change, seat_of(table, player))
    return with_fields(change, news=News(seat=change.seat, name=change.news.name, text=str(next_id)))
