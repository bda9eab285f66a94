"""The clients of `make faults`: they play, repeat themselves and contradict themselves on purpose."""

import asyncio
from contextlib import suppress
from random import Random
from typing import Final
from uuid import UUID

from cartagena.client import tables
from cartagena.client.player import OVERTAKEN, Player
from cartagena.client.request import ClientError, Refused, Request
from cartagena.client.stream import Follower, is_stream
from cartagena.messages.requests import Act
from cartagena.messages.tables import ChatMessage
from cartagena.messages.updates import Update
from harness.faults.sending import TRY_AGAIN, Guest, Running, Seen, Sender
from harness.http_client import Broken, Node

IMPATIENCE: Final = 0.02
"""How long an impatient client waits, in seconds."""


class Client:
    """A seat of a table, with a stream open and a mind of its own."""

    def __init__(
        self, player: Player, guest: Guest, running: Running, chance: Random, *, haste: float = 1
    ) -> None:
        """Make a client that thinks, and stays on a stream, `haste` times shorter than usual."""
        self.player = player
        self.is_at_home = False
        self._is_hasty = haste > 1
        self._think = running.think / haste
        self._stream_seconds = max(3.0, running.stream_seconds / haste)
        self._guest = guest
        self._running = running
        self._chance = chance
        self._sender = Sender(guest, running, chance)
        self._news = asyncio.Event()
        self._chat = 0
        self._last_act: Request[Update] | None = None
        self._naps = chance.random() < 0.5  # noqa: PLR2004 - half of them

    @property
    def seen(self) -> Seen:
        """What it knows now."""
        return Seen(
            game=UUID(self.player.table_id),
            player=self._guest.player_id,
            standing=self.player.standing,
            chat=self._chat,
        )

    # Listening.

    async def listen(self) -> None:
        """Follow the table for as long as anyone plays or stays there, switching between the nodes."""
        patience = self._running.patience
        follower = Follower(self.player.table_id, patience=patience, chance=self._chance.random)
        turn = self._sender.any_node()
        while self._is_listening:
            # Sooner or later every connection breaks, and then its client is away for a while.
            is_cut = await self._stay(self._running.nodes[turn % len(self._running.nodes)], follower)
            turn += 1
            await self._running.sleep(self._chance.uniform(0, self._running.absence))
            await asyncio.sleep(min(follower.pause(), patience.longest))
            if is_cut:
                self._running.returns.append(asyncio.get_running_loop().time())

    async def _stay(self, node: Node, follower: Follower) -> bool:
        """Follow a stream for a while; return whether it was closed before we left it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._chance.uniform(0.2, 1.8) * self._stream_seconds):
                with suppress(Broken):
                    await self._connection(node, follower)
                return True
        return False

    async def _connection(self, node: Node, follower: Follower) -> None:
        guest = self._guest
        async with node.stream(
            follower.path, token=guest.token, address=guest.address, headers=follower.begin()
        ) as (head, chunks):
            if not is_stream(head.status, head.headers):
                self._running.notebook.answers[f"stream {head.word}"] += 1
                if head.status not in TRY_AGAIN:
                    follower.turn_away(head.status, head.headers, head.content)
                return
            async for chunk in chunks:
                for told in follower.feed(chunk):
                    if isinstance(told, ChatMessage):
                        self._chat = told.number
                    self.player.hear(told)
                    self._news.set()
                if follower.place is not None:
                    self._chat = max(self._chat, follower.place.chat)
                if follower.is_left or not self._is_listening:
                    return

    @property
    def _is_listening(self) -> bool:
        return self._running.is_listening and not self.is_at_home

    # Playing.

    async def play(self) -> None:
        """Do what the table asks for, until the run is stopped or the game is over."""
        while self._running.is_playing and not self.player.is_done:
            try:
                wish = self.player.wish()
                if wish is None:
                    await self._hear_more()
                else:
                    await self._fulfil(wish)
            except Broken:
                continue
            except ClientError as error:
                self._running.notebook.surprises[f"{type(error).__name__}: {error}"] += 1
                await self._hear_more()

    async def _hear_more(self) -> None:
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._chance.uniform(1, 3)):
                await self._news.wait()

    async def _fulfil(self, wish: Request[Update]) -> None:
        await self._running.sleep(self._pause(wish))
        wish_now = self.player.wish()
        if wish_now is None or not self._running.is_playing:
            return
        if not isinstance(wish_now.body, Act):
            await self._do(wish_now)
            return
        # Hasty clients are meant to reach the end of a game, so they never give up.
        kinds = _HARMLESS if self._is_hasty else len(_MISCHIEF)
        mischief = self._chance.choices(_MISCHIEF[:kinds], _WEIGHTS[:kinds])[0]
        if mischief is not Client._plain:
            self._running.notebook.mischief[mischief.__name__.strip("_").replace("_", " ")] += 1
        await mischief(self, wish_now)
        self._last_act = wish_now

    def _pause(self, wish: Request[Update]) -> float:
        """How long to think; now and then longer than the clock allows."""
        if not isinstance(wish.body, Act) and not wish.path.endswith("/take-back"):
            return self._chance.random() * 0.2
        thinking = self._chance.uniform(0.2, 1.8) * self._think
        clock = self.player.standing.table.clock
        if clock is None or clock.kind != "live":
            return thinking
        if self._naps and self._chance.random() < 0.05:  # noqa: PLR2004 - seldom
            return clock.bank + 2.0
        return min(thinking, clock.bank / 5)

    async def _do(
        self, request: Request[Update], *, first: int | None = None, seconds: float | None = None
    ) -> None:
        """Send something and take note of what becomes of it."""
        try:
            self.player.answered(request, await self._sender.send(request, first=first, seconds=seconds))
        except Refused as refused:
            # `Player` expects to hear of every refusal, but it sends one request at a time, unlike us.
            before = self.player.standing.seq
            if refused.current is not None:
                self.player.hear(refused.current)
            if refused.code not in OVERTAKEN:
                self._running.notebook.surprises[f"{request.path.rsplit('/')[-1]}: {refused.code}"] += 1
            if self.player.standing.seq == before:
                await self._hear_more()

    # Mischief: each of these must do no harm.

    async def _plain(self, act: Request[Update]) -> None:
        await self._do(act)

    async def _same_request_to_both_nodes(self, act: Request[Update]) -> None:
        await asyncio.gather(self._do(act, first=0), self._do(act, first=1))

    async def _two_requests_for_one_turn(self, act: Request[Update]) -> None:
        """Two nodes write one game at once; only one of them can be right."""
        await asyncio.gather(self._do(act, first=0), self._do(self._other(act, ahead=0), first=1))

    async def _reordered_requests(self, act: Request[Update]) -> None:
        """The request after this one overtakes it."""
        await asyncio.gather(self._do(self._other(act, ahead=1)), self._do_after(0.005, act))

    async def _do_after(self, seconds: float, act: Request[Update]) -> None:
        await asyncio.sleep(seconds)
        await self._do(act)

    async def _old_request_again(self, act: Request[Update]) -> None:
        if self._last_act is not None:
            await asyncio.gather(self._do(act), self._do(self._last_act))
        else:
            await self._do(act)

    async def _repeated_after_timeout(self, act: Request[Update]) -> None:
        await self._do(act, seconds=IMPATIENCE)

    async def _undone(self, act: Request[Update]) -> None:
        await self._do(act)
        if self._chance.random() < 0.5:  # noqa: PLR2004 - as often as not
            await self._do(tables.undo(self.player.table_id, seq=self.player.standing.seq))

    async def _agreed_and_withdrawn(self, act: Request[Update]) -> None:
        """Send wishes that name no seq: the same one to both nodes, then its opposite."""
        for agrees in (True, False):
            wish = tables.abandon(self.player.table_id, agrees=agrees)
            await asyncio.gather(self._do(wish, first=0), self._do(wish, first=1, seconds=IMPATIENCE))
        await self._do(act)

    async def _chatted(self, act: Request[Update]) -> None:
        await asyncio.gather(self._sender.say(self.player.table_id, "Ahoy"), self._do(act))

    async def _resigned(self, act: Request[Update]) -> None:
        if self._chance.random() < 0.2:  # noqa: PLR2004 - who resigns does not play on
            await self._do(tables.resign(self.player.table_id))
        else:
            await self._do(act)

    def _other(self, act: Request[Update], *, ahead: int) -> Request[Update]:
        body, view = act.body, self.player.standing.view
        assert isinstance(body, Act)
        choices = (view.legal if view is not None else None) or (body.code or 0,)
        return tables.act(self.player.table_id, seq=body.seq + ahead, choice=self._chance.choice(choices))


_MISCHIEF: Final = (
    Client._plain,  # noqa: SLF001 - its own
    Client._same_request_to_both_nodes,  # noqa: SLF001 - its own
    Client._two_requests_for_one_turn,  # noqa: SLF001 - its own
    Client._reordered_requests,  # noqa: SLF001 - its own
    Client._old_request_again,  # noqa: SLF001 - its own
    Client._repeated_after_timeout,  # noqa: SLF001 - its own
    Client._undone,  # noqa: SLF001 - its own
    Client._chatted,  # noqa: SLF001 - its own
    Client._agreed_and_withdrawn,  # noqa: SLF001 - its own
    Client._resigned,  # noqa: SLF001 - its own
)
_WEIGHTS: Final = (56, 8, 8, 6, 6, 6, 4, 2, 2, 2)
_HARMLESS: Final = len(_MISCHIEF) - 2
"""The last two may end a game."""
