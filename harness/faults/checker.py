"""The checker: reads the store after the faults and reports what is wrong, whatever the service claims."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec

from cartagena.client.fairness import troubles_of
from cartagena.messages.tables import TableMessage
from cartagena.messages.updates import decode
from cartagena.notation import format_record, parse_record
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.server.store.shards import Pool
from cartagena.tables.frames import current
from cartagena.tables.records import whole_record
from cartagena.tables.sheet import Stage
from cartagena.tables.table import BESIDE_THE_GAME, EventKind
from harness.faults.sending import Ack, Answered, Fault, Refusal, Seen, Trouble
from harness.linearizability import BEGINNING, is_linearizable, table
from harness.replay import TOLERANCE, Replay, Row, Stored, Unplayable

Note = TypeVar("Note", Seen, Answered)

OVERDUE: Final = dt.timedelta(seconds=60)
"""How late a due task may be done on a busy machine whose workers were killed."""
FAR_AHEAD: Final = dt.timedelta(seconds=120)
"""A bot's choice that is due later than this is forgotten rather than claimed."""

GAMES: Final = """
SELECT g.*, t.sheet, t.secret, t.created_at
FROM shard.games g JOIN shard.tables t USING (game_id)
ORDER BY game_id
"""
EVENTS: Final = "SELECT * FROM shard.events ORDER BY game_id, seq"
LINES: Final = "SELECT * FROM shard.chat ORDER BY game_id, number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the store is compared with: what clients noted, which of them are still there, and until when.

    `as_of` is the moment by PostgreSQL's clock up to which the workers worked; `moving_since` is the moment
    since which every game that is not over must have seen an event, if there is one. `untold` are fields of a
    chair that a node of an earlier release did not tell: a client learns them with the table's next change.
    """

    acks: tuple[Ack, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    seen: tuple[Seen, ...] = ()
    answered: tuple[Answered, ...] = ()
    alive: frozenset[UUID] = frozenset()
    as_of: dt.datetime
    moving_since: dt.datetime | None = None
    untold: frozenset[str] = frozenset()


@dataclass(slots=True)
class Verdict:
    """What the checker found, and how much it looked at."""

    troubles: list[Trouble] = field(default_factory=list)
    games: Counter[str] = field(default_factory=Counter)
    events: int = 0
    expired: int = 0
    records: int = 0

    def count(self, fault: Fault) -> int:
        """How many troubles of a kind."""
        return sum(trouble.fault is fault for trouble in self.troubles)


async def check(databases: Databases, evidence: Evidence, stored: Mapping[UUID, Stored]) -> Verdict:
    """Look at every game of the store, as it was read."""
    verdict = Verdict()
    verdict.troubles += [*_acknowledged(stored, evidence.acks), *_denied(stored, evidence.refusals)]
    verdict.troubles += _disordered(evidence.answered)
    seen = _by_game(evidence.seen)
    store = Games(databases)
    for game in stored.values():
        verdict.games[game.sheet.ending or game.sheet.stage.name.lower()] += 1
        verdict.events += len(game.events)
        verdict.troubles += [*_numbered(game), *_stuck(game, evidence)]
        replay = Replay(game)
        try:
            replay.run()
        except Unplayable as error:
            verdict.troubles.append(Trouble(fault=Fault.BROKEN, game=game.id, sentence=str(error)))
            continue
        verdict.expired += replay.clocks.expired
        verdict.troubles += [
            *_replayed(game, replay),
            *_diverged(game, replay, seen[game.id], evidence.untold),
        ]
        if replay.game is not None:
            verdict.records += 1
            verdict.troubles += await _record(store, game, replay)
    return verdict


async def read_store(databases: Databases) -> dict[UUID, Stored]:
    """Every game of all databases."""
    return {game.id: game for pool in databases.shards() for game in await read_games(pool)}


async def read_games(pool: Pool) -> list[Stored]:
    """Every game of a database, all as of one moment."""
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        events, lines = _grouped(await connection.fetch(EVENTS)), _grouped(await connection.fetch(LINES))
        rows = await connection.fetch(GAMES)
    return [Stored.of(row, events.get(row["game_id"], []), lines.get(row["game_id"], [])) for row in rows]


def _grouped(rows: list[Row]) -> dict[UUID, list[Row]]:
    return {game: list(part) for game, part in groupby(rows, key=lambda row: row["game_id"])}


def _by_game(notes: Iterable[Note]) -> Mapping[UUID, list[Note]]:
    games: defaultdict[UUID, list[Note]] = defaultdict(list)
    for note in notes:
        games[note.game].append(note)
    return games


# --- Nothing lost, nothing twice -------------------------------------------------------------------


def _acknowledged(stored: Mapping[UUID, Stored], acks: Iterable[Ack]) -> Iterator[Trouble]:
    found = {(game.id, row["key"]): row for game in stored.values() for row in (*game.events, *game.lines)}
    for ack in set(acks):
        row = found.get((ack.game, ack.key))
        if row is None and ack.may_be_nothing:
            continue
        trouble = "is not there" if row is None else _differs(ack, row, stored[ack.game])
        if trouble:
            yield Trouble(fault=Fault.LOST, game=ack.game, sentence=f"acknowledged {ack.key} {trouble}")


def _denied(stored: Mapping[UUID, Stored], refusals: Iterable[Refusal]) -> Iterator[Trouble]:
    found = {(game.id, row["key"]): row["seq"] for game in stored.values() for row in game.events}
    for refusal in set(refusals):
        seq = found.get((refusal.game, refusal.key))
        if seq is not None:
            sentence = f"{refusal.verb} {refusal.key} was refused ({refusal.code}) and is event {seq}"
            yield Trouble(fault=Fault.DENIED, game=refusal.game, sentence=sentence)


def _differs(ack: Ack, row: Row, game: Stored) -> str | None:
    if ack.line is not None:
        return None if row.get("number") == ack.line else f"is not line {ack.line}"
    if ack.seq is not None and _stands_elsewhere(ack.seq, row["seq"], game):
        return f"has seq {row['seq']} instead of {ack.seq}"
    wanted = {"kind": ack.kind, "code": ack.code}
    wrong = [
        f"{name} {row.get(name)}" for name, value in wanted.items() if value not in (None, row.get(name))
    ]
    return f"has {', '.join(wrong)} instead of {ack.kind}, {ack.code}" if wrong else None


def _stands_elsewhere(wanted: int, seq: int, game: Stored) -> bool:
    """Whether a choice was logged in the wrong place; only events beside the game may come in between."""
    between = (event for event in game.events if wanted <= event["seq"] < seq)
    return seq < wanted or any(event["kind"] not in BESIDE_THE_GAME for event in between)


def _disordered(answered: Iterable[Answered]) -> Iterator[Trouble]:
    """Games whose answers no order of events explains, whatever the store says."""
    for game, operations in _by_game(answered).items():
        if not is_linearizable([one.told for one in operations], BEGINNING, table):
            yield Trouble(fault=Fault.ORDER, game=game, sentence=f"{len(operations)} answers have no order")


def _numbered(game: Stored) -> Iterator[Trouble]:
    """Numbers of events or chat lines that are missing, and keys that occur twice."""

    def doubled(sentence: str) -> Trouble:
        return Trouble(fault=Fault.DOUBLED, game=game.id, sentence=sentence)

    numbers = [row["seq"] for row in game.events]
    if numbers != list(range(game.row["seq"] + 1)):
        yield doubled(
            f"{len(numbers)} events up to {max(numbers, default=None)}, its row is at {game.row['seq']}"
        )
    lines = [row["number"] for row in game.lines]
    if lines != list(range(1, game.row["chat"] + 1)):
        yield doubled(f"{len(lines)} lines of chat, its row counts {game.row['chat']}")
    for rows in (game.events, game.lines):
        keys = Counter(row["key"] for row in rows)
        yield from (doubled(f"key {key} {times} times") for key, times in keys.items() if times > 1)


# --- The log leads to what is stored ---------------------------------------------------------------


def _replayed(game: Stored, replay: Replay) -> Iterator[Trouble]:
    for sentence in replay.differences():
        yield Trouble(fault=Fault.BROKEN, game=game.id, sentence=sentence)
    for sentence in (*replay.clocks.troubles, *_clock_of(game, replay)):
        yield Trouble(fault=Fault.CLOCK, game=game.id, sentence=sentence)


def _clock_of(game: Stored, replay: Replay) -> Iterator[str]:
    if game.sheet.stage is not Stage.RUNNING:
        return
    kept, due = game.row["deadline"], replay.clocks.deadline
    if (kept is None) != (due is None) or (kept and due and abs(kept - due) > TOLERANCE):
        yield f"its deadline is {kept}, by the log it is {due}"


async def _record(store: Games, game: Stored, replay: Replay) -> list[Trouble]:
    record = await whole_record(store, game.table(replay.game))
    wrong = troubles_of(parse_record(format_record(record)))
    return [Trouble(fault=Fault.RECORD, game=game.id, sentence=sentence) for sentence in wrong]


# --- Every client knows it -------------------------------------------------------------------------


def _diverged(
    game: Stored, replay: Replay, seen: Iterable[Seen], untold: frozenset[str]
) -> Iterator[Trouble]:
    table = game.table(replay.game)
    for one in seen:
        seat = game.sheet.seat_of(one.player)
        audience = game.sheet.watchers if seat is None else game.sheet.audience_of(seat)
        truth, told = decode(current(table, audience)), one.standing
        wrong = [
            name
            for name, known, true in (
                ("seq", told.seq, truth.seq),
                ("view", told.view, truth.view),
                ("wishes", told.wishes, truth.wishes),
                ("table", _as_told(told.table, untold), _as_told(truth.table, untold)),
                ("chat", one.chat, table.chat),
            )
            if known != true
        ]
        if wrong:
            sentence = f"seat {seat} was told {told.seq}.{one.chat}, the store is at {table.seq}.{table.chat}"
            yield Trouble(
                fault=Fault.DIVERGED, game=game.id, sentence=f"{sentence}: {', '.join(wrong)} differ"
            )


# Any: a table as JSON has it.
def _as_told(table: TableMessage | None, untold: frozenset[str]) -> Any:
    if table is None:
        return None
    told = msgspec.to_builtins(table)
    for chair in told["chairs"]:
        for name in untold:
            chair.pop(name, None)
    return told


# --- Every game goes on ----------------------------------------------------------------------------


def _stuck(game: Stored, evidence: Evidence) -> list[Trouble]:
    reasons = [*_nobody(game, evidence), *_still(game, evidence)]
    return [Trouble(fault=Fault.STUCK, game=game.id, sentence=reason) for reason in reasons]


def _nobody(game: Stored, evidence: Evidence) -> Iterator[str]:
    """Why a game would never continue: the player to act is gone, or no worker will ever look at it."""
    stage = game.sheet.stage
    if stage is Stage.OPEN and game.sheet.host not in evidence.alive:
        yield "it waits for a host who is gone"
    elif stage is Stage.STARTING and game.row["wake_at"] is None:
        yield "it is starting, and nobody will call that off"
    elif stage is Stage.RUNNING:
        yield from _nobody_to_act(game, evidence)


def _nobody_to_act(game: Stored, evidence: Evidence) -> Iterator[str]:
    sheet, wake_at, to_act = game.sheet, game.row["wake_at"], game.row["to_act"]
    if not 0 <= to_act < len(sheet.chairs):
        yield "it is running, and nobody is to act"
    elif sheet.chairs[to_act].bot is None:
        if sheet.chairs[to_act].player not in evidence.alive:
            yield f"seat {to_act} is to act, and its player is gone"
        if sheet.clock is not None:
            yield from _unwatched_clock(game, evidence)
    elif wake_at is None:
        yield f"a bot is to act on seat {to_act}, and no worker will look"
    elif not evidence.as_of - OVERDUE < wake_at < evidence.as_of + FAR_AHEAD:
        yield f"a bot is to act on seat {to_act}, due {wake_at}, and it is {evidence.as_of}"


def _unwatched_clock(game: Stored, evidence: Evidence) -> Iterator[str]:
    deadline, wake_at = game.row["deadline"], game.row["wake_at"]
    if deadline is None or wake_at is None:
        yield "a clock is running, and no worker will look when it runs out"
    elif deadline < evidence.as_of - OVERDUE:
        yield f"its clock ran out at {deadline}, and it is {evidence.as_of}"
    elif wake_at > max(deadline, evidence.as_of) + FAR_AHEAD:
        yield f"its clock runs out at {deadline}, and a worker looks at {wake_at}"


def _still(game: Stored, evidence: Evidence) -> Iterator[str]:
    """Report a game in which nothing happened although all was well."""
    # A start waits up to half a minute for the players' numbers; that is normal.
    rests = game.sheet.stage in (Stage.OVER, Stage.STARTING)
    if evidence.moving_since is None or rests or not game.events:
        return
    last = game.events[-1]
    if last["at"] < evidence.moving_since:
        seat, sheet = game.row["to_act"], game.sheet
        who = sheet.chairs[seat].bot or "a person" if seat >= 0 else "nobody"
        yield (
            f"nothing since event {last['seq']} ({EventKind(last['kind']).name}) at {last['at']}; "
            f"{who} is to act, the next wake is {game.row['wake_at']}"
        )
