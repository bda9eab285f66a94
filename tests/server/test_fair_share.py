"""Fair share: thinking time is shared by household and player, not by who asked first."""

import asyncio
from collections import Counter

import pytest

from cartagena.server.worker.fair_share import FairShare
from cartagena.tables.sheet import Share

CAPTAIN = 1.0
SAILOR = 0.01


class Clock:
    """Time that passes while a thought is under way, and only then."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Desk:
    """Thoughts on one processor, in the order in which they had their turn."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.turns = FairShare(1, clock=self.clock)
        self.order: list[Share] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, share: Share, seconds: float, times: int = 1, *, begun: bool = False) -> None:
        """Let `share` ask for `times` thoughts at once, of `seconds` each."""
        self.tasks += [asyncio.create_task(self._think(share, seconds, begun)) for _ in range(times)]

    async def _think(self, share: Share, seconds: float, begun: bool) -> None:  # noqa: FBT001 - as `ask` has it
        async with self.turns.of(share, begun=begun):
            self.order.append(share)
            self.clock.now += seconds
            await asyncio.sleep(0)

    async def done(self) -> None:
        await asyncio.gather(*self.tasks)


MALLORY, SECOND, HONEST = Share("m", "mallory"), Share("m", "second"), Share("h", "anne")


async def test_one_who_asks_for_little_does_not_wait_for_one_who_asks_for_much() -> None:
    desk = Desk()
    desk.ask(MALLORY, CAPTAIN, 20)
    desk.ask(SECOND, CAPTAIN, 20)
    await asyncio.sleep(0)
    desk.ask(HONEST, SAILOR, 5)
    await desk.done()
    # One was thinking already, and a second one had been told that it was its turn.
    assert desk.order[:7].count(HONEST) == 5


async def test_households_are_treated_alike_however_many_players_they_send() -> None:
    desk = Desk()
    for number in range(10):
        desk.ask(Share("m", str(number)), CAPTAIN, 3)
    desk.ask(HONEST, CAPTAIN, 10)
    await desk.done()
    assert 9 <= Counter(share.household for share in desk.order[:20])["h"] <= 11


async def test_players_of_a_household_are_treated_alike() -> None:
    desk = Desk()
    desk.ask(MALLORY, CAPTAIN, 20)
    desk.ask(SECOND, CAPTAIN, 5)
    await desk.done()
    assert 4 <= Counter(desk.order[:10])[SECOND] <= 5


async def test_who_was_alone_for_an_hour_pays_nothing_for_it() -> None:
    desk = Desk()
    for _ in range(50):
        desk.ask(MALLORY, CAPTAIN)
        await desk.done()
    desk.ask(MALLORY, CAPTAIN, 5)
    desk.ask(HONEST, CAPTAIN, 5)
    await desk.done()
    assert 4 <= Counter(desk.order[50:])[MALLORY] <= 5
    assert Counter(desk.order[50:56])[MALLORY] >= 3


@pytest.mark.parametrize("served", [False, True])
async def test_a_turn_that_nobody_takes_goes_to_the_next(*, served: bool) -> None:
    desk = Desk()
    async with desk.turns.of(MALLORY):
        desk.ask(SECOND, CAPTAIN)
        desk.ask(HONEST, SAILOR)
        await asyncio.sleep(0)
        assert desk.turns.waiting("m") == 1
        if not served:
            desk.tasks[0].cancel()
            await asyncio.sleep(0)
    if served:
        # It has been handed the turn in the same moment.
        desk.tasks[1].cancel()
    told = await asyncio.gather(*desk.tasks, return_exceptions=True)
    assert [isinstance(one, asyncio.CancelledError) for one in told] == [not served, served]
    desk.ask(HONEST, SAILOR)
    await desk.tasks[-1]
    assert desk.turns.waiting("m") == desk.turns.waiting("h") == 0


async def test_a_turn_that_has_begun_goes_on_before_others_begin_and_is_charged() -> None:
    desk = Desk()
    desk.ask(HONEST, SAILOR, 3)
    desk.ask(MALLORY, CAPTAIN, 3)
    desk.ask(MALLORY, CAPTAIN, begun=True)
    await desk.done()
    # One was thinking already; of the new turns those of the household that has had less come first.
    assert desk.order == [HONEST, MALLORY, HONEST, HONEST, MALLORY, MALLORY, MALLORY]


async def test_one_that_comes_again_owes_nothing_for_a_long_thought() -> None:
    desk = Desk()
    desk.ask(MALLORY, SAILOR, 50)
    desk.ask(HONEST, 100 * CAPTAIN)
    await desk.tasks[-1]
    desk.ask(HONEST, SAILOR)
    await desk.done()
    first = desk.order.index(HONEST)
    assert first < 3
    assert desk.order.index(HONEST, first + 1) < first + 5


async def test_a_crowd_of_one_household_counts_for_no_more_than_anothers_own() -> None:
    desk = Desk()
    async with desk.turns.of(SECOND):
        desk.ask(MALLORY, CAPTAIN, 6)
        desk.ask(HONEST, SAILOR, 2)
        await asyncio.sleep(0)
        counted = [desk.turns.waiting_beside(household) for household in ("m", "h", "nobody")]
    await desk.done()
    assert counted == [6 + 2, 2 + 2, 1 + 1]
    assert desk.turns.waiting_beside("m") == 0
