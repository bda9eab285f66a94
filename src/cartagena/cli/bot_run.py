"""What `cartagena bot` does once it is in: it sits at several tables at once, and plays each to its end."""

import asyncio
import contextlib
import secrets
import signal
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from cartagena.bots.players.interface import Bot, Budget
from cartagena.cli.bot_challenges import Acceptance, BotChallenges
from cartagena.cli.bot_patience import (
    LONG_PAUSE,
    PATIENCE,
    Log,
    Persistence,
    Seldom,
    TokenEnded,
    is_farewell,
    is_refusal,
    reason_of,
    require_token,
    short,
)
from cartagena.cli.bot_seat import BotSeat, Chair
from cartagena.client import AsyncClient, ClientError, Player, Pledge, Request, tables
from cartagena.client import Refused as NotGranted
from cartagena.client.table_state import TableState
from cartagena.messages.accounts import MeMessage
from cartagena.messages.requests import TermsMessage
from cartagena.messages.updates import TableAnswer
from cartagena.rules.refusals import CartagenaError
from cartagena.terminal.source import Address

PROMISE_SECONDS: Final = 120.0
"""How long a bot that is the host lets a full table wait for somebody who promises no number."""
LEAVING_SECONDS: Final = 5.0
"""How long the last requests may take once the bot is asked to stop."""
KICKING_SECONDS: Final = 5.0
"""How long sending somebody away may take: after that somebody else may sit there."""


