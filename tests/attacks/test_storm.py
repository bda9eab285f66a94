"""A seat that keeps the table busy, so that the other seat's moves come too late."""

import asyncio

from cartagena.tables.table import MOST_BESIDE
from tests.attacks.tables import Duel, duel
from tests.server.service_nodes import Node

ANSWERED = (200, 429)


async def wish(duel: Duel, *, agrees: bool) -> int:
    """Let the spy agree to abandon the game, or take that back; return the status of the answer."""
    return await duel.spy.status_of(f"{duel.path}/abandon", agrees=agrees)


async def test_what_changes_nothing_is_no_event(nodes: tuple[Node, Node]) -> None:
    async with duel(nodes) as table:
        seq = (await table.seen_by(table.victim))["seq"]
        for _ in range(5):
            told = await table.spy.post(f"{table.path}/abandon", agrees=False)
            assert told["seq"] == seq
        await table.spy.post(f"{table.path}/abandon", agrees=True)
        assert (await table.spy.post(f"{table.path}/abandon", agrees=True))["seq"] == seq + 1


async def test_a_move_is_not_stale_because_of_what_happens_beside_the_game(nodes: tuple[Node, Node]) -> None:
    async with duel(nodes) as table:
        seen = await table.seen_by(table.victim)
        for number in range(6):
            await table.spy.post(f"{table.path}/abandon", agrees=number % 2 == 0)
        moved = await table.victim.post(
            f"{table.path}/actions", seq=seen["seq"], code=seen["view"]["legal"][0]
        )
        assert moved["seq"] == seen["seq"] + 7
        again = await table.victim.post(f"{table.path}/actions", status=409, seq=seen["seq"], code=0)
        assert again["error"]["code"] == "stale"


async def test_wishes_beside_a_game_that_does_not_go_on_come_to_an_end(nodes: tuple[Node, Node]) -> None:
    async with duel(nodes) as table:
        seen = await table.seen_by(table.victim)
        answers = [await wish(table, agrees=number % 2 == 0) for number in range(MOST_BESIDE + 5)]
        assert answers == [200] * MOST_BESIDE + [429] * 5
        await table.victim.post(f"{table.path}/actions", seq=seen["seq"], code=seen["view"]["legal"][0])
        assert await wish(table, agrees=True) == 200


async def test_a_seat_on_turn_moves_within_three_tries_in_a_storm(nodes: tuple[Node, Node]) -> None:
    async with duel(nodes, "tortuga") as table:
        seat = (await table.victim.get(table.path))["seat"]

        async def storm() -> None:
            while True:
                for agrees in (True, False):
                    assert await wish(table, agrees=agrees) in ANSWERED

        storms = [asyncio.create_task(storm()) for _ in range(3)]
        try:
            while (seen := await table.seen_by(table.victim))["view"]["to_act"] == seat:
                move = {"seq": seen["seq"], "code": seen["view"]["legal"][0]}
                tries = [await table.victim.status_of(f"{table.path}/actions", **move) for _ in range(3)]
                assert 200 in tries
        finally:
            for task in storms:
                task.cancel()
            await asyncio.gather(*storms, return_exceptions=True)
