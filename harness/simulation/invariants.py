"""The laws: what must hold after a run, whatever went wrong in it."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from cartagena.fairness.shuffle import opening
from cartagena.rules.refusals import CartagenaError
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.store.databases import AWAY
from cartagena.server.store.rows import past_of, table_of
from cartagena.server.store.snapshot import pack
from cartagena.server.store.statements import COMMIT
from cartagena.tables.frames import current, redo
from cartagena.tables.seating import shuffle_of
from cartagena.tables.sheet import Stage
from cartagena.tables.table import BESIDE_THE_GAME, EventKind, Table
from harness.linearizability import BEGINNING, Operation, Told, is_linearizable
from harness.linearizability import table as step
from harness.simulation.database import Database
from harness.simulation.fault_injector import where_is
from harness.simulation.game_statements import WISH, load
from harness.simulation.history import Request
from harness.simulation.people import Person, SeenUpdate
from harness.simulation.rows import Asked, Row
from harness.simulation.world import World

LONGEST_PAUSE: Final = dt.timedelta(seconds=60)
"""How long a game may be left alone after workers failed or were lost while handling it."""
TOLD_WITHIN: Final = dt.timedelta(seconds=8)
"""How long until every stream has been told: nodes ask the store every five seconds."""
DUE_WITHIN: Final = dt.timedelta(seconds=6)
"""How long until a game that is due has been claimed: workers look every second."""


def check(world: World, people: Sequence[Person]) -> None:
    """Note every law that was broken in the history of a world."""
    for table_id in world.tables:
        places = where_is(world, table_id)
        if len(places) != 1:
            world.history.violate(f"a table is in {len(places)} databases")
            continue
        database = world.databases[places[0]]
        if table_id not in database.rows.tables:
            world.history.violate("a game has no table")
            continue
        log = database.rows.events[table_id]
        mine = [person for person in people if person.table_id == table_id]
        players = {person.player for person in mine}
        _check_numbers(world, log)
        requests = [one for one in world.history.requests.values() if one.player in players]
        _check_requests(world, requests, log)
        _check_answers(world, table_id, requests)
        _check_lines(world, database.rows.chat.get(table_id, ()), players)
        table = _stored(database, table_id)
        moments = _replayed(world, table, log)
        if moments is not None:
            _check_told(world, table, moments, mine)
        _check_clocks(world, database, table, log)
        for person in mine:
            _check_stream(world, database, person, log)
    _check_banks(world)
    for trouble in {*world.loop.troubles, *world.loop.failed_tasks(CartagenaError, *AWAY)}:
        world.history.violate(f"nobody handled this: {trouble}")


def _check_numbers(world: World, log: Sequence[Row]) -> None:
    if [event["seq"] for event in log] != list(range(len(log))):
        world.history.violate("the numbers of a log have a gap, or one comes twice")


def _check_requests(world: World, requests: Sequence[Request], log: Sequence[Row]) -> None:
    """Every acknowledged request is in the log once, with what was asked; none that was refused is."""
    by_key = defaultdict(list)
    for event in log:
        by_key[event["key"]].append(event)
    for request in requests:
        events = by_key[request.key]
        if len(events) > 1:
            world.history.violate(f"a request to {request.what} counted {len(events)} times")
        if request.verdict == "refused" and events:
            world.history.violate(f"a request to {request.what} counted though it was refused")
    done = [one for one in requests if one.what == "act" and one.verdict == "done"]
    for request in done:
        if not by_key[request.key]:
            world.history.violate("an acknowledged action is lost")
        elif by_key[request.key][0]["code"] != request.code:
            world.history.violate("another action than the acknowledged one is in the log")


def _check_answers(world: World, table_id: UUID, requests: Sequence[Request]) -> None:
    """Some order of events explains all answers, whatever the log says."""
    if world.history.undone[table_id]:
        return  # what was seen and not yet acknowledged may be gone
    done = [one for one in requests if one.what == "act" and one.verdict == "done"]
    told = [(one, Told(upon=one.upon)) for one in done]
    told += [(one, Told(at=one.at)) for one in requests if one.at is not None]
    operations = [Operation(done=what, asked=one.asked, answered=one.answered) for one, what in told]
    if not is_linearizable(operations, BEGINNING, step):
        world.history.violate("answers that no order of events explains")


def _check_lines(world: World, lines: Sequence[Row], players: set[UUID]) -> None:
    keys = [line["key"] for line in lines]
    if len(set(keys)) != len(keys):
        world.history.violate("a line of chat was said twice")
    done = [one for one in world.history.requests.values() if one.what == "say" and one.verdict == "done"]
    if any(one.player in players and one.key not in set(keys) for one in done):
        world.history.violate("an acknowledged line of chat is lost")


def _stored(database: Database, table_id: UUID) -> Table:
    beside = sorted(BESIDE_THE_GAME)
    (row,) = load(Asked(database.rows, database.now(), (table_id, beside)))
    return table_of(table_id, row)  # type: ignore[arg-type]


def _replayed(world: World, table: Table, log: Sequence[Row]) -> dict[int, UndoableGame] | None:
    """The game after each event, from the deal on; the last one must be the stored one."""
    game: UndoableGame | None = None
    moments = {}
    for event in log:
        past = past_of(event)  # type: ignore[arg-type]
        if past.kind is EventKind.BEGAN:
            game = UndoableGame(opening(shuffle_of(table), table.sheet.rules, len(table.sheet.chairs)))
        elif game is not None:
            game = game.fork()
            redo(game, past)
        if game is not None:
            moments[past.seq] = game
    if game is None or table.game is None or pack(game.position) != pack(table.game.position):
        world.history.violate("the log leads to another position than the stored one")
        return None
    return moments


def _check_told(
    world: World, table: Table, moments: dict[int, UndoableGame], people: Sequence[Person]
) -> None:
    """Everything that any node showed agrees with the log, except what a failover undid."""
    for (table_id, audience, seq), views in world.history.told.items():
        if table_id == table.id and seq not in world.history.undone[table_id]:
            shown = _shown_at(table, moments, audience, seq)
            if any(view != shown for view in views):
                world.history.violate("a view was shown that the log does not lead to")
    for person in people:
        assert person.audience is not None
        if person.seen.view != _shown_at(table, moments, person.audience, person.seen.seq):
            world.history.violate("somebody still looks at what never came to be")


def _shown_at(table: Table, moments: dict[int, UndoableGame], audience: int, seq: int) -> bytes | None:
    """What an audience sees after an event, None if there is no such event."""
    if seq not in moments:
        return b"null" if seq <= table.seq else None
    sheet = table.sheet
    if seq < table.seq and sheet.stage is Stage.OVER:
        sheet = replace(sheet, stage=Stage.RUNNING)
    update = current(replace(table, seq=seq, sheet=sheet, game=moments[seq]), audience)
    return bytes(msgspec.json.decode(update, type=SeenUpdate).view)


def _check_clocks(world: World, database: Database, table: Table, log: Sequence[Row]) -> None:
    lost: set[int] = set()
    for event in log:
        if event["kind"] == EventKind.EXPIRED:
            if event["seat"] in lost:
                world.history.violate("a clock ran out twice")
            lost.add(event["seat"])
        elif event["kind"] == EventKind.TAKEN_BACK:
            lost.discard(event["seat"])
    game = database.rows.games[table.id]
    wake_at, is_running = game["wake_at"], game["stage"] == Stage.RUNNING
    if is_running and wake_at is None and (game["deadline"] or table.bot_to_act):
        world.history.violate("something is due and nobody will ever come")
    if is_running and wake_at is not None and table.bot_to_act and wake_at > database.now() + LONGEST_PAUSE:
        world.history.violate("something is due and nobody comes for long")
    if is_running and wake_at is not None and wake_at < database.now() - DUE_WITHIN:
        world.history.violate("something was due and nobody came")


def _check_banks(world: World) -> None:
    """No bank of time grows by more than the clock gives."""
    known: dict[UUID, tuple[int, list[int]]] = {}
    for heard in world.heard:
        if heard.statement == COMMIT and not isinstance(heard.answer, str):
            wishes = [dict(zip(WISH, wish, strict=True)) for wish in zip(*heard.args, strict=True)]
            given = {wish["game_id"]: wish for wish in wishes}
            for row in heard.answer:
                wish = given[row["game_id"]]
                seq, banks = known.get(row["game_id"], (-1, []))
                is_next = seq == wish["seq"] and wish["refill"] is None and wish["reset"] is None
                if is_next and any(
                    new > old + wish["increment"] for new, old in zip(row["banks"], banks, strict=True)
                ):
                    world.history.violate("a clock ran backwards")
                known[row["game_id"]] = (wish["seq"] + 1, row["banks"])


def _check_stream(world: World, database: Database, person: Person, log: Sequence[Row]) -> None:
    """Every stream has told everything up to a few seconds ago."""
    until = database.now() - TOLD_WITHIN
    old = max((event["seq"] for event in log if event["at"] <= until), default=0)
    if person.seen.place is None or person.seen.place[0] < old:
        world.history.violate("a stream is behind though all is well")
    if person.seen.place is not None and person.seen.place[0] > log[-1]["seq"]:
        world.history.violate("a stream is ahead of the log")