class NoBotAccount(CartagenaError):
    """The token is a person's, or a guest's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotPlan:
    """Who plays where: `make` makes a bot for a seat, `terms` are those of tables of its own.

    `accepts` says which challenges it takes; without it, it does not hear of any.
    """

    service: str
    token: str = field(repr=False)
    name: str
    make: Callable[[], Bot]
    budget: Budget
    links: tuple[Address, ...] = ()
    terms: TermsMessage | None = None
    at_once: int = 1
    accepts: Acceptance | None = None
    promise_seconds: float = PROMISE_SECONDS


class BotRun:
    """One bot on one service, until it is asked to stop or has nothing more to do."""

    def __init__(self, plan: BotPlan, client: AsyncClient, who: MeMessage, log: Log) -> None:
        self._plan = plan
        self._client = client
        self._who = who
        self._log = log
        self._persistence = Persistence(client.patience, log)
        self._seats: set[BotSeat] = set()
        self._openings: set[asyncio.Future[TableAnswer]] = set()
        self._deserted: list[str] = []
        self._own: set[str] = set()
        self._taken: set[str] = set()

    async def work(self) -> None:
        """Go on where it sits already, sit down where it is invited, and open tables of its own."""
        mine = await self._persistence.through(lambda: self._client.send(tables.my_games()), "", is_refusal)
        invited = {link.table_id: link for link in self._plan.links}
        left = [str(table.id) for table in mine.tables if str(table.id) not in invited]
        async with asyncio.TaskGroup() as group:
            sit = partial(self._take, group)
            for link in invited.values():
                group.create_task(self._play_at(link.table_id, link.invite))
            if self._plan.terms is not None:
                for _ in range(self._plan.at_once):
                    first = left.pop() if left else None
                    self._own |= {first} if first else set()
                    group.create_task(self._keep_open(self._plan.terms, first))
            for table_id in left:
                sit(table_id, None)
            if self._plan.accepts is not None:
                hearing = BotChallenges(
                    self._plan.accepts,
                    self._client,
                    self._who.id,
                    tables=self._taken,
                    sit=sit,
                    log=self._log,
                )
                group.create_task(hearing.listen(self._persistence, self._away))

    def _take(self, group: asyncio.TaskGroup, table_id: str, pledge: Pledge | None) -> None:
        """Play where it sits already, unless it plays there."""
        if table_id not in self._taken | self._own:
            self._taken.add(table_id)
            playing = group.create_task(self._play(lambda: self._seated(table_id, None, pledge), table_id))
            playing.add_done_callback(lambda _: self._taken.discard(table_id))

    def note(self) -> None:
        """Note where nobody else has come, before all seats are given up; and tell how many games wait."""
        games = sum(seat.player.standing.table.stage == "running" for seat in self._seats)
        self._log("bot.stopping", games=games)
        self._deserted = [seat.player.table_id for seat in self._seats if seat.waits_alone]

    async def leave(self) -> None:
        """Get up where nobody else had come, so that no table waits for a bot that is gone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVING_SECONDS):
                found = await asyncio.gather(*self._openings, return_exceptions=True)
                self._deserted += [one.id for one in found if isinstance(one, TableAnswer)]
        for table_id in self._deserted:
            with contextlib.suppress(ClientError, TimeoutError):
                async with asyncio.timeout(LEAVING_SECONDS):
                    await self._client.send(tables.leave(table_id))

    async def _keep_open(self, terms: TermsMessage, table_id: str | None) -> None:
        """Play at a table of its own, and open the next one when its game is over; begin at `table_id`."""
        failures = 0
        while True:
            if table_id is not None:
                went_well = await self._play_at(table_id, None)
            else:
                went_well = await self._play(self._opener(terms), "")
            table_id, failures = None, 0 if went_well else failures + 1
            if failures:
                await asyncio.sleep(self._persistence.pause(failures))

    async def _play_at(self, table_id: str, invite: str | None) -> bool:
        return await self._play(lambda: self._seated(table_id, invite), table_id)

    async def _play(self, sit: Callable[[], Awaitable[Player]], table_id: str) -> bool:
        """Sit down and play to the end; returns whether that was possible. Raises TokenEnded."""
        try:
            player = await self._persistence.through(sit, table_id, is_refusal)
            table_id = player.table_id
            seat = BotSeat(player, self._plan.make(), self._plan.budget)
            self._seats.add(seat)
            try:
                await self._persistence.through(lambda: self._listen(seat), table_id, is_farewell)
                await self._persistence.through(lambda: self._finish(player), table_id, is_refusal)
            finally:
                self._seats.discard(seat)
                await self._close(seat)
        except TokenEnded:
            raise
        except CartagenaError as error:
            self._log("bot.refused", table=short(table_id), reason=error)
            return False
        return True

    async def _close(self, seat: BotSeat) -> None:
        try:
            await seat.close()
        except Exception as error:  # noqa: BLE001 - whatever the code of another author raises
            self._log("bot.unclosed", table=short(seat.player.table_id), reason=reason_of(error))

    def _opener(self, terms: TermsMessage) -> Callable[[], Awaitable[Player]]:
        """Opens one table, even if it has to ask twice."""
        pledge = Pledge.draw(secrets.token_bytes)
        request = tables.open_table(terms, nonce_hash=pledge.nonce_hash)
        return lambda: self._opened(request, pledge)

    async def _opened(self, request: Request[TableAnswer], pledge: Pledge) -> Player:
        # It is finished even when the bot is asked to stop: a table in the lobby would wait for its host.
        opening = asyncio.ensure_future(self._client.send(request))
        self._openings.add(opening)
        try:
            found = await asyncio.shield(opening)
        except ClientError:
            self._openings.discard(opening)
            raise
        self._openings.discard(opening)
        self._log("bot.opened", table=short(found.id), link=self._link(found.id, found.invite))
        return Player(found.current, self._who.id, _no_choice, pledge=pledge, invite=found.invite)

    async def _seated(self, table_id: str, invite: str | None, promised: Pledge | None = None) -> Player:
        """Take a seat with a promise for the shuffle, or come back to it; `promised` is one made before."""
        send, pledge = self._client.send, promised or Pledge.draw(secrets.token_bytes)
        found = await send(tables.see(table_id, invite=invite))
        if found.seat is not None and promised is not None and found.table.stage != "over":
            return Player(found.current, self._who.id, _no_choice, pledge=pledge, invite=found.invite)
        if found.seat is not None and found.table.stage != "open":
            self._log("bot.back", table=short(table_id), link=self._link(table_id, found.invite))
            return Player(found.current, self._who.id, _no_choice, invite=found.invite)
        if found.seat is None:
            await send(tables.sit(table_id, nonce_hash=pledge.nonce_hash, invite=invite))
        else:
            # The number that was promised before is gone with the program that drew it.
            await send(tables.promise(table_id, pledge.nonce_hash))
        found = await send(tables.see(table_id, invite=invite))
        self._log("bot.sits", table=short(table_id), link=self._link(table_id, found.invite))
        return Player(found.current, self._who.id, _no_choice, pledge=pledge, invite=found.invite)

    async def _listen(self, seat: BotSeat) -> None:
        """Play until the game is over; at a table of its own, also send away who is gone."""
        seat.forget_choice()
        kicking = asyncio.create_task(self._send_away_silent(seat))
        try:
            await self._hear(seat)
        finally:
            kicking.cancel()
            await asyncio.wait([kicking])

    async def _send_away_silent(self, seat: BotSeat) -> None:
        """Free the chairs of those who sat down and are gone: without their number no game begins."""
        while True:
            await asyncio.sleep(self._plan.promise_seconds)
            for silent in seat.silent_for(self._plan.promise_seconds):
                try:
                    async with asyncio.timeout(KICKING_SECONDS):
                        await self._send_away(seat, silent)
                except NotGranted:
                    continue  # The table has moved on, and the stream says to where.
                except (CartagenaError, TimeoutError) as error:
                    table = short(seat.player.table_id)
                    self._log("bot.unkicked", table=table, seat=silent[0] + 1, reason=reason_of(error))

    async def _send_away(self, seat: BotSeat, silent: Chair) -> None:
        """Kick who still sits there. A kick names only the chair: a late or second one would hit another."""
        player = seat.player
        seat.hear((await self._client.send(tables.see(player.table_id, invite=player.invite))).current)
        if silent not in seat.silent_for(self._plan.promise_seconds):
            return
        once = replace(tables.kick(player.table_id, silent[0]), repeatable=False)
        kicked = await self._client.send(once)
        seat.hear(kicked)
        self._log("bot.kicks", table=short(player.table_id), seat=silent[0] + 1)

    async def _hear(self, seat: BotSeat) -> None:
        player, stage = seat.player, seat.player.standing.table.stage
        stream = self._client.stream(player.table_id, invite=player.invite, on_away=self._away)
        async with aclosing(stream) as heard:
            async for told in heard:
                seat.hear(told)
                await self._answer(seat)
                if stage != "running" and player.standing.table.stage == "running":
                    self._log("bot.begins", table=short(player.table_id), against=self._others(player))
                stage = player.standing.table.stage
                if player.is_done:
                    break

    async def _answer(self, seat: BotSeat) -> None:
        """Send what the seat wishes, until it has to wait."""
        player = seat.player
        while True:
            try:
                await seat.think()
            except Exception as error:  # noqa: BLE001 - whatever the code of another author raises
                await self._give_up(player, error)
                return
            wish = player.wish()
            if wish is None:
                return
            try:
                player.answered(wish, await self._client.send(wish))
            except NotGranted as error:
                player.refused(error)

    async def _give_up(self, player: Player, error: Exception) -> None:
        """Resign, so that nobody waits for a bot that cannot choose."""
        self._log("bot.failed", table=short(player.table_id), reason=reason_of(error))
        resigned = await self._client.send(tables.resign(player.table_id))
        player.hear(resigned)

    async def _finish(self, player: Player) -> None:
        table, name = player.standing.table, short(player.table_id)
        if not player.standing.is_over or table.ending == "closed":
            self._log("bot.gone", table=name)
            return
        player.check(await self._client.send(tables.record(player.table_id, invite=player.invite)))
        if table.winner is None:
            self._log("bot.nobody", table=name)
        else:
            self._log("bot.over", table=name, winner=table.chairs[table.winner].name)

    def _others(self, player: Player) -> str:
        chairs = player.standing.table.chairs
        return ", ".join(chair.name for chair in chairs if chair.player != str(self._who.id))

    def _link(self, table_id: str, invite: str | None) -> str:
        return Address(service=self._plan.service, table_id=table_id, invite=invite).link

    def _away(self) -> None:
        self._log("bot.away", service=self._plan.service)


