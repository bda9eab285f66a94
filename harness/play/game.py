"""One game over HTTP: its table is opened, its clients come, play and read the record."""

import asyncio
import secrets
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Final

from cartagena.client import Player, Pledge, tables
from cartagena.client.sample_bot import hasty
from cartagena.client.stream import Told
from cartagena.messages.accounts import MeMessage
from cartagena.messages.updates import TableAnswer
from cartagena.notation import Record, format_record
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.passkeys.keys import RelyingParty
from harness.play.clients import Guest, Seat, guest_of, make_account, watch
from harness.play.plan import ClientPlan, GamePlan
from harness.play.secrets import Listener

LONGEST_GAME: Final = 1_800.0
PARTY: Final = RelyingParty(id="localhost", name="Cartagena", origins=("http://localhost",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one client heard on its stream, and the record that it was given in the end."""

    listener: Listener
    told: tuple[Told, ...] = field(repr=False)
    record: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game as its clients saw it; `troubles` are sentences about what went wrong for them."""

    plan: GamePlan
    table_id: str
    clients: tuple[Heard, ...] = field(repr=False)
    refusals: "Counter[str]"
    troubles: tuple[str, ...]

    @property
    def bytes_received(self) -> int:
        """How many bytes all clients together were sent."""
        exchanges = [exchange for heard in self.clients for exchange in heard.listener.exchanges]
        return sum(len(exchange.body) for exchange in exchanges)


class Table:
    """A table and those who come to it."""

    def __init__(self, plan: GamePlan, nodes: tuple[str, ...], directory: Directory, seed: int) -> None:
        self._plan = plan
        self._nodes = nodes
        self._directory = directory
        self._chance = Random(f"clients {seed} {plan.number}")
        self._seats: list[Seat] = []
        self._watchers: list[Guest] = []
        self._invite: str | None = None

    async def play(self) -> Played:
        """Play the game from opening the table to reading its record."""
        troubles: list[str] = []
        table_id = ""
        clients: tuple[Heard, ...] = ()
        async with AsyncExitStack() as leaving:
            try:
                async with asyncio.timeout(LONGEST_GAME):
                    table_id = await self._sit_down(leaving)
                    await self._until_over(table_id)
                    clients = await self._heard(table_id)
            except Exception as error:  # noqa: BLE001 - a game that fails is told, and the others go on
                troubles += sentences_of(error)
        everybody = [*(seat.guest for seat in self._seats), *self._watchers]
        return Played(
            plan=self._plan,
            table_id=table_id,
            clients=clients,
            refusals=sum((guest.refusals for guest in everybody), Counter()),
            troubles=tuple(troubles),
        )

    # Before the game.

    async def _sit_down(self, leaving: AsyncExitStack) -> str:
        opened: TableAnswer | None = None
        for plan in self._plan.clients:
            guest, me = await self._arrive(plan, leaving, account=self._plan.terms.rated)
            pledge = Pledge.draw(secrets.token_bytes)
            if opened is None:
                opened = await guest.client.send(
                    tables.open_table(self._plan.terms, bots=self._plan.bots, nonce_hash=pledge.nonce_hash)
                )
                told = opened.current
            else:
                told = await guest.client.send(
                    tables.sit(opened.id, nonce_hash=pledge.nonce_hash, invite=opened.invite)
                )
            player = Player(told, me.id, hasty, pledge=pledge)
            self._seats.append(Seat(guest, player, is_host=not self._seats))
        assert opened is not None, "a game has clients"
        self._invite = opened.invite
        for plan in self._plan.watchers:
            guest, _ = await self._arrive(plan, leaving, account=False)
            self._watchers.append(guest)
        return opened.id

    async def _arrive(
        self, plan: ClientPlan, leaving: AsyncExitStack, *, account: bool
    ) -> tuple[Guest, MeMessage]:
        chance = Random(self._chance.getrandbits(64))
        if account:
            token, me = await make_account(self._directory, PARTY, plan.name)
            guest = guest_of(plan, self._nodes, chance, token)
            leaving.push_async_callback(guest.close)
            return guest, me
        guest = guest_of(plan, self._nodes, chance)
        leaving.push_async_callback(guest.close)
        return guest, await guest.client.become_guest(plan.name)

    # During the game.

    async def _until_over(self, table_id: str) -> None:
        watching = [watch(guest, table_id, self._invite) for guest in self._watchers]
        async with asyncio.TaskGroup() as group:
            for doing in (*watching, *(seat.play() for seat in self._seats)):
                group.create_task(doing)

    # After the game.

    async def _heard(self, table_id: str) -> tuple[Heard, ...]:
        heard = []
        for seat in self._seats:
            record = await seat.guest.client.send(tables.record(table_id))
            seat.player.check(record)
            chair = seat.player.chair
            heard.append(self._of(seat.guest, record, None if chair is None else chair.seat))
        for guest in self._watchers:
            record = await guest.client.send(tables.record(table_id, invite=self._invite))
            heard.append(self._of(guest, record, None))
        return tuple(heard)

    @staticmethod
    def _of(guest: Guest, record: Record, seat: int | None) -> Heard:
        listener = Listener(
            name=guest.plan.name,
            seat=seat,
            exchanges=tuple(guest.wire.exchanges),
            token=guest.client.token,
        )
        return Heard(listener=listener, told=tuple(guest.heard), record=format_record(record))


def sentences_of(error: BaseException) -> list[str]:
    """What went wrong, one sentence for each error."""
    if isinstance(error, BaseExceptionGroup):
        return [sentence for one in error.exceptions for sentence in sentences_of(one)]
    return [f"{type(error).__name__}: {error}"]
