"""The checker of `make faults` is proved here: it finds every fault that is planted, and nothing else."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from uuid import uuid4

import pytest
from msgspec.structs import replace as with_fields

from cartagena.client.table_state import TableState
from cartagena.messages.updates import decode
from cartagena.rules.legality import legal
from cartagena.server.store.databases import Databases
from cartagena.server.store.shards import Pool
from cartagena.tables import playing
from cartagena.tables.chat import say
from cartagena.tables.frames import current
from cartagena.tables.ports import ChatLine, Sender
from cartagena.tables.seating import Terms
from cartagena.tables.sheet import Clock
from cartagena.tables.table import EventKind, Table
from harness.faults.checker import Evidence, Verdict, check, read_store
from harness.faults.sending import Ack, Answered, Fault, Refusal, Seen
from harness.linearizability import Operation, Told
from tests.server.tables_world import LIVE, PLAYERS, World, terms

ACTIONS = 12


async def judged(databases: Databases, evidence: Evidence) -> Verdict:
    return await check(databases, evidence, await read_store(databases))


@dataclass
class Played:
    """A game with everything that honest clients would have written down."""

    world: World
    table: Table
    acks: list[Ack]
    seen: list[Seen]

    @property
    def pool(self) -> Pool:
        """The database of the game."""
        return self.world.databases.shard_of(self.table.id)

    async def run(self, statement: str, *values: object) -> None:
        """Plant something: `$1` is the game."""
        result = await self.pool.execute(statement, self.table.id, *values)
        assert not result.endswith(" 0"), "nothing was planted"

    async def verdict(
        self, *, moving_since: dt.datetime | None = None, untold: frozenset[str] = frozenset()
    ) -> Verdict:
        """What the checker says."""
        evidence = Evidence(
            acks=tuple(self.acks),
            seen=tuple(self.seen),
            alive=frozenset(player.id for player in PLAYERS),
            as_of=await self.pool.fetchval("SELECT now()"),
            moving_since=moving_since,
            untold=untold,
        )
        return await judged(self.world.databases, evidence)

    async def faults(self) -> set[Fault]:
        """What kinds of trouble the checker finds."""
        return {trouble.fault for trouble in (await self.verdict()).troubles}


async def played(world: World, terms: Terms, actions: int = ACTIONS) -> Played:
    """Play on a little, writing everything down."""
    table, chance = await world.started(terms), Random(1)
    acks = []
    for _ in range(actions):
        assert table.position is not None
        code, key = chance.choice(legal(table.position)), uuid4()
        table = await world.act(table, code, key)
        acks.append(Ack(game=table.id, key=key, seq=table.seq, kind=EventKind.ACTED, code=code))
    return Played(world=world, table=table, acks=acks, seen=seen_of(table))


def seen_of(table: Table) -> list[Seen]:
    """What the seats of a table know if they were told everything."""
    return [
        Seen(
            game=table.id,
            player=chair.player,
            standing=TableState.of(decode(current(table, table.sheet.audience_of(seat)))),
            chat=table.chat,
        )
        for seat, chair in enumerate(table.sheet.chairs)
        if chair.player is not None
    ]


@pytest.fixture
def world(databases: Databases) -> World:
    """Tables on a database of this test."""
    return World(databases)


@pytest.mark.parametrize("ruleset", ["tortuga", "jamaica", "nest"])
async def test_a_game_without_faults_has_no_trouble(world: World, ruleset: str) -> None:
    game = await played(world, terms(ruleset, 3, LIVE), 40)
    verdict = await game.verdict()
    assert verdict.troubles == []
    assert (verdict.games["running"], verdict.records, len(game.acks)) == (1, 1, 40)


async def test_a_game_that_is_over_has_no_trouble(world: World) -> None:
    table = await world.play(await world.started(terms()), Random(2))
    verdict = await Played(world=world, table=table, acks=[], seen=seen_of(table)).verdict()
    assert verdict.troubles == []
    assert sum(verdict.games.values()) - verdict.games["running"] == 1


async def test_an_acknowledged_event_that_was_deleted_is_lost(world: World) -> None:
    game = await played(world, terms())
    await game.run("DELETE FROM shard.events WHERE game_id = $1 AND seq = $2", game.acks[-1].seq)
    assert Fault.LOST in await game.faults()


async def test_a_write_that_was_rolled_back_as_a_whole_is_lost(world: World) -> None:
    game = await played(world, terms())
    row = await game.pool.fetchrow("SELECT * FROM shard.games WHERE game_id = $1", game.table.id)
    assert row is not None
    key = uuid4()
    assert game.table.position is not None
    code = legal(game.table.position)[0]
    after = await world.act(game.table, code, key)
    game.acks.append(Ack(game=after.id, key=key, seq=after.seq, kind=EventKind.ACTED, code=code))
    assert await replace_seen(game, after).faults() == set()
    await game.run("DELETE FROM shard.events WHERE game_id = $1 AND seq = $2", after.seq)
    await game.run(
        """UPDATE shard.games SET seq = $2, to_act = $3, turn_seq = $4, snapshot = $5 WHERE game_id = $1""",
        *(row["seq"], row["to_act"], row["turn_seq"], row["snapshot"]),
    )
    assert await replace_seen(game, game.table).faults() == {Fault.LOST}
    assert Fault.DIVERGED in await replace_seen(game, after).faults()


def replace_seen(game: Played, table: Table) -> Played:
    """Return `game` with clients that know `table`."""
    return replace(game, seen=seen_of(table))


async def test_an_acknowledged_action_that_became_another_one_is_lost(world: World) -> None:
    game = await played(world, terms())
    game.acks[3] = replace(game.acks[3], code=(game.acks[3].code or 0) + 1)
    assert await game.faults() == {Fault.LOST}


async def test_an_acknowledged_line_of_chat_that_is_gone_is_lost(world: World) -> None:
    game = await played(world, terms())
    key, player = uuid4(), PLAYERS[0]
    line = ChatLine(number=0, player=player.id, seat=0, name=player.name, text="Ahoy", at=0)
    number = await say(world.store, world.heard, game.table, line, key=key)
    game.acks.append(Ack(game=game.table.id, key=key, line=number))
    heard = replace(game, seen=seen_of(with_fields(game.table, chat=1)))
    assert await heard.faults() == set()
    await game.run("DELETE FROM shard.chat WHERE game_id = $1")
    assert Fault.LOST in await heard.faults()


async def test_a_second_event_with_the_same_key_is_found(world: World) -> None:
    game = await played(world, terms())
    await game.run(
        """INSERT INTO shard.events (game_id, seq, kind, seat, code, key, player)
           SELECT game_id, seq + 1, kind, seat, code, key, player FROM shard.events
           WHERE game_id = $1 AND seq = $2""",
        game.table.seq,
    )
    await game.run("UPDATE shard.games SET seq = seq + 1 WHERE game_id = $1")
    assert Fault.DOUBLED in await game.faults()


async def test_an_event_that_the_row_of_its_game_does_not_count_is_found(world: World) -> None:
    game = await played(world, terms())
    await game.run(
        "INSERT INTO shard.events (game_id, seq, kind, key) VALUES ($1, $2, $3, gen_random_uuid())",
        *(game.table.seq + 1, EventKind.UNMUTED),
    )
    assert Fault.DOUBLED in await game.faults()


async def test_an_action_applied_twice_under_two_keys_does_not_fit_the_rules(world: World) -> None:
    game = await played(world, terms(), 1)
    table = game.table
    await game.run(
        """INSERT INTO shard.events (game_id, seq, kind, seat, code, orders, key, player)
           SELECT game_id, seq + 1, kind, 1 - seat, code, orders, gen_random_uuid(), player FROM shard.events
           WHERE game_id = $1 AND seq = $2""",
        table.seq,
    )
    await game.run("UPDATE shard.games SET seq = seq + 1 WHERE game_id = $1")
    assert Fault.BROKEN in await game.faults()


async def test_a_snapshot_of_another_turn_is_broken(world: World) -> None:
    game = await played(world, terms(), 1)
    old = await game.pool.fetchval("SELECT snapshot FROM shard.games WHERE game_id = $1", game.table.id)
    later = await world.play(game.table, Random(3), 12)
    assert await replace_seen(game, later).faults() == set()
    await game.run("UPDATE shard.games SET snapshot = $2 WHERE game_id = $1", old)
    assert await replace_seen(game, later).faults() == {Fault.BROKEN}


async def test_cards_in_another_order_than_the_shuffle_gives_are_broken(world: World) -> None:
    table = await world.play(await world.started(terms()), Random(2))
    game = Played(world=world, table=table, acks=[], seen=seen_of(table))
    await game.run("UPDATE shard.events SET orders = NULL WHERE game_id = $1 AND orders IS NOT NULL")
    assert await game.faults() == {Fault.BROKEN}


async def test_another_secret_than_the_promised_one_is_found(world: World) -> None:
    game = await played(world, terms(), 0)
    await game.run("UPDATE shard.tables SET secret = $2 WHERE game_id = $1", bytes(32))
    assert await game.faults() & {Fault.BROKEN, Fault.RECORD}


async def test_a_request_that_was_done_and_refused_is_found(world: World) -> None:
    game = await played(world, terms())
    refusal = Refusal(game=game.table.id, key=game.acks[0].key, verb="actions", code="stale")
    never = Refusal(game=game.table.id, key=uuid4(), verb="actions", code="stale")
    evidence = Evidence(
        refusals=(refusal, never),
        alive=frozenset(player.id for player in PLAYERS),
        as_of=await game.pool.fetchval("SELECT now()"),
    )
    assert [trouble.fault for trouble in (await judged(world.databases, evidence)).troubles] == [Fault.DENIED]


async def test_answers_that_no_order_explains_are_found(world: World) -> None:
    game = await played(world, terms())
    first = Answered(game=game.table.id, told=Operation(done=Told(at=9), asked=0, answered=1))
    older = Answered(game=game.table.id, told=Operation(done=Told(at=8), asked=2, answered=3))
    elsewhere = Answered(game=uuid4(), told=older.told)
    for answered, faults in (((first, elsewhere), []), ((first, older), [Fault.ORDER])):
        evidence = Evidence(
            answered=answered,
            alive=frozenset(player.id for player in PLAYERS),
            as_of=await game.pool.fetchval("SELECT now()"),
        )
        assert [trouble.fault for trouble in (await judged(world.databases, evidence)).troubles] == faults


# --- Stuck -----------------------------------------------------------------------------------------


async def bot_to_act(world: World) -> Played:
    """A game in which a bot has to act: the player to act has resigned."""
    table = await world.started(terms(seats=3))
    seat = table.to_act
    assert seat is not None
    outcome = await world.change(table.id, lambda now: playing.resign(now, seat), PLAYERS[seat])
    return Played(world=world, table=outcome.table, acks=[], seen=seen_of(outcome.table))


async def test_a_bot_to_act_whom_nobody_wakes_is_stuck(world: World) -> None:
    game = await bot_to_act(world)
    assert await game.faults() == set()
    await game.run("UPDATE shard.games SET wake_at = NULL WHERE game_id = $1")
    assert await game.faults() == {Fault.STUCK}


@pytest.mark.parametrize("due", ["-10 minutes", "10 minutes"])
async def test_a_bot_to_act_who_is_woken_far_too_late_is_stuck(world: World, due: str) -> None:
    game = await bot_to_act(world)
    await game.run(f"UPDATE shard.games SET wake_at = now() + interval '{due}' WHERE game_id = $1")  # noqa: S608
    assert await game.faults() == {Fault.STUCK}


async def test_a_clock_that_nobody_watches_is_stuck(world: World) -> None:
    game = await played(world, terms(clock=LIVE))
    await game.run("UPDATE shard.games SET wake_at = NULL WHERE game_id = $1")
    assert await game.faults() == {Fault.STUCK}


async def test_a_player_to_act_who_is_gone_leaves_the_game_stuck(world: World) -> None:
    game = await played(world, terms())
    evidence = Evidence(as_of=await game.pool.fetchval("SELECT now()"))
    verdict = await judged(world.databases, evidence)
    assert {trouble.fault for trouble in verdict.troubles} == {Fault.STUCK}


async def test_a_game_in_which_nothing_happens_any_more_is_stuck(world: World) -> None:
    game = await played(world, terms())
    before = await game.pool.fetchval("SELECT min(at) FROM shard.events")
    assert (await game.verdict(moving_since=before)).troubles == []
    now = await game.pool.fetchval("SELECT now()")
    assert (await game.verdict(moving_since=now)).count(Fault.STUCK) == 1


# --- Clocks ----------------------------------------------------------------------------------------


async def expired(world: World) -> Played:
    """A game in which a short clock has run out, moved there by its times in the log."""
    table = await world.started(terms(seats=3, clock=Clock(kind="live", bank=100)))
    sender = Sender(player=None, key=uuid4())
    pool = world.databases.shard_of(table.id)
    await pool.execute("SELECT pg_sleep(0.15)")
    outcome = await world.tables.change_at(table.id, table.seq, sender, playing.expire)
    return Played(world=world, table=outcome.table, acks=[], seen=seen_of(outcome.table))


async def test_a_clock_that_ran_out_once_is_no_trouble(world: World) -> None:
    game = await expired(world)
    verdict = await game.verdict()
    assert (verdict.troubles, verdict.expired) == ([], 1)


async def test_a_clock_that_ran_out_twice_is_found(world: World) -> None:
    game = await expired(world)
    await game.run(
        """INSERT INTO shard.events (game_id, seq, kind, seat, key)
           SELECT game_id, seq + 1, kind, seat, gen_random_uuid() FROM shard.events
           WHERE game_id = $1 AND seq = $2""",
        game.table.seq,
    )
    await game.run("UPDATE shard.games SET seq = seq + 1 WHERE game_id = $1")
    assert (await game.verdict()).count(Fault.CLOCK) == 1


async def test_a_clock_that_ran_out_too_early_is_found(world: World) -> None:
    game = await expired(world)
    await game.run(
        """UPDATE shard.events SET at = (
               SELECT at + interval '5 ms' FROM shard.events WHERE game_id = $1 AND seq = $2 - 1
           ) WHERE game_id = $1 AND seq = $2""",
        game.table.seq,
    )
    assert await game.faults() == {Fault.CLOCK}


async def test_a_deadline_that_does_not_follow_from_the_log_is_found(world: World) -> None:
    game = await played(world, terms(clock=LIVE))
    await game.run("UPDATE shard.games SET deadline = deadline + interval '1 s' WHERE game_id = $1")
    assert await game.faults() == {Fault.CLOCK}


# --- Clients ---------------------------------------------------------------------------------------


def wrong_standings(standing: TableState, other: TableState) -> Iterator[TableState]:
    """Standings that a client may wrongly have."""
    yield replace(standing, seq=standing.seq - 1)
    yield replace(standing, view=other.view)
    yield replace(standing, table=other.table)
    yield replace(standing, view=None)


async def test_a_client_who_knows_something_else_has_diverged(world: World) -> None:
    game = await played(world, terms(seats=3))
    before = await world.started(terms(seats=3))
    truth = game.seen[0]
    for wrong in wrong_standings(truth.standing, seen_of(before)[0].standing):
        diverged = replace(game, seen=[replace(truth, standing=wrong), *game.seen[1:]])
        assert await diverged.faults() == {Fault.DIVERGED}


async def test_what_an_earlier_release_did_not_tell_is_no_difference(world: World) -> None:
    game = await played(world, terms())
    truth = game.seen[0]
    table = truth.standing.table
    assert table is not None
    chairs = tuple(with_fields(chair, is_guest=not chair.is_guest) for chair in table.chairs)
    standing = replace(truth.standing, table=with_fields(table, chairs=chairs))
    older = replace(game, seen=[replace(truth, standing=standing), *game.seen[1:]])
    assert await older.faults() == {Fault.DIVERGED}
    assert not (await older.verdict(untold=frozenset({"is_guest"}))).troubles


async def test_a_client_who_missed_a_line_of_chat_has_diverged(world: World) -> None:
    game = await played(world, terms())
    line = ChatLine(number=0, player=PLAYERS[0].id, seat=0, name="Anne", text="Ahoy", at=0)
    await say(world.store, world.heard, game.table, line, key=uuid4())
    assert await game.faults() == {Fault.DIVERGED}
