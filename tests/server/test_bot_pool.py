"""Thinking: bots beside the worker, given what their seat sees; a bot that fails stops no game."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from cartagena.bots.players.registry import LEVELS
from cartagena.fairness.shuffle import lone_shuffle, opening
from cartagena.messages import encode, view_message
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS
from cartagena.server.shared.processes import ProcessLost
from cartagena.server.store.databases import Databases
from cartagena.server.worker.bot_pool import BotPool
from cartagena.tables.thinking import BotChoice, choose
from tests.server import worker_bots
from tests.server.worker_bots import HERE
from tests.server.worker_world import Gate, Node, bot
from tests.waiting import until

GAME = "a game"
SCRIPT = """
import asyncio, os
from cartagena.server.worker.bot_pool import BotPool

async def main():
    print(await BotPool(1).work("a game", 30, os.getpid), flush=True)
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


@asynccontextmanager
async def pool(processes: int) -> AsyncIterator[BotPool]:
    made = BotPool(processes)
    try:
        yield made
    finally:
        await made.close()


def dealt(ruleset: str, seats: int = 2) -> Position:
    """A game before its first action."""
    rules = PRESETS[ruleset]
    return opening(lone_shuffle("test", bytes(32), rules, seats), rules, seats)


def seen_in(position: Position) -> bytes:
    """What the seat to act sees."""
    return encode(view_message(view(position, position.to_act)))


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


async def until_dead(process_id: int) -> None:
    await until(lambda: not is_alive(process_id), what=f"the end of process {process_id}")


@pytest.mark.parametrize("processes", [0, pytest.param(1, marks=pytest.mark.processes)])
async def test_every_level_chooses_something_legal_in_every_ruleset(processes: int) -> None:
    async with pool(processes) as thinking:
        for ruleset in PRESETS:
            position = dealt(ruleset)
            for level in LEVELS:
                code, trouble, _ = await thinking.work(
                    GAME, 30, choose, level, GAME, seen_in(position), 1672, 0.1
                )
                assert trouble is None
                assert code in legal(position)


@pytest.mark.processes
async def test_the_same_seed_is_the_same_choice_in_another_process() -> None:
    async with pool(0) as near, pool(1) as far:
        for seed in range(5):
            asked = ("deckhand", f"{GAME} {seed}", seen_in(dealt("tortuga")), seed, 5.0)
            assert await near.work(GAME, 30, choose, *asked) == await far.work(GAME, 30, choose, *asked)


@pytest.mark.parametrize("processes", [0, pytest.param(1, marks=pytest.mark.processes)])
@pytest.mark.parametrize(
    ("name", "kind"), [("Raising", "ValueError"), ("Quitting", "SystemExit"), ("Missing", "BotError")]
)
async def test_of_what_a_bot_raises_only_the_kind_comes_back(processes: int, name: str, kind: str) -> None:
    async with pool(processes) as thinking:
        found = await thinking.work(
            GAME, 30, choose, f"{HERE}:{name}", GAME, seen_in(dealt("jamaica")), 1, 1.0
        )
        assert found == BotChoice(None, kind)
        again = await thinking.work(GAME, 30, choose, "sailor", GAME, seen_in(dealt("jamaica")), 1, 1.0)
        assert again.code is not None


@pytest.mark.processes
async def test_a_process_that_dies_is_replaced() -> None:
    async with pool(1) as thinking:
        first = await thinking.work(GAME, 30, os.getpid)
        with pytest.raises(ProcessLost):
            await thinking.work(GAME, 30, os._exit, 1)
        second = await thinking.work(GAME, 30, os.getpid)
        assert first != second
        await until_dead(first)


@pytest.mark.processes
async def test_a_process_that_is_killed_while_idle_is_replaced() -> None:
    async with pool(1) as thinking:
        first = await thinking.work(GAME, 30, os.getpid)
        os.kill(first, signal.SIGKILL)
        await until_dead(first)
        with pytest.raises(ProcessLost):
            await thinking.work(GAME, 30, os.getpid)
        assert await thinking.work(GAME, 30, os.getpid) != first


@pytest.mark.processes
async def test_a_process_that_hangs_is_ended() -> None:
    async with pool(1) as thinking:
        first = await thinking.work(GAME, 30, os.getpid)
        with pytest.raises(ProcessLost):
            await thinking.work(GAME, 0.3, choose, f"{HERE}:Hanging", GAME, seen_in(dealt("tortuga")), 1, 0.1)
        await until_dead(first)
        assert await thinking.work(GAME, 30, os.getpid) != first


