"""Other players: blocks, reports, and what the people who run the place do about them."""

import asyncio
from uuid import UUID, uuid4

import pytest
from asyncpg import Pool

from cartagena.endpoints.callers import Scope, check_scope
from cartagena.messages.accounts import ReportPlayer
from cartagena.server.accounts.moderation import (
    MOST_A_DAY,
    ban,
    block,
    blocked_among,
    blocked_by,
    close_report,
    lift_ban,
    open_reports,
    report,
    reports_by,
    unblock,
)
from cartagena.server.accounts.players import me
from cartagena.server.accounts.sessions.tokens import PERSONAL, WHILE_BANNED
from cartagena.tables.errors import ServiceError
from tests.server.accounts_world import World, problem_of, world


async def some_players(here: World, count: int) -> list[UUID]:
    """The ids of some guests."""
    return [(await here.guest()).session.player_id for _ in range(count)]


def told(player: UUID, text: str = "he sank my boat") -> ReportPlayer:
    """A report about a player."""
    return ReportPlayer(key=uuid4(), player=player, text=text, table=uuid4())


async def test_a_block_counts_in_both_directions(directory: Pool) -> None:
    here = world(directory)
    one, other, third = await some_players(here, 3)
    await block(here.directory, one, other)
    await block(here.directory, one, other)
    assert await blocked_among(here.directory, one, [other]) == {other}
    assert await blocked_among(here.directory, other, [one]) == {one}
    assert not await blocked_among(here.directory, one, [third])
    assert [player.id for player in await blocked_by(here.directory, one)] == [other]
    assert await blocked_by(here.directory, other) == ()
    await block(here.directory, third, one)
    assert await blocked_among(here.directory, one, [other, third, uuid4()]) == {other, third}


async def test_two_who_block_and_report_each_other_at_the_same_moment_do_not_wait_for_ever(
    directory: Pool,
) -> None:
    here = world(directory)
    one, other = await some_players(here, 2)
    for _ in range(15):
        await asyncio.gather(
            block(here.directory, one, other),
            block(here.directory, other, one),
            report(here.directory, one, told(other)),
            report(here.directory, other, told(one)),
        )
        await unblock(here.directory, one, other)
        await unblock(here.directory, other, one)


async def test_only_who_blocked_takes_it_back(directory: Pool) -> None:
    here = world(directory)
    one, other = await some_players(here, 2)
    await block(here.directory, one, other)
    await unblock(here.directory, other, one)
    assert await blocked_among(here.directory, one, [other]) == {other}
    await unblock(here.directory, one, other)
    await unblock(here.directory, one, other)
    assert not await blocked_among(here.directory, one, [other])


async def test_nobody_blocks_himself_or_nobody(directory: Pool) -> None:
    here = world(directory)
    (one,) = await some_players(here, 1)
    assert await problem_of(block(here.directory, one, one)) == "unfit"
    assert await problem_of(block(here.directory, one, uuid4())) == "no_such_player"


async def test_a_report_waits_until_it_is_closed(directory: Pool) -> None:
    here = world(directory)
    one, other, admin = await some_players(here, 3)
    wanted = told(other, " he cheats\x00\nalways ")
    report_id = await report(here.directory, one, wanted)
    (waiting,) = await open_reports(here.directory)
    assert (waiting.id, waiting.reporter.id, waiting.player.id) == (report_id, one, other)
    assert (waiting.text, waiting.table, waiting.verdict) == ("he cheats\nalways", wanted.table, None)
    await close_report(here.directory, admin, report_id, "talked to him")
    assert await open_reports(here.directory) == ()
    assert await problem_of(close_report(here.directory, admin, report_id, "again")) == "no_such_thing"
    (kept,) = await reports_by(here.directory, one)
    assert (kept.verdict, kept.closed is not None) == ("talked to him", True)


async def test_a_report_sent_twice_counts_once(directory: Pool) -> None:
    here = world(directory)
    one, other = await some_players(here, 2)
    wanted = told(other)
    assert await report(here.directory, one, wanted) == await report(here.directory, one, wanted)
    assert len(await open_reports(here.directory)) == 1


async def test_reports_come_in_pages_the_oldest_first(directory: Pool) -> None:
    here = world(directory)
    players = await some_players(here, 7)
    made = []
    for number in range(105):
        here.clock.after(seconds=1)
        made.append(await report(here.directory, players[number % 6], told(players[6])))
    first = await open_reports(here.directory)
    rest = await open_reports(here.directory, after=first[-1].id)
    assert [one.id for one in (*first, *rest)] == made
    assert len(first) == 100


async def test_so_many_reports_a_day_and_no_more(directory: Pool) -> None:
    here = world(directory)
    one, other = await some_players(here, 2)
    for _ in range(MOST_A_DAY):
        await report(here.directory, one, told(other))
    with pytest.raises(ServiceError) as refused:
        await report(here.directory, one, told(other))
    assert (refused.value.problem.code, refused.value.retry_after) == ("too_many", 86_400)
    assert len(await reports_by(here.directory, one)) == MOST_A_DAY
    here.clock.after(days=1)
    await report(here.directory, one, told(other))


async def test_nobody_reports_himself_or_nobody_or_nothing(directory: Pool) -> None:
    here = world(directory)
    one, other = await some_players(here, 2)
    assert await problem_of(report(here.directory, one, told(one))) == "unfit"
    assert await problem_of(report(here.directory, one, told(uuid4()))) == "no_such_player"
    assert await problem_of(report(here.directory, one, told(other, " "))) == "unfit"
    assert await problem_of(report(here.directory, one, told(other, "x" * 1_001))) == "unfit"


async def test_a_banned_player_may_only_watch_and_go(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    player_id = admission.session.player_id
    await here.found(admission)
    await ban(here.sessions, player_id, 7)
    assert here.closed == [admission.session.id]
    banned = await here.found(admission)
    assert banned.scopes == WHILE_BANNED
    with pytest.raises(ServiceError, match=r"missing_scope: .* only watch until 2026-01-08 12:00 UTC"):
        check_scope(banned, Scope.PLAY)
    with pytest.raises(ServiceError, match="lacks the scope admin"):
        check_scope(banned, Scope.ADMIN)
    assert (await me(here.directory, player_id)).banned_until is not None
    here.clock.after(days=7)
    after = await here.found(admission)
    assert (after.scopes, after.banned_until) == (PERSONAL, None)
    assert (await me(here.directory, player_id)).banned_until is None


async def test_a_ban_ends_to_the_second_although_the_door_remembers(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await ban(here.sessions, admission.session.player_id, 1)
    here.clock.after(days=1, seconds=-10)
    assert (await here.found(admission)).scopes == WHILE_BANNED
    here.clock.after(seconds=10)
    assert (await here.found(admission)).scopes == PERSONAL


async def test_a_ban_is_lifted(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await ban(here.sessions, admission.session.player_id, 3_650)
    await lift_ban(here.sessions, admission.session.player_id)
    assert (await here.found(admission)).scopes == PERSONAL


async def test_a_ban_has_a_length_and_a_player(directory: Pool) -> None:
    here = world(directory)
    (one,) = await some_players(here, 1)
    for days in (0, -1, 3_651):
        assert await problem_of(ban(here.sessions, one, days)) == "unfit"
    assert await problem_of(ban(here.sessions, uuid4(), 1)) == "no_such_player"
    assert await problem_of(lift_ban(here.sessions, uuid4())) == "no_such_player"
