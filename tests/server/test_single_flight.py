"""Reading together: one reading answers all who asked before it began."""

import asyncio

from cartagena.server.shared.single_flight import Together
from tests.waiting import until


async def test_who_asks_during_a_reading_gets_the_next_one() -> None:
    gate = asyncio.Event()
    seen: list[list[str]] = []

    async def read(_: str, wishes: list[str]) -> int:
        seen.append(wishes)
        await gate.wait()
        return len(seen)

    together = Together(read)
    early = [together.ask("key", "a"), together.ask("key", "b")]
    await until(lambda: seen)
    late = [together.ask("key", "c"), together.ask("key", "d")]
    gone = together.ask("key", "e")
    gone.cancel()
    gate.set()
    assert [await answer for answer in early + late] == [1, 1, 2, 2]
    assert seen == [["a", "b"], ["c", "d", "e"]]
    assert not together._readers


async def test_the_end_of_reading_leaves_nobody_waiting() -> None:
    reading = asyncio.Event()

    async def read(_: str, __: list[None]) -> int:
        reading.set()
        await asyncio.Event().wait()
        return 1

    together = Together(read)
    first = together.ask("key", None)
    await reading.wait()
    second = together.ask("key", None)
    await together.close()
    assert first.cancelled()
    assert second.cancelled()
    assert not together._readers
