"""The client for programs that wait for each answer."""

import random
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from types import TracebackType
from typing import Self, TypeVar

import httpx

from cartagena.client.player import Player
from cartagena.client.request import Answer, Chance, Patience, Refused, Request, bearer, token_of
from cartagena.client.sending import USER_AGENT, Content, Tries, timeout, timeout_of_stream, trusted
from cartagena.client.stream import (
    EventFollower,
    Follower,
    PlayerFollower,
    PlayerTold,
    Told,
    is_stream,
)
from cartagena.client.table_state import TableState
from cartagena.client.tables import TableId, become_guest
from cartagena.messages.accounts import MeMessage

_News = TypeVar("_News")


class Client:
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
        http: httpx.Client | None = None,
        chance: Chance = random.random,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.token = token
        self.patience = patience or Patience()
        self._http = http or httpx.Client(base_url=url, headers=USER_AGENT, verify=trusted())
        self._is_own = http is None
        self._chance = chance
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        if self._is_own:
            self._http.close()

    def become_guest(self, name: str | None = None) -> MeMessage:
        """Come in as a guest, and be that guest from now on."""
        signed_in = self.send(become_guest(name))
        self.token = token_of(signed_in)
        return signed_in.me

    def send(self, request: Request[Answer]) -> Answer:
        """Send a request, again and unchanged if need be; raises Refused, Unreachable or Misunderstood."""
        tries = Tries(self.patience, request, self._chance)
        while True:
            try:
                with self._http.stream(
                    request.method,
                    request.path,
                    params=request.query,
                    content=request.content,
                    headers={**request.headers, **bearer(self.token)},
                    timeout=timeout(self.patience),
                ) as response:
                    content = _read(response)
            except httpx.TransportError as error:
                pause = tries.pause_after_error(error)
            else:
                wait = tries.pause_after(response.status_code, response.headers.get("retry-after"))
                if wait is None:
                    return request.answer(response.status_code, content)
                pause = wait
            self._sleep(pause)

    def stream(
        self, table_id: TableId, *, invite: str | None = None, last: str | None = None
    ) -> Generator[Told, None, None]:
        """Everything that happens at a table, and every line of chat, until the caller stops listening.

        It begins with the whole state, or goes on after the place `last`: the numbers of the last update and
        of the last line of chat that were heard, as in "17.3". It comes back by itself after every break and
        misses nothing; it ends only by StreamEnded or Refused.
        """
        follower = Follower(table_id, patience=self.patience, chance=self._chance, invite=invite, last=last)
        return self._followed(follower)

    def my_stream(self) -> Generator[PlayerTold, None, None]:
        """Everything that concerns the player, wherever it happens, until the caller stops listening.

        It begins with the whole state, and again after every break; it ends only by StreamEnded or Refused.
        """
        return self._followed(PlayerFollower(patience=self.patience, chance=self._chance))

    def _followed(self, follower: EventFollower[_News]) -> Generator[_News, None, None]:
        while True:
            # The network may break, or a stream fall silent.
            with suppress(httpx.TransportError):
                yield from self._connection(follower)
            self._sleep(follower.pause())

    def _connection(self, follower: EventFollower[_News]) -> Iterator[_News]:
        with self._http.stream(
            "GET",
            follower.path,
            params=follower.query,
            headers={**follower.begin(), **bearer(self.token)},
            timeout=timeout_of_stream(self.patience),
        ) as response:
            if not is_stream(response.status_code, response.headers):
                follower.turn_away(response.status_code, response.headers, _read(response))
                return
            for chunk in response.iter_bytes():
                yield from follower.feed(chunk)
                if follower.is_left:
                    return

    def play(self, player: Player) -> TableState:
        """Let a player play at its table until the game is over, or until it is no longer there."""
        with closing(self.stream(player.table_id, invite=player.invite)) as stream:
            for told in stream:
                player.hear(told)
                self.grant(player)
                if player.is_done:
                    break
        return player.standing

    def grant(self, player: Player) -> None:
        """Send what a player wishes, one thing after the other, until it has to wait."""
        while (wish := player.wish()) is not None:
            try:
                player.answered(wish, self.send(wish))
            except Refused as error:
                player.refused(error)


def _read(response: httpx.Response) -> bytes:
    content = Content()
    for part in response.iter_bytes():
        content.add(part)
    return bytes(content)
