"""Streams whose session ends: they end with it, even if the message that says so is lost."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import uuid4

import pytest

from cartagena.server.http.streams.ports import StreamSettings
from tests.server.stream_world import GAME, QUICK, Log, World, world
from tests.waiting import until


@pytest.fixture
async def checked() -> AsyncIterator[World]:
    """A world that asks after its sessions all the time."""
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, sessions_every=0.05)) as made:
        yield made


def asked(here: World) -> list[tuple[object, ...]]:
    return [reading for reading in here.log.readings if reading[0] == "sessions"]


async def test_the_streams_of_a_session_that_ended_end_though_nobody_said_so(checked: World) -> None:
    gone, stays = uuid4(), uuid4()
    ended = [
        await checked.ask(path, session=gone) for path in (f"/tables/{GAME}?audience=0", "/lobby", "/lobby")
    ]
    others = [await checked.ask("/lobby", session=stays), await checked.ask("/lobby")]
    for client in (*ended, *others):
        await client.next()
    checked.log.ended.add(gone)
    for client in ended:
        assert (await client.next()).words == {"code": "revoked"}
        assert await client.has_ended()
    assert [await checked.is_silent(client) for client in others] == [True, True]


@pytest.mark.parametrize("path", [f"/tables/{GAME}?audience=0", "/lobby"])
async def test_a_session_that_ends_while_its_stream_is_opened_is_told_nothing(here: World, path: str) -> None:
    gone = uuid4()
    here.log.gate.clear()
    opening = asyncio.create_task(here.ask(path, session=gone))
    await until(lambda: bool(here.log.readings))
    here.log.ended.add(gone)
    here.log.gate.set()
    client = await opening
    assert (await client.next()).words == {"code": "revoked"}
    assert await client.has_ended()


async def test_the_streams_that_open_together_ask_one_question(here: World) -> None:
    here.log.gate.clear()
    sessions = sorted(uuid4() for _ in range(3))
    opening = [asyncio.create_task(here.ask(f"/tables/{GAME}?audience=0", session=one)) for one in sessions]
    await until(lambda: len(here.hub) == len(sessions))
    here.log.gate.set()
    await asyncio.gather(*opening)
    assert len(asked(here)) < len(sessions)


async def test_one_question_is_asked_for_the_sessions_of_all_streams(here: World) -> None:
    sessions = sorted(uuid4() for _ in range(3))
    for session in (*sessions, *sessions):
        await here.ask("/lobby", session=session)
    await here.ask("/lobby")
    here.log.readings.clear()
    await here.hub._check_sessions()
    assert asked(here) == [("sessions", sessions)]


async def test_without_sessions_nothing_is_asked(here: World) -> None:
    await here.ask("/lobby")
    await here.hub._check_sessions()
    assert not asked(here)


async def test_sessions_are_asked_for_often_enough_for_what_is_promised() -> None:
    assert StreamSettings().sessions_every <= 20, "docs/security.md says 30 seconds"
