"""The service of the restore drill: one process that is everything, as a club runs it."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Final

from tools.drill_cluster import DrillFailed
from tools.faults_servers import READY_SECONDS, Child, is_ready
from tools.own_servers import free_port
from tools.services import environment_with

CARTAGENA: Final = (sys.executable, "-m", "cartagena")


class Service:
    """`cartagena serve`, killed with its cluster and started again on another."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "service.log"
        self._child: Child | None = None
        self.url = ""

    async def start(self, directory: str, games: str) -> None:
        """Start it, and wait until it is ready."""
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = _environment(directory, games) | {"CARTAGENA_PORT": str(port)}
        self._child = Child("web", (*CARTAGENA, "serve"), self._log, environment)
        self._child.start()
        last_moment = time.monotonic() + READY_SECONDS
        while not await is_ready(port):
            if time.monotonic() > last_moment or not self._child.runs:
                raise DrillFailed(f"the service does not get ready\n{self._child.last_words()}")
            await asyncio.sleep(0.1)

    async def kill(self) -> None:
        """End it without a warning, and what it started too."""
        if self._child is not None:
            await asyncio.to_thread(self._child.end_all)

    async def command(self, directory: str, games: str, *words: str) -> str:
        """Run a command of cartagena and return what it printed; raises DrillFailed if it failed."""
        process = await asyncio.create_subprocess_exec(
            *CARTAGENA,
            *words,
            env=_environment(directory, games),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        told, trouble = await process.communicate()
        if process.returncode:
            raise DrillFailed(f"cartagena {' '.join(words)} failed:\n{told.decode()}{trouble.decode()}")
        return told.decode()


def _environment(directory: str, games: str) -> dict[str, str]:
    return environment_with(
        {
            "CARTAGENA_DIRECTORY": directory,
            "CARTAGENA_SHARDS": games,
            "CARTAGENA_PACE": "1000",
            "CARTAGENA_POOL": "4",
            "CARTAGENA_DIRECTORY_POOL": "4",
            "CARTAGENA_LOG": "json",
            "NO_COLOR": "1",
        }
    )
