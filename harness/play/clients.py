"""The clients of whole games over HTTP, their accounts, and every byte that they receive."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import httpx

from cartagena.client import AsyncClient, Patience, Player, Refused, TableState, tables
from cartagena.client.request import Request
from cartagena.client.sample_bot import hasty
from cartagena.client.stream import Told
from cartagena.messages import Update
from cartagena.messages.accounts import FinishPasskey, MeMessage
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.passkeys.keys import RelyingParty
from cartagena.server.accounts.passkeys.registration import begin_registration, finish_registration
from cartagena.server.accounts.players import become_guest, me
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import Arrival, SessionKind
from harness.authenticator import Authenticator
from harness.play.plan import SHORT, ClientPlan, Habit


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request of a client and everything that came back, as far as it came."""

    method: str
    path: str
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytearray = field(default_factory=bytearray, repr=False)


class Wire(httpx.AsyncBaseTransport):
    """Sends the requests of one client to the nodes in turn, and keeps all that comes back."""

    def __init__(self, nodes: Sequence[str], *, first: int = 0) -> None:
        self.exchanges: list[Exchange] = []
        self._nodes = itertools.cycle([httpx.URL(node) for node in (*nodes[first:], *nodes[:first])])
        self._transport = httpx.AsyncHTTPTransport(retries=0, trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the next node."""
        node = next(self._nodes)
        request.url = request.url.copy_with(host=node.host, port=node.port)
        request.headers["host"] = f"{node.host}:{node.port}"
        response = await self._transport.handle_async_request(request)
        exchange = Exchange(
            method=request.method,
            path=request.url.path,
            status=response.status_code,
            headers=tuple(response.headers.raw),
        )
        self.exchanges.append(exchange)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Kept(response.stream, exchange.body)
        return response

    async def aclose(self) -> None:
        """Hang up."""
        await self._transport.aclose()


class _Kept(httpx.AsyncByteStream):
    """A byte stream that keeps a copy."""

    def __init__(self, stream: httpx.AsyncByteStream, kept: bytearray) -> None:
        self._stream = stream
        self._kept = kept

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._kept += chunk
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


PROGRAM: Final = Arrival(kind=SessionKind.BEARER, label="cartagena")


async def make_account(directory: Directory, party: RelyingParty, name: str) -> tuple[str, MeMessage]:
    """Make an account with this name; return the token of its session, and the player."""
    admission = await become_guest(directory, name, PROGRAM)
    sessions = SessionCache(directory, on_close=lambda _: None)
    options = await begin_registration(directory, party, admission.session, name)
    credential = Authenticator(party.origins[0]).create(options.public_key)
    answer = FinishPasskey(credential=credential)
    _, renewed = await finish_registration(sessions, party, admission.session, answer)
    return renewed.token, await me(directory, admission.session.player_id)


FAREWELL: Final = "Fair winds, everybody"
"""The host says this after the end; a client that has heard it has heard every earlier line."""
SAYINGS: Final = (
    "Ahoy!",
    "Well played",
    "My turn, is it?",
    "Arr",
    "Wait a moment, please",
    "Good luck to all",
)
NONSENSE: Final = "play treasure 7"
"""Names no action of any ruleset."""
SELDOM: Final = 0.04
RESIGN_TURN: Final = 30
PATIENCE: Final = Patience(tries=30, longest=5.0)


@dataclass(slots=True, kw_only=True)
class Guest:
    """A client with everything it received: raw on its wire, and as its stream told it."""

    plan: ClientPlan
    client: AsyncClient
    http: httpx.AsyncClient
    wire: Wire
    chance: Random
    heard: list[Told] = field(default_factory=list, repr=False)
    standing: TableState | None = None
    """The table as its stream alone has told it."""
    is_dismissed: bool = False
    refusals: "Counter[str]" = field(default_factory=Counter)

    async def close(self) -> None:
        """Hang up."""
        await self.http.aclose()

    def hear(self, told: Told) -> None:
        """Note what the stream tells."""
        self.heard.append(told)
        if isinstance(told, Update):
            self.standing = TableState.of(told) if self.standing is None else self.standing.after(told)
        elif told.text == FAREWELL:
            self.is_dismissed = True

    @property
    def has_heard_all(self) -> bool:
        """Whether the stream has told everything: chat and updates are ordered independently."""
        return self.is_dismissed and self.standing is not None and self.standing.is_over

    def has(self, habit: Habit, likely: float = SELDOM) -> bool:
        """Whether it follows a habit now."""
        return habit in self.plan.habits and self.chance.random() < likely

    # Any: requests of every kind; what comes back is on the wire.
    async def attempt(self, request: Request[Any]) -> Any:
        """Send something that may be refused; None if it is."""
        try:
            return await self.client.send(request)
        except Refused as error:
            self.refusals[error.code] += 1
            return None


def guest_of(plan: ClientPlan, nodes: tuple[str, ...], chance: Random, token: str | None = None) -> Guest:
    """A client that speaks to all nodes in turn, and seems to come from an address of its own."""
    wire = Wire(nodes, first=chance.randrange(len(nodes)))
    headers = {"x-forwarded-for": plan.address, "user-agent": "cartagena"}
    http = httpx.AsyncClient(transport=wire, base_url=nodes[0], headers=headers, trust_env=False)
    client = AsyncClient(nodes[0], token=token, patience=PATIENCE, http=http)
    return Guest(plan=plan, client=client, http=http, wire=wire, chance=chance)


class Seat:
    """A guest who plays, and listens until they have heard everything."""

    def __init__(self, guest: Guest, player: Player, *, is_host: bool) -> None:
        self.guest = guest
        self.player = player
        self._is_host = is_host
        self._has_slept = False
        self._has_resigned = False
        self._has_said_farewell = False

    async def play(self) -> None:
        """Play to the end."""
        guest = self.guest
        async with aclosing(guest.client.stream(self.player.table_id, invite=self.player.invite)) as stream:
            async for told in stream:
                guest.hear(told)
                self.player.hear(told)
                await self._meddle()
                await self._attend()
                if self.player.is_done and self._is_host and not self._has_said_farewell:
                    self._has_said_farewell = True
                    await guest.client.send(tables.say(self.player.table_id, FAREWELL))
                if guest.has_heard_all:
                    return

    async def _attend(self) -> None:
        """Fulfil the player's wishes."""
        while (wish := self.player.wish()) is not None:
            if self.is_my_turn and await self._interrupt():
                continue
            try:
                self.player.answered(wish, await self.guest.client.send(wish))
            except Refused as error:
                self.guest.refusals[error.code] += 1
                self.player.refused(error)
            if self.is_my_turn and self.guest.has(Habit.UNDO, 0.1):
                await self._try(tables.undo(self.player.table_id, seq=self.player.standing.seq))

    @property
    def is_my_turn(self) -> bool:
        """Whether this seat is to act."""
        standing, chair = self.player.standing, self.player.chair
        if chair is None or standing.table.stage != "running" or standing.view is None:
            return False
        return standing.view.to_act == chair.seat

    async def _try(self, request: Request[Update]) -> None:
        told = await self.guest.attempt(request)
        if told is not None:
            self.player.hear(told)

    # Habits.

    async def _interrupt(self) -> bool:
        """Follow a habit instead of playing on; return whether the table may have changed."""
        guest, standing = self.guest, self.player.standing
        if guest.has(Habit.SLEEP, 1) and not self._has_slept:
            self._has_slept = True
            await asyncio.sleep(SHORT.bank + 2)
            return False
        turn = 0 if standing.view is None else standing.view.turn
        if guest.has(Habit.RESIGN, 1) and turn > RESIGN_TURN and not self._has_resigned:
            self._has_resigned = True
            await self._try(tables.resign(self.player.table_id))
            return True
        if guest.has(Habit.BLUNDER):
            await self._blunder()
        return False

    async def _blunder(self) -> None:
        """Send actions that are refused: against the rules, for a past state, and nonsense."""
        table_id, standing = self.player.table_id, self.player.standing
        if standing.wishes is not None and standing.wishes.refused:
            code = self.guest.chance.choice(standing.wishes.refused).actions[0][0]
            await self.guest.attempt(tables.act(table_id, seq=standing.seq, choice=code))
        await self.guest.attempt(tables.act(table_id, seq=standing.seq - 1, choice=hasty(standing)))
        await self.guest.attempt(tables.act(table_id, seq=standing.seq, choice=NONSENSE))

    async def _meddle(self) -> None:
        """Follow habits that need no turn."""
        table_id, standing = self.player.table_id, self.player.standing
        if self.guest.has(Habit.TALK):
            await self.guest.attempt(tables.say(table_id, self.guest.chance.choice(SAYINGS)))
        if self.guest.has(Habit.READ):
            await self.guest.attempt(tables.record(table_id))
            await self.guest.attempt(tables.see(table_id))
        if self.guest.has(Habit.BLUNDER) and not self.is_my_turn:
            await self.guest.attempt(tables.act(table_id, seq=standing.seq, choice=0))
            await self.guest.attempt(tables.undo(table_id, seq=standing.seq))


async def watch(guest: Guest, table_id: str, invite: str | None) -> None:
    """Watch a game until everything was heard, and try what a spectator may not do."""
    async with aclosing(guest.client.stream(table_id, invite=invite)) as stream:
        async for told in stream:
            guest.hear(told)
            if guest.has(Habit.TALK):
                saying = guest.chance.choice(SAYINGS)
                await guest.attempt(tables.say(table_id, saying, invite=invite))
            if guest.has(Habit.READ):
                await guest.attempt(tables.record(table_id, invite=invite))
                await guest.attempt(tables.see(table_id, invite=invite))
            if guest.has(Habit.BLUNDER) and isinstance(told, Update):
                await guest.attempt(tables.act(table_id, seq=told.seq, choice=0))
            if guest.has_heard_all:
                return
