"""Catching up: the past is told again, but not again and again."""

from uuid import UUID, uuid4

import pytest

from cartagena.server.http.streams.catch_up import OF_ADDRESS, OF_PLAYER, CatchingUp
from cartagena.server.http.streams.ports import Visitor
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import ServiceError
from tests.server.stream_world import Log, world

GAME = uuid4()


async def test_who_wants_the_past_told_again_and_again_must_wait() -> None:
    log = Log()
    log.open(GAME)
    for _ in range(400):
        log.update(GAME)
    async with world(log) as here:
        path = f"/tables/{GAME}?player={uuid4()}&address=there"
        statuses = [(await here.ask(path, last="0.0")).status for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert (await here.ask(path)).status == 200, "the state of now is always told"


class LongTurns(Log):
    """A log of which all must be read, however little was missed."""

    async def effort(self, game_id: UUID, seq: int) -> int:
        return await super().effort(game_id, 0) if await super().effort(game_id, seq) else 0


async def test_who_missed_little_pays_for_all_that_is_read() -> None:
    log = LongTurns()
    log.open(GAME)
    for _ in range(400):
        log.update(GAME)
    async with world(log) as here:
        path = f"/tables/{GAME}?player={uuid4()}&address=there"
        statuses = [(await here.ask(path, last="399.0")).status for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert (await here.ask(path, last="400.0")).status == 200, "who missed nothing pays nothing"


def test_players_of_one_household_share_what_it_may_have() -> None:
    catching_up = CatchingUp(clock=lambda: 100.0)
    for number in range(OF_ADDRESS.burst // OF_PLAYER.burst):
        catching_up.count(_visitor(number), OF_PLAYER.burst)
    with pytest.raises(ServiceError):
        catching_up.count(_visitor(99), 1)
    catching_up.count(_visitor(99, address="192.0.2.2"), 1)
    catching_up.count(_visitor(1), 0)


def test_the_longest_game_can_still_be_told() -> None:
    CatchingUp().count(_visitor(1), 10 * OF_ADDRESS.burst)


def _visitor(number: int, address: str = "192.0.2.1") -> Visitor:
    return Visitor(audience=SPECTATOR, address=address, player_id=UUID(int=number))
