"""The use cases of a table in play: one request, one change, acknowledged once it is on disk."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final
from uuid import UUID
from weakref import WeakValueDictionary

from msgspec import Struct
from msgspec.structs import replace

from cartagena.messages.updates import to_be_taken_anew
from cartagena.rules.refusals import CartagenaError
from cartagena.tables.errors import UNKNOWN_TABLE, Problem, ServiceError, WithCurrent
from cartagena.tables.frames import current, frames
from cartagena.tables.ports import Announcer, Sender, Store
from cartagena.tables.table import Change, Table

Make = Callable[[Table], Change]
"""Decides what a request does to a table; raises an error if the request is not allowed."""

TRIES: Final = 8
"""How often a change that names no seq is retried when another change came first."""


class RequestOutcome(Struct, frozen=True, kw_only=True):
    """A table after a request; the frames are None if the request had been carried out before."""

    table: Table
    frames: dict[int, bytes] | None = None

    def frame(self, player: UUID | None) -> bytes:
        """The frame for the player who asked."""
        seat = self.table.sheet.seat_of(player)
        audience = self.table.sheet.watchers if seat is None else self.table.sheet.audience_of(seat)
        told = self.frames or {}
        return told[audience] if audience in told else current(self.table, audience)


class Tables:
    """Every table, loaded from the store on demand and kept as long as there is room.

    What is kept is only a cache: the store checks the seq of every change, so two nodes that serve one
    table agree, and a table that was changed elsewhere is noticed and loaded again.
    """

    def __init__(self, store: Store, announcer: Announcer, *, room: int = 10_000) -> None:
        self._store = store
        self._announcer = announcer
        self._room = room
        self._kept: OrderedDict[UUID, Table] = OrderedDict()
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    # Reading.

    async def newest(self, table_id: UUID) -> Table:
        """The table as the store has it now; raises NO_SUCH_TABLE."""
        kept = self._kept.get(table_id)
        if kept is not None and await self._store.is_newest(kept):
            return kept
        return await self._load(table_id)

    def kept(self, table_id: UUID) -> Table | None:
        """The table as it was last seen here, perhaps older than in the store; None if it is not kept."""
        return self._kept.get(table_id)

    async def at_least(self, table_id: UUID, seq: int) -> Table:
        """The table at `seq` or later, unless the store itself is older."""
        kept = self._kept.get(table_id)
        return kept if kept is not None and kept.seq >= seq else await self._load(table_id)

    async def _load(self, table_id: UUID) -> Table:
        table = await self._store.load(table_id)
        if table is None:
            self._kept.pop(table_id, None)
            raise ServiceError(Problem.NO_SUCH_TABLE, UNKNOWN_TABLE)
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        kept = self._kept.get(table.id)
        if kept is not None and kept.seq > table.seq and kept.timeline == table.timeline:
            return  # a newer change has been committed since it was read
        self._kept[table.id] = table
        self._kept.move_to_end(table.id)
        if len(self._kept) > self._room:
            self._kept.popitem(last=False)

    def _lock(self, table_id: UUID) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    # Changing.

    async def change_at(self, table_id: UUID, seq: int, sender: Sender, make: Make) -> RequestOutcome:
        """Change the game as it stood at `seq`, whatever has happened beside it since.

        Raises STALE with the current state if the game has gone on, TOO_LATE if the clock had run out.
        """
        async with self._lock(table_id):
            table = await self.at_least(table_id, seq)
            for _ in range(TRIES):
                if not table.stood_at(seq):
                    return await self._came_too_late(await self._load(table_id), seq, sender)
                outcome = await self._try(table, sender, make)
                if outcome is not None:
                    return outcome
                tried, table = table, await self._load(table_id)
                if (table.seq, table.timeline) == (tried.seq, tried.timeline):
                    # No other change came first, so it was the clock.
                    return await self._came_too_late(table, seq, sender)
        raise _too_much()

    async def change(self, table_id: UUID, sender: Sender, make: Make) -> RequestOutcome:
        """Change the table as it stands, whatever came before."""
        async with self._lock(table_id):
            for _ in range(TRIES):
                # A kept table may be out of date, and refuse what is allowed by now.
                table = await self.newest(table_id)
                done = await self._repeated(table_id, sender)
                outcome = done or await self._commit(make(table), sender)
                if outcome is not None:
                    return outcome
        raise _too_much()

    async def _try(self, table: Table, sender: Sender, make: Make) -> RequestOutcome | None:
        """The outcome of a change; None if the table is not the newest, or time was up."""
        try:
            made = make(table)
        except CartagenaError as error:
            done = await self._repeated(table.id, sender)
            if done is not None:
                return done
            newest = await self._load(table.id)
            if (newest.seq, newest.timeline) != (table.seq, table.timeline):
                return None
            raise self._with_current(error, newest, sender) from error
        return await self._commit(made, sender)

    async def _commit(self, change: Change, sender: Sender) -> RequestOutcome | None:
        if change.changes_nothing:
            return RequestOutcome(table=change.before)
        table_id = change.after.id
        try:
            times = await self._store.commit(change, sender)
        except BaseException:
            # What the store has now is unknown; the next request asks it.
            self._kept.pop(table_id, None)
            raise
        if times is None:
            self._kept.pop(table_id, None)
            return None
        after = replace(change.after, times=times)
        self._keep(after)
        made = frames(change, after)
        self._announce(change, after, made)
        return RequestOutcome(table=after, frames=made)

    def _announce(self, change: Change, after: Table, made: dict[int, bytes]) -> None:
        self._announcer.update(after, made)
        if after.bot_to_act is not None and change.settle:
            self._announcer.wake(after.id)
        for player in got_up(change):
            self._announcer.close(after.id, Problem.FORBIDDEN.code, player=player)
        if change.before.sheet.watchers != after.sheet.watchers:
            watched = change.before.sheet.watchers
            self._announcer.close(after.id, Problem.FORBIDDEN.code, audience=watched)

    # What came before.

    async def _repeated(self, table_id: UUID, sender: Sender) -> RequestOutcome | None:
        """The outcome if this very request was carried out before; raises KEY_REUSED if it was another's."""
        found = await self._store.find_key(table_id, sender.key)
        if found is None:
            return None
        if found[1] != sender.player:
            raise ServiceError(Problem.KEY_REUSED, "another player's request has this key")
        # Read after the key was found: an earlier read may be older than what the request did.
        return RequestOutcome(table=await self._load(table_id))

    async def _came_too_late(self, table: Table, seq: int, sender: Sender) -> RequestOutcome:
        done = await self._repeated(table.id, sender)
        if done is not None:
            return done
        if table.stood_at(seq):
            error = ServiceError(Problem.TOO_LATE, "the clock had run out")
        else:
            error = ServiceError(Problem.STALE, f"the table is at {table.seq}, not at {seq}")
        # A client that has seen a later seq saw events that a failover has undone.
        raise self._with_current(error, table, sender, anew=seq > table.seq)

    def _with_current(
        self, error: CartagenaError, table: Table, sender: Sender, *, anew: bool = False
    ) -> CartagenaError:
        """The error with the state of the table, if the sender has a seat to see it from."""
        seat = table.sheet.seat_of(sender.player)
        if seat is None:
            return error
        now = current(table, table.sheet.audience_of(seat))
        return WithCurrent(error, to_be_taken_anew(now) if anew else now)


def _too_much() -> ServiceError:
    return ServiceError(Problem.UNAVAILABLE, "too much happens at this table; try again", retry_after=1)


def got_up(change: Change) -> list[UUID]:
    """The players who no longer sit where they sat; their streams showed what that seat may know."""
    before, after = change.before.sheet, change.after.sheet
    if before is after:
        return []
    now = {(chair.player, after.audience_of(seat)) for seat, chair in enumerate(after.chairs)}
    return [
        chair.player
        for seat, chair in enumerate(before.chairs)
        if chair.player is not None and (chair.player, before.audience_of(seat)) not in now
    ]