@pytest.mark.processes
async def test_a_choice_that_nobody_waits_for_any_longer_keeps_no_other_waiting(gate: Gate) -> None:
    async with pool(1) as thinking:
        first = await thinking.work(GAME, 30, os.getpid)
        hanging = asyncio.create_task(
            thinking.work(GAME, 600, choose, f"{HERE}:Gated", GAME, seen_in(dealt("tortuga")), 1, 0.1)
        )
        await gate.asked()
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        await until_dead(first)
        assert await thinking.work(GAME, 30, os.getpid) != first


@pytest.mark.processes
async def test_a_game_stays_with_the_process_that_knows_its_plan() -> None:
    async with pool(2) as thinking:
        one, two = await asyncio.gather(
            thinking.work("one", 30, os.getpid), thinking.work("two", 30, os.getpid)
        )
        assert one != two
        for _ in range(3):
            assert await thinking.work("one", 30, os.getpid) == one
            assert await thinking.work("two", 30, os.getpid) == two


@pytest.mark.processes
async def test_processes_end_when_they_are_closed() -> None:
    async with pool(1) as thinking:
        process_id = await thinking.work(GAME, 30, os.getpid)
    await until_dead(process_id)


@pytest.mark.processes
async def test_processes_end_when_the_worker_is_killed() -> None:
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SCRIPT, stdout=asyncio.subprocess.PIPE
    )
    assert worker.stdout is not None
    process_id = int(await worker.stdout.readline())
    assert is_alive(process_id)
    worker.kill()
    await worker.wait()
    await until_dead(process_id)


@pytest.mark.processes
async def test_a_signal_for_the_whole_group_does_not_end_a_choice_under_way() -> None:
    async with pool(1) as thinking:
        process_id = await thinking.work(GAME, 30, os.getpid)
        for asking in (signal.SIGTERM, signal.SIGINT):
            os.kill(process_id, asking)
        assert await thinking.work(GAME, 30, os.getpid) == process_id


# Bots at a table.


async def test_a_bot_is_shown_the_view_of_its_seat_and_no_hidden_hand(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot(f"{HERE}:Watchful"), bot(f"{HERE}:Watchful")], ruleset="jamaica")
    worker_bots.SEEN.clear()
    code, *_ = await node.players.choose(table)
    assert table.position is not None
    seat = table.to_act
    assert seat is not None
    (seen,) = worker_bots.SEEN
    assert seen == view(table.position, seat)
    assert seen.hands[1 - seat] is None
    assert code in legal(table.position)


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("Raising", "ValueError"),
        ("Cheating", "IllegalAction"),
        ("Quitting", "SystemExit"),
        ("None", "BotError"),
    ],
)
async def test_a_bot_that_fails_is_replaced_for_this_choice(
    databases: Databases, capfd: pytest.CaptureFixture[str], name: str, trouble: str
) -> None:
    level = f"{HERE}:{name}"
    node = Node(databases)
    table = await node.begun([bot(level), bot(level)], ruleset="jamaica")
    assert table.position is not None
    assert (await node.players.choose(table)).code in legal(table.position)
    assert node.counted("cartagena_bot_troubles_total", level=level, trouble=trouble) == 1
    assert node.counted("cartagena_bot_troubles_total", level="sailor", trouble=trouble) == 0
    assert "my hand" not in "".join(capfd.readouterr())


@pytest.mark.processes
@pytest.mark.parametrize(
    ("name", "trouble", "grace"), [("Dying", "BrokenProcessPool", 30.0), ("Hanging", "TimeoutError", 0.5)]
)
async def test_a_bot_that_takes_its_process_with_it_is_replaced_for_this_choice(
    databases: Databases, name: str, trouble: str, grace: float
) -> None:
    level = f"{HERE}:{name}"
    async with pool(1) as thinking:
        node = Node(databases, pool=thinking, seconds=0.1, grace=grace)
        table = await node.begun([bot(level), bot(level)])
        assert table.position is not None
        assert (await node.players.choose(table)).code in legal(table.position)
        assert node.counted("cartagena_bot_troubles_total", level=level, trouble=trouble) == 1


async def test_if_even_the_substitute_fails_any_legal_action_is_taken(databases: Databases) -> None:
    node = Node(databases, seconds=0.0, grace=0.0)
    table = await node.begun([bot("captain"), bot("captain")])
    assert table.position is not None
    assert (await node.players.choose(table)).code in legal(table.position)
    for level in ("captain", "sailor"):
        assert node.counted("cartagena_bot_troubles_total", level=level, trouble="TimeoutError") == 1
