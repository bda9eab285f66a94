"""Matchmaking: a seat at a quick table that waits for players, or a new table; it starts when it is full."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID, uuid5

from asyncpg import Pool

from cartagena.fairness import commit
from cartagena.notation.position_text import format_ruleset
from cartagena.rules.ruleset import MOST_SEATS, Ruleset
from cartagena.server.lobby.listings import SummarySource, people_of, quick_table
from cartagena.server.lobby.repair import tell
from cartagena.tables.creating import NewTable
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Sender, ServiceStore
from cartagena.tables.seating import Sitter, Terms, open_sheet, sit, start
from cartagena.tables.service import Make, Tables
from cartagena.tables.sheet import SECOND, Clock, Sheet, Stage
from cartagena.tables.table import Change, Table

CLOCK: Final = Clock(kind="live", bank=300 * SECOND, increment=15 * SECOND)
"""Five minutes plus fifteen seconds for each turn: a game with strangers is played in one sitting."""

ALREADY: Final = frozenset({Problem.WRONG_STAGE, Problem.NOT_FULL})


def quick_terms(ruleset: Ruleset, seats: int) -> Terms:
    """The terms of a quick table: casual, with a clock, and everybody may watch."""
    return Terms(
        ruleset=ruleset,
        seats=seats,
        clock=CLOCK,
        listed=True,
        rated=False,
        spectators=True,
        quick=True,
    )


def starts_by_itself(sheet: Sheet) -> bool:
    """Whether a quick table is full and may start.

    After a start that was called off it waits until every person has promised a number again: a player who
    does not is probably gone, and the host may send them away.
    """
    if not sheet.quick or sheet.stage is not Stage.OPEN or any(chair.is_open for chair in sheet.chairs):
        return False
    return not sheet.called_off or all(chair.nonce_hash for chair in sheet.chairs if chair.player)


async def start_if_full(tables: Tables, game_id: UUID, sheet: Sheet) -> Table | None:
    """Start a quick table that is full; None if it does not start, or was started by another request."""
    if not starts_by_itself(sheet):
        return None
    # The same start has the same key, whichever process makes it, so it happens only once.
    sender = Sender(player=None, key=uuid5(game_id, f"start {sheet.starts}"))
    try:
        return (await tables.change(game_id, sender, _start)).table
    except ServiceError as error:
        if error.problem not in ALREADY:
            raise
        return None


def _start(table: Table) -> Change:
    if not starts_by_itself(table.sheet):
        raise ServiceError(Problem.WRONG_STAGE, "this table does not start by itself")
    return start(table)


MOST_TAKEN: Final = 10
"""Attempts at waiting tables, each taken by others first, before the player gets a table of their own."""

TRIES: Final = 2 * MOST_TAKEN

FIND: Final = "SELECT game_id FROM directory.creations WHERE player_id = $1 AND key = $2"

CLAIM: Final = """
INSERT INTO directory.creations (player_id, key, game_id) VALUES ($1, $2, $3)
ON CONFLICT (player_id, key) DO UPDATE SET key = excluded.key
RETURNING game_id
"""

# Only a request that saw the last table fail may name the next, so repeats look at the same tables.
MOVE: Final = """
UPDATE directory.creations SET game_id = CASE WHEN game_id = $3 THEN $4 ELSE game_id END
WHERE player_id = $1 AND key = $2
RETURNING game_id
"""

TAKEN: Final = frozenset({Problem.SEAT_TAKEN, Problem.WRONG_STAGE, Problem.KICKED})
"""Reasons to look for another table; no other error proves that the player has no seat at this one."""


class BlockLists(Protocol):
    """Which players have blocked which."""

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:
        """Whether the player has blocked one of the others, or one of them has blocked the player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchWish:
    """Who wants to play what, and the key of the request."""

    sitter: Sitter
    ruleset: Ruleset
    seats: int
    key: UUID

    @property
    def sender(self) -> Sender:
        """The request as it is stored in the log of a table."""
        return Sender(player=self.sitter.player, key=self.key)

    def fits(self, sheet: Sheet) -> bool:
        """Whether this table has the terms that were asked for."""
        terms = quick_terms(self.ruleset, self.seats)
        found = (sheet.quick, sheet.ruleset, len(sheet.chairs), sheet.clock, sheet.rated, sheet.listed)
        rules = format_ruleset(self.ruleset)
        return found == (True, rules, terms.seats, terms.clock, terms.rated, terms.listed)

    def sitting_with(self, strangers: Sequence[UUID]) -> Make:
        """Sit down at such a table; raises STALE if people sit there who were not checked for blocks."""

        def make(table: Table) -> Change:
            if not self.fits(table.sheet):
                raise ServiceError(Problem.WRONG_STAGE, "this is not the table that was looked for")
            if not frozenset(people_of(table.sheet)) - {self.sitter.player} <= frozenset(strangers):
                raise ServiceError(Problem.STALE, "somebody else has come")
            return sit(table, self.sitter, None)

        return make


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Brings together players who want the same game.

    The directory remembers for each request the table at which it is about to sit down. A repeated request
    continues from there, so it ends at the same table, however often it was interrupted.
    """

    directory: Pool
    source: SummarySource
    tables: Tables
    store: ServiceStore
    blocks: BlockLists

    async def find(self, wish: MatchWish, made: NewTable) -> Table:
        """Sit down at a table that waits, or at the new one; a repeated wish returns the same table."""
        player, tried = wish.sitter.player, list[UUID]()
        place = await self._first(wish, made)
        for _ in range(TRIES):
            table = await self._seated_at(place, wish, made)
            if table is not None:
                table = await start_if_full(self.tables, table.id, table.sheet) or table
            await self._tell(place)
            if table is not None:
                return table
            tried.append(place)
            following = await self._next(wish, tried, made)
            place = await self.directory.fetchval(MOVE, player, wish.key, place, following)
        raise ServiceError(Problem.UNAVAILABLE, "too many look for a table at once; try again", retry_after=1)

    async def _first(self, wish: MatchWish, made: NewTable) -> UUID:
        player = wish.sitter.player
        place: UUID | None = await self.directory.fetchval(FIND, player, wish.key)
        if place is None:
            place = await self.directory.fetchval(CLAIM, player, wish.key, await self._next(wish, [], made))
        assert place is not None, "a claim returns what was claimed"
        return place

    async def _next(self, wish: MatchWish, tried: list[UUID], made: NewTable) -> UUID:
        if len(tried) >= MOST_TAKEN:
            return made.id
        rules = format_ruleset(wish.ruleset)
        waiting = await quick_table(
            self.directory, wish.sitter.player, rules=rules, seats=wish.seats, clock=CLOCK, tried=tried
        )
        return waiting or made.id

    async def _seated_at(self, place: UUID, wish: MatchWish, made: NewTable) -> Table | None:
        """The table with the player seated; None if it has no seat for them."""
        if await self.store.seq_of(place) is None:
            return await self._opened(place, wish, made)
        for _ in range(MOST_SEATS):
            table = await self.tables.newest(place)
            strangers = people_of(table.sheet)
            if wish.sitter.player in strangers or await self._was_here(place, wish):
                return table
            if await self.blocks.any_between(wish.sitter.player, list(strangers)):
                return None
            try:
                return (await self.tables.change(place, wish.sender, wish.sitting_with(strangers))).table
            except ServiceError as error:
                if error.problem in TAKEN:
                    return None
                if error.problem is not Problem.ALREADY_SEATED and error.problem is not Problem.STALE:
                    raise
        return None

    async def _was_here(self, place: UUID, wish: MatchWish) -> bool:
        """Whether this very request was carried out here, even if the player has left since."""
        found = await self.store.find_key(place, wish.key)
        return found is not None and found[1] == wish.sitter.player

    async def _opened(self, place: UUID, wish: MatchWish, made: NewTable) -> Table:
        terms = quick_terms(wish.ruleset, wish.seats)
        sheet = open_sheet(terms, wish.sitter, invite=made.invite, commitment=commit(made.secret))
        await self.store.open(place, sheet, made.secret, wish.sender)
        return await self.tables.newest(place)

    async def _tell(self, place: UUID) -> None:
        """Let the next player who looks find the table as it is, before a worker tells everybody the news."""
        for standing in await self.source.standings([place]):
            await tell(self.directory, standing)
