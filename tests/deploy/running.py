"""Programs run as an operator's machine runs them: not as root, and on a disk that cannot be written."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.faults.processes import is_ready
from tests.waiting import STARTING, until

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
"""Where `cartagena` and Python are."""
STOP_SECONDS = 30.0
"""How long image and units let a program take to end."""

READ_ONLY = ("unshare", "--mount", "sh", "-c", 'mount -o remount,bind,ro / && exec "$@"', "sh")
# The user nobody may read everything here, because the interpreter may lie in root's own folder.
AS_NOBODY = (
    *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"),
    *("--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search"),
)


@cache
def confinement() -> tuple[str, ...]:
    """Words before a command so that it is not root and cannot write, as far as this machine allows that."""
    words: tuple[str, ...] = ()
    for prefix in (READ_ONLY, AS_NOBODY):
        if _works((*words, *prefix)):
            words = (*words, *prefix)
    return words


def _works(prefix: Sequence[str]) -> bool:
    if os.geteuid() != 0 or shutil.which(prefix[0]) is None:
        return False
    command = (*prefix, str(BIN / "cartagena"), "--version")
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0  # noqa: S603


def environment_of(dsn: str, **others: str) -> dict[str, str]:
    """The environment of a program in an image or a unit: little, and nothing from the tests' own."""
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    own = {
        "CARTAGENA_DIRECTORY": dsn,
        "CARTAGENA_LOG": "json",
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "PATH": f"{BIN}:/usr/bin:/bin:/usr/sbin:/sbin",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return kept | own | others


@dataclass
class Running:
    """A process, and what it has written."""

    process: asyncio.subprocess.Process
    log: Path

    async def said(self, word: str) -> None:
        """Wait until it has written a word."""

        def is_said() -> bool:
            self._check_alive()
            return word in self.log.read_text()

        await until(is_said, seconds=STARTING, what=lambda: f"{word} in this log:\n{self.log.read_text()}")

    async def ready(self, port: int) -> None:
        """Wait until its web node has all that it needs."""

        async def ready() -> bool:
            self._check_alive()
            return await is_ready(port)

        await until(ready, seconds=STARTING, what=lambda: f"a node that is ready:\n{self.log.read_text()}")

    def _check_alive(self) -> None:
        assert self.process.returncode is None, self.log.read_text()

    async def ended(self) -> int:
        """Ask it to end, wait as long as image and units do, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), STOP_SECONDS)


@asynccontextmanager
async def running(
    command: Sequence[str], environment: Mapping[str, str], folder: Path
) -> AsyncIterator[Running]:
    """A program in a folder that it cannot write to, while the block lasts."""
    log = folder / "log"
    nowhere = folder / "read-only"
    nowhere.mkdir(mode=0o555, exist_ok=True)
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *confinement(), *command, env=dict(environment), cwd=nowhere, stdout=output, stderr=output
        )
    try:
        yield Running(process, log)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def run(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> tuple[int, str]:
    """Run a program to its end; return its exit code and what it wrote."""
    async with running(command, environment, folder) as started:
        code = await asyncio.wait_for(started.process.wait(), STARTING)
        return code, started.log.read_text()
