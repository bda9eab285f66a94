"""A relay in a process of its own: thousands of clients in ours would keep every statement waiting.

Usage: python -m tools.faults_link PORT

Prints the port on which it listens; then it does what each line of its input says, and prints a line when
that is done. It ends with its input.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process

from tools.faults_relay import Cut, Relay


class Link:
    """A `Relay` that another process carries."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._process: Process | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen on a free port."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tools.faults_link", str(self._target), stdin=PIPE, stdout=PIPE
        )
        self.port = int(await self._told())

    async def stop(self) -> None:
        """Cut everything and listen no more."""
        if self._process is not None:
            await self._process.communicate(b"")

    async def cut(self, how: Cut, *, within: float) -> bool:
        """Cut the connection that sends the next commit; False if none is sent in `within` seconds."""
        return await self._do("cut", how.name, within) == "True"

    async def shut(self, seconds: float) -> None:
        """Carry nothing at all for `seconds`."""
        await self._do("shut", seconds)

    async def slow(self, delay: float, *, seconds: float) -> None:
        """Delay everything by `delay` seconds, for `seconds`."""
        await self._do("slow", delay, seconds)

    async def _do(self, *words: object) -> str:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{' '.join(map(str, words))}\n".encode())
        return await self._told()

    async def _told(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().strip()


async def carry(target: int) -> None:
    """Relay until the input ends."""
    relay = Relay(target)
    await relay.start()
    print(relay.port, flush=True)
    while words := (await asyncio.to_thread(sys.stdin.readline)).split():
        print(await _obey(relay, words), flush=True)
    # There is nothing to save, and no clean shutdown is needed.
    os._exit(0)


async def _obey(relay: Relay, words: list[str]) -> bool:
    match words:
        case ["cut", how, within]:
            return await relay.cut(Cut[how], within=float(within))
        case ["shut", seconds]:
            await relay.shut(float(seconds))
        case ["slow", delay, seconds]:
            await relay.slow(float(delay), seconds=float(seconds))
    return True


if __name__ == "__main__":
    asyncio.run(carry(int(sys.argv[1])))
