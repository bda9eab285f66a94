"""Open data: the finished public games whose every player agreed to give them away, without names."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final
from uuid import UUID

from asyncpg import Pool
from asyncpg import Record as Row
from msgspec import MsgspecError

from cartagena.fairness.record import verify_record
from cartagena.notation import format_record, parse_record
from cartagena.notation.record import Record
from cartagena.rules.refusals import CartagenaError
from cartagena.tables.ports import Store
from cartagena.tables.records import whole_record
from cartagena.tables.table import Table

BATCH: Final = 200

PERSON: Final = "person"
"""What every person is called in open data; a bot of the service is called by its level."""
PROGRAM: Final = "program"
"""What every account of a bot is called: a program of a player, which is no level of the service."""

# A player who left for good has agreed to nothing, whatever the row says. For a bot its owner agrees.
_WILLING: Final = """
directory.players AS seated
LEFT JOIN directory.bots ON bots.bot_id = seated.player_id
JOIN directory.players AS asked ON asked.player_id = coalesce(bots.owner_id, seated.player_id)
WHERE asked.open_data AND asked.deleted_at IS NULL AND seated.deleted_at IS NULL
"""

NEXT: Final = f"""
SELECT game_id, rated, players, levels, lost, ARRAY(
    SELECT EXISTS (SELECT FROM directory.bots WHERE bot_id = sat.player_id)
    FROM unnest(players) WITH ORDINALITY AS sat (player_id, seat) ORDER BY seat
) AS programs
FROM directory.results
WHERE game_id > $1 AND listed AND array_remove(players, NULL) <> '{{}}' AND NOT EXISTS (
    SELECT FROM unnest(players) AS sat (player_id)
    WHERE sat.player_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM {_WILLING} AND seated.player_id = sat.player_id)
)
ORDER BY game_id LIMIT $2
"""  # noqa: S608  # our own words

AGREED: Final = f"SELECT seated.player_id FROM {_WILLING} AND seated.player_id = ANY ($1::uuid[])"  # noqa: S608  # our own words

_ODD: Final = (
    CartagenaError,
    MsgspecError,
    ArithmeticError,
    AssertionError,
    LookupError,
    TypeError,
    ValueError,
)
"""What reading and replaying a game raises where its rows are of another version, or damaged."""


class Withheld(StrEnum):
    """Why a game is not given away although all who sat at its end agreed."""

    NOT_WATCHED = "closed to spectators"
    OTHERS_PLAYED = "somebody who played for a while has not agreed"
    UNPROVED = "not proved by its record"
    UNREADABLE = "not readable by this version of Cartagena, or damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGame:
    """A game to give away; `text` is its record, which was read back and verified."""

    game_id: UUID
    rated: bool
    lost: tuple[bool, ...]
    record: Record
    text: str


async def open_games(
    directory: Pool, store: Store, *, batch: int = BATCH
) -> AsyncIterator[OpenGame | Withheld]:
    """Every game that may be given away, in the order in which the tables were opened."""
    last = UUID(int=0)
    while rows := await directory.fetch(NEXT, last, batch):
        last = rows[-1]["game_id"]
        for row in rows:
            opened = await _tried(directory, store, row)
            if opened is not None:
                yield opened


async def _tried(directory: Pool, store: Store, row: Row) -> OpenGame | Withheld | None:
    try:
        table = await store.load(row["game_id"])
        return None if table is None else await _opened(directory, store, table, row)
    except _ODD:
        # A game of newer rules, or a damaged log, is no reason to give away no other.
        return Withheld.UNREADABLE


async def _opened(directory: Pool, store: Store, table: Table, row: Row) -> OpenGame | Withheld:
    if not table.sheet.spectators:
        return Withheld.NOT_WATCHED
    # A seat may have had another player before, whom the result does not name.
    acted = {past.player for past in await store.past(table.id, -1) if past.code is not None}
    if not await _all_agree(directory, acted - {None}):
        return Withheld.OTHERS_PLAYED
    record = await whole_record(store, table)
    headers = replace(record.headers, names=_names(row))
    text = format_record(replace(record, headers=headers))
    told = parse_record(text)
    report = verify_record(told)
    if report.hidden or not report.holds:
        return Withheld.UNPROVED
    return OpenGame(game_id=table.id, rated=row["rated"], lost=tuple(row["lost"]), record=told, text=text)


def _names(row: Row) -> tuple[str, ...]:
    chairs = zip(row["levels"], row["programs"], strict=True)
    return tuple(level or (PROGRAM if is_program else PERSON) for level, is_program in chairs)


async def _all_agree(directory: Pool, players: Iterable[UUID | None]) -> bool:
    asked = list(players)
    return len(await directory.fetch(AGREED, asked)) == len(asked)
