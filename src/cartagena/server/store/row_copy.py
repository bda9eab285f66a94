"""Copying the rows of games from one database to another, in PostgreSQL's own form."""

from dataclasses import dataclass
from io import BytesIO
from typing import Final
from uuid import UUID

from cartagena.server.store.pool import Held, Pool

BEFORE_ALL: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A table of the shard; `number` is the column that counts a game's rows if rows are only ever added.

    `leaves_from` is the table from which its rows are read after a bucket has departed.
    """

    name: str
    number: str | None = None
    leaves_from: str | None = None

    @property
    def kept_in(self) -> str:
        """Where a bucket that left still has its rows."""
        return f"shard.{self.leaves_from or self.name}"

    def newest(self) -> str:
        """The statement for the last rows that a database has of some games."""
        return f"""
            SELECT game_id, max({self.number}) AS number FROM shard.{self.name}
            WHERE game_id = ANY ($1::uuid[]) GROUP BY game_id
        """  # noqa: S608  # our own names

    def rows(self) -> str:
        """The statement for the rows of some games, each after a number."""
        after = "" if self.number is None else f"AND r.{self.number} > wanted.after"
        return f"""
            SELECT r.* FROM unnest($1::uuid[], $2::int[]) AS wanted (game_id, after)
            JOIN {self.kept_in} r ON r.game_id = wanted.game_id {after}
        """  # noqa: S608  # our own names

    def deletion(self) -> str:
        """The statement that deletes the rows of some games."""
        return f"DELETE FROM {self.kept_in} WHERE game_id = ANY ($1::uuid[])"  # noqa: S608  # our own names


COPIED: Final = (
    Copied(name="events", number="seq"),
    Copied(name="chat", number="number"),
    Copied(name="tables"),
    Copied(name="records"),
    Copied(name="games", leaves_from="leaving"),
)
"""Everything that a shard keeps of a game; the row by which the game is found comes last."""


async def copy_rows(table: Copied, ids: list[UUID], source: Pool, target: "Pool | Held") -> None:
    """Copy those rows of some games that the target does not have yet."""
    after = dict.fromkeys(ids, BEFORE_ALL)
    if table.number is not None:
        after |= {row["game_id"]: row["number"] for row in await target.fetch(table.newest(), ids)}
    rows = BytesIO()
    await source.copy_from_query(table.rows(), ids, list(after.values()), output=rows, format="binary")
    rows.seek(0)
    await target.copy_to_table(table.name, schema_name="shard", source=rows, format="binary")
