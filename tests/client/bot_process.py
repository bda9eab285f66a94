"""A bot as its owner runs it: `cartagena bot` in a process of its own, with the account of a bot."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from uuid import UUID

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import BotTokenMessage, MakeBot
from cartagena.server.accounts.bots import make_bot, renew_bot_token
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.bus.messages import Closing
from cartagena.server.http.streams.hub import REVOKED
from tests.client.client_service import Service, Visitor
from tests.server.accounts_world import some_name
from tests.waiting import STARTING, until


async def made_bot(service: Service, name: str | None = None) -> BotTokenMessage:
    """The account of a bot, whose owner keeps a name."""
    return await bot_of(service, await service.guest(), name)


async def bot_of(service: Service, owner: Visitor, name: str | None = None) -> BotTokenMessage:
    """The account of a bot of this owner."""
    wanted = MakeBot(name=name or some_name(), engine="furthest 1.0")
    return await make_bot(service.resources.directory, await _named(_sessions(service), owner), wanted)


async def renewed(service: Service, owner: Visitor, made: BotTokenMessage) -> BotTokenMessage:
    """Another token for a bot: the old one ends, and its streams, as on every node."""
    sessions = _sessions(service)
    return await renew_bot_token(sessions, await _named(sessions, owner), made.bot.id)


def _sessions(service: Service) -> SessionCache:
    def closed(session_id: UUID) -> None:
        service.hub.dismiss(Closing(session_id=session_id, code=REVOKED))

    return SessionCache(service.resources.directory, on_close=closed)


async def _named(sessions: SessionCache, owner: Visitor) -> Session:
    session = await sessions.find(owner.client.token or "")
    assert session is not None
    return replace(session, is_guest=False)


@dataclass
class BotProcess:
    """A running `cartagena bot`, and what it has written."""

    process: Process
    lines: list[str] = field(default_factory=list)

    async def listen(self) -> None:
        """Keep every line, until it closes its output."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(line.decode().rstrip())

    async def said(self, text: str, *, times: int = 1) -> list[re.Match[str]]:
        """What matches a pattern in its lines, once it has been written `times` times."""

        def found() -> list[re.Match[str]]:
            matches = [match for line in self.lines if (match := re.search(text, line))]
            return matches if len(matches) >= times else []

        return await until(found, seconds=STARTING, what=lambda: f"{text!r} among {self.lines}")

    async def links(self, number: int) -> list[tuple[UUID, str]]:
        """The tables that it has opened, and their invitations."""
        told = await self.said(r"opened, .*/table/([0-9a-f-]{36})\?invite=(\w+)", times=number)
        return [(UUID(match[1]), match[2]) for match in told]

    async def ended(self) -> int:
        """Its exit code, once it has ended by itself."""
        return await asyncio.wait_for(self.process.wait(), STARTING)

    async def stop(self) -> int:
        """Ask it to stop, as systemd does; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()


@asynccontextmanager
async def bot_process(url: str, token: str, *words: str) -> AsyncIterator[BotProcess]:
    """`cartagena bot URL` with more words."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cartagena", "bot", url, *words),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        env={**os.environ, "CARTAGENA_TOKEN": token, "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"},
    )
    bot = BotProcess(process)
    listening = asyncio.create_task(bot.listen())
    try:
        yield bot
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening
