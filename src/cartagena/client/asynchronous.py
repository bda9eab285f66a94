"""The client for programs that do many things at once."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Self, TypeVar

import httpx

from cartagena.client.connection import TableConnection
from cartagena.client.request import Answer, Chance, Patience, Request, bearer, token_of
from cartagena.client.sending import USER_AGENT, Content, Tries, timeout, timeout_of_stream, trusted
from cartagena.client.stream import (
    EventFollower,
    Follower,
    PlayerFollower,
    PlayerTold,
    Told,
    is_stream,
)
from cartagena.client.tables import TableId, become_guest
from cartagena.messages.accounts import MeMessage

_News = TypeVar("_News")


class AsyncClient(TableConnection):
    """Speaks to a service as one player: the owner of the token, or without one a guest after `become_guest`.

    `http` may be your own httpx client, for example one that goes through a proxy; it must then know the
    address of the service, and is not closed here.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        patience: Patience | None = None,
        http: httpx.AsyncClient | None = None,
        chance: Chance = random.random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.token = token
        self.patience = patience or Patience()
        self._http = http or httpx.AsyncClient(base_url=url, headers=USER_AGENT, verify=trusted())
        self._is_own = http is None
        self._chance = chance
        self._sleep = sleep

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        if self._is_own:
            await self._http.aclose()

    async def become_guest(self, name: str | None = None) -> MeMessage:
        """Come in as a guest, and be that guest from now on."""
        signed_in = await self.send(become_guest(name))
        self.token = token_of(signed_in)
        return signed_in.me

    async def send(self, request: Request[Answer]) -> Answer:
        """Send a request, again and unchanged if need be; raises Refused, Unreachable or Misunderstood."""
        tries = Tries(self.patience, request, self._chance)
        while True:
            try:
                async with self._http.stream(
                    request.method,
                    request.path,
                    params=request.query,
                    content=request.content,
                    headers={**request.headers, **bearer(self.token)},
                    timeout=timeout(self.patience),
                ) as response:
                    content = await _read(response)
            except httpx.TransportError as error:
                pause = tries.pause_after_error(error)
            else:
                wait = tries.pause_after(response.status_code, response.headers.get("retry-after"))
                if wait is None:
                    return request.answer(response.status_code, content)
                pause = wait
            await self._sleep(pause)

    async def stream(
        self,
        table_id: TableId,
        *,
        invite: str | None = None,
        last: str | None = None,
        on_away: Callable[[], None] = lambda: None,
    ) -> AsyncGenerator[Told, None]:
        """Everything that happens at a table, and every line of chat, until the caller stops listening.

        It begins with the whole state, or goes on after the place `last`: the numbers of the last update and
        of the last line of chat that were heard, as in "17.3". It comes back by itself after every break and
        misses nothing; it ends only by StreamEnded or Refused. `on_away` is called each time that it tries to
        come back to a service that is away.
        """
        follower = Follower(table_id, patience=self.patience, chance=self._chance, invite=invite, last=last)
        async with aclosing(self._followed(follower, on_away)) as heard:
            async for told in heard:
                yield told

    async def my_stream(
        self, *, on_away: Callable[[], None] = lambda: None
    ) -> AsyncGenerator[PlayerTold, None]:
        """Everything that concerns the player, wherever it happens, until the caller stops listening.

        It begins with the whole state, and again after every break; it ends only by StreamEnded or Refused.
        """
        follower = PlayerFollower(patience=self.patience, chance=self._chance)
        async with aclosing(self._followed(follower, on_away)) as heard:
            async for told in heard:
                yield told

    async def _followed(
        self, follower: EventFollower[_News], on_away: Callable[[], None]
    ) -> AsyncGenerator[_News, None]:
        while True:
            # The network may break, or a stream fall silent.
            with suppress(httpx.TransportError):
                async with aclosing(self._connection(follower)) as connection:
                    async for told in connection:
                        yield told
            pause = follower.pause()
            if follower.is_away:
                on_away()
            await self._sleep(pause)

    async def _connection(self, follower: EventFollower[_News]) -> AsyncGenerator[_News, None]:
        async with self._http.stream(
            "GET",
            follower.path,
            params=follower.query,
            headers={**follower.begin(), **bearer(self.token)},
            timeout=timeout_of_stream(self.patience),
        ) as response:
            if not is_stream(response.status_code, response.headers):
                follower.turn_away(response.status_code, response.headers, await _read(response))
                return
            async for chunk in response.aiter_bytes():
                for told in follower.feed(chunk):
                    yield told
                if follower.is_left:
                    return


async def _read(response: httpx.Response) -> bytes:
    content = Content()
    async for part in response.aiter_bytes():
        content.add(part)
    return bytes(content)
