"""What must hold after whole games over HTTP: results, records and ratings."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final
from uuid import UUID

from cartagena.client.stream import Told, is_whole
from cartagena.fairness import Kept
from cartagena.fairness.record import verify_record
from cartagena.messages import ChatMessage, Update, decode
from cartagena.notation import Record, format_record, parse_record, replay
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.server.store.shards import Pool
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.frames import chat_message, frames_since
from cartagena.tables.ports import Past
from cartagena.tables.records import whole_record
from cartagena.tables.sheet import Stage
from cartagena.tables.table import EventKind, Table
from harness.play.clients import FAREWELL
from harness.play.game import Heard, Played
from harness.play.secrets import Search
from harness.play.traces import Secrets
from harness.play.truth import Logged, Truth

PAUSE: Final = 0.5
LOOKS: Final = 120
"""The workers may take a minute to tell the directory of the last game."""

CHANGES: Final = """
SELECT game_id, count(*) AS changes, count(DISTINCT player_id) AS players FROM directory.rating_changes
WHERE game_id = ANY($1) GROUP BY game_id
"""
STRANGERS: Final = "SELECT count(*) FROM directory.rating_changes WHERE NOT game_id = ANY($1)"
RESULTS: Final = "SELECT game_id, rated FROM directory.results WHERE game_id = ANY($1)"
COUNTED: Final = "SELECT coalesce(sum(games), 0) FROM directory.ratings"


@dataclass(frozen=True, slots=True)
class Ratings:
    """How many rated games were rated once for each of their players, and what is wrong."""

    once: int
    troubles: tuple[str, ...]


async def settled_ratings(directory: Pool, rated: Mapping[str, int]) -> Ratings:
    """Wait until every rated game has been rated, or until patience ends; `rated` has their seats."""
    ratings = await look_at_ratings(directory, rated)
    for _ in range(LOOKS):
        if not ratings.troubles:
            break
        await asyncio.sleep(PAUSE)
        ratings = await look_at_ratings(directory, rated)
    return ratings


async def look_at_ratings(directory: Pool, rated: Mapping[str, int]) -> Ratings:
    """How the ratings are now."""
    games = [UUID(game) for game in rated]
    rows = await directory.fetch(CHANGES, games)
    changes = {str(row["game_id"]): (row["changes"], row["players"]) for row in rows}
    results = {str(row["game_id"]): row["rated"] for row in await directory.fetch(RESULTS, games)}
    right = [game for game, seats in rated.items() if changes.get(game) == (seats, seats)]
    troubles = [f"game {game} was not rated once for each seat" for game in rated if game not in right]
    troubles += [f"game {game} has no rated result" for game in rated if not results.get(game)]
    if strangers := await directory.fetchval(STRANGERS, games):
        troubles.append(f"{strangers} changes of ratings by games that are not rated")
    counted, wanted = await directory.fetchval(COUNTED), sum(rated.values())
    if counted != wanted:
        troubles.append(f"the ratings count {counted} games instead of {wanted}")
    return Ratings(len(right), tuple(troubles))


"""How many exchanges are tried for one twin of a record."""


PROGRAM: Final = "cartagena play over http"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of checking a game."""

    plan_number: int
    ending: str | None
    events: int = 0
    actions: int = 0
    streams: int = 0
    updates: int = 0
    leaks: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    secrets: Secrets = field(default_factory=Secrets, repr=False)


def check_game(settings: Settings, played: Played) -> Verdict:
    """Check a game; the settings tell where the store is."""
    return asyncio.run(checked(settings, played))


async def checked(settings: Settings, played: Played) -> Verdict:
    """Check a game within a running event loop."""
    async with _store(settings) as store:
        table = await store.load(UUID(played.table_id)) if played.table_id else None
        if table is None or table.sheet.stage is not Stage.OVER or played.troubles:
            ending = None if table is None else table.sheet.stage.name
            told = played.troubles or (f"the table is {ending}",)
            return Verdict(plan_number=played.plan.number, ending=None, troubles=told)
        return await _Check(store, table, played).verdict()


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[Games]:
    databases = await Databases.open(settings, program=PROGRAM)
    try:
        yield Games(databases)
    finally:
        await databases.close()