def _no_choice(_: TableState) -> None:
    """Stands in until what thinks has come."""


async def run(plan: BotPlan, log: Log) -> None:
    """Play as the plan says, until there is nothing more to do or the process is asked to stop.

    Raises NoBotAccount, TokenEnded, or another ClientError if the service cannot be understood.
    """
    log = Seldom(log)

    async def sleep(seconds: float) -> None:
        if seconds >= LONG_PAUSE:
            log("bot.away", service=plan.service)
        await asyncio.sleep(seconds)

    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        # Windows has no signals in its event loop: there Ctrl+C ends the program at once.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with AsyncClient(plan.service, token=plan.token, patience=PATIENCE, sleep=sleep) as client:
        await _played(plan, client, log, stopped)
    log("bot.stopped")


async def _played(plan: BotPlan, client: AsyncClient, log: Log, stopped: asyncio.Event) -> None:
    asking = asyncio.ensure_future(client.send(tables.me()))
    if not await _done(asking, stopped):
        return
    try:
        who = asking.result()
    except ClientError as error:
        require_token(error)
        raise
    if not who.is_bot:
        raise NoBotAccount
    log("bot.in", name=who.name, service=plan.service, engine=plan.name)
    bot = BotRun(plan, client, who, log)
    working = asyncio.ensure_future(bot.work())
    try:
        if await _done(working, stopped, at_stop=bot.note):
            working.result()
    except* CartagenaError as ended:
        raise ended.exceptions[0] from None
    await bot.leave()


async def _done(
    work: asyncio.Future[Any], stopped: asyncio.Event, at_stop: Callable[[], None] = lambda: None
) -> bool:
    """Wait for work to be done; if the bot is asked to stop before, call `at_stop`, and cancel the work."""
    stopping = asyncio.ensure_future(stopped.wait())
    await asyncio.wait([work, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if work.done():
        return True
    at_stop()
    work.cancel()
    await asyncio.wait([work])
    return False