class _Check:
    """One game, its log and its chat."""

    def __init__(self, store: Games, table: Table, played: Played) -> None:
        self.store = store
        self.table = table
        self.played = played

    async def verdict(self) -> Verdict:
        log = await self.store.past(self.table.id, -1)
        chat = tuple(map(chat_message, await self.store.chat(self.table.id, 0)))
        troubles = list(_of_log(log, self.table))
        troubles += await self._of_record()
        for heard in self.played.clients:
            troubles += await self._of_stream(heard, chat)
        record = parse_record(self.played.clients[0].record)
        secrets = self._secrets(record)
        searches = [
            self._search(heard, truth_of(record, log), secrets, chat) for heard in self.played.clients
        ]
        leaks = [leak for search in searches for leak in search.leaks()]
        return Verdict(
            plan_number=self.played.plan.number,
            ending=self.table.sheet.ending,
            events=len(log),
            actions=sum(past.kind is EventKind.ACTED for past in log),
            streams=len(self.played.clients),
            updates=sum(search.updates for search in searches),
            leaks=tuple(leaks),
            troubles=tuple(troubles),
            secrets=secrets,
        )

    # The record.

    async def _of_record(self) -> list[str]:
        text = format_record(await whole_record(self.store, self.table))
        record = parse_record(text)
        troubles = [
            f"{heard.listener.name} was given another record"
            for heard in self.played.clients
            if heard.record != text
        ]
        report = verify_record(record, Kept(commitment=self.table.sheet.commitment))
        if not report.holds:
            troubles.append(f"the record does not hold: {report}")
        if replay(record).position.ending != (self.table.position and self.table.position.ending):
            troubles.append("the record ends otherwise than the table")
        return troubles

    # The streams.

    async def _of_stream(self, heard: Heard, chat: Sequence[ChatMessage]) -> list[str]:
        seat = heard.listener.seat
        audience = SPECTATOR if seat is None else self.table.sheet.audience_of(seat)
        stored = {
            missed.seq: decode(missed.frame)
            for missed in await frames_since(self.store, self.table, audience, -1)
        }
        name = heard.listener.name
        return [f"{name}: {trouble}" for trouble in compare(heard.told, stored, chat)]

    # Secrets.

    def _secrets(self, record: Record) -> Secrets:
        secrets = secrets_of(self.table, record)
        for heard in self.played.clients:
            assert heard.listener.token is not None
            secrets.add_text("a token", heard.listener.token)
        return secrets

    def _search(self, heard: Heard, truth: Truth, secrets: Secrets, chat: tuple[ChatMessage, ...]) -> Search:
        return Search(truth, heard.listener, secrets, chat, Random(self.played.plan.number))


def truth_of(record: Record, log: Sequence[Past]) -> Truth:
    """Every moment of a game that is over, from its record and its log in the store."""
    dealt = next(past.seq for past in log if past.kind is EventKind.BEGAN)
    events = [
        Logged(
            seq=past.seq,
            code=past.code if past.kind is EventKind.ACTED else None,
            orders=past.orders,
            undone=past.kind is EventKind.UNDONE,
        )
        for past in log
    ]
    return Truth(record, events, dealt_at=dealt)


def secrets_of(table: Table, record: Record) -> Secrets:
    """What no one could read before the end of this game."""
    secrets = Secrets()
    secrets.add_bytes("the secret of the shuffle", table.secret)
    for chair in table.sheet.chairs:
        if chair.nonce is not None:
            secrets.add_bytes("a number for the shuffle", bytes.fromhex(chair.nonce))
    secrets.add_game(replay(record))
    return secrets


def _of_log(log: Sequence[Past], table: Table) -> Iterator[str]:
    if [past.seq for past in log] != list(range(table.seq + 1)):
        yield "the log of the store has a gap"
    keys = [past.key for past in log if past.kind is EventKind.ACTED]
    if len(set(keys)) != len(keys):
        yield "a choice was carried out twice"


def compare(told: Sequence[Told], stored: dict[int, Update], chat: Sequence[ChatMessage]) -> Iterator[str]:
    """How what a client heard differs from the log of the store, seen through its view."""
    updates = [one for one in told if isinstance(one, Update)]
    lines = [one for one in told if isinstance(one, ChatMessage)]
    if not updates:
        yield "it heard nothing"
        return
    first, last = updates[0].seq, max(stored)
    if [one.seq for one in updates] != list(range(first, last + 1)):
        yield f"it heard the updates {[one.seq for one in updates]} of {first} to {last}"
    yield from (
        f"update {one.seq} is not the one of the store"
        for one in updates
        if one.seq not in stored or not is_same(one, stored[one.seq])
    )
    if not any(line.text == FAREWELL for line in lines):
        yield "it left before the farewell"
    elif lines != [line for line in chat if lines[0].number <= line.number <= lines[-1].number]:
        yield "it heard another chat than the store has"


def is_same(told: Update, stored: Update) -> bool:
    """Whether an update matches the store's, except for what no log keeps: clocks, and the table around.

    Of the whole state that begins a stream, only the view is compared. Where the store's update includes the
    table, it shows the table of now; and a table that is over offers no wishes.
    """
    if is_whole(told):
        return told.view == stored.view
    names = ("seq", "news", "happened", "view", *(("wishes",) if stored.table is None else ()))
    return all(getattr(told, name) == getattr(stored, name) for name in names)
