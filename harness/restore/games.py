"""The games of the restore drill: people who play over HTTP, and remember what was acknowledged."""

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final
from uuid import UUID

from cartagena.client import AsyncClient, Patience, Player, Pledge, Refused, tables
from cartagena.client.request import Answer, Request
from cartagena.client.sample_bot import hasty
from cartagena.fairness.record import verify_record
from cartagena.messages.requests import Act, TermsMessage
from cartagena.rules.ruleset import PRESETS

LEVEL: Final = "sailor"
PATIENCE: Final = Patience(tries=10, longest=2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """An action that a player was told is done."""

    game: UUID
    key: UUID


class NotingClient(AsyncClient):
    """A client that remembers every action that was acknowledged."""

    def __init__(self, url: str, noted: list[Acknowledged], token: str | None = None) -> None:
        super().__init__(url, token=token, patience=PATIENCE)
        self._noted = noted

    async def send(self, request: Request[Answer]) -> Answer:
        """Ask, and note what was done."""
        answer = await super().send(request)
        if isinstance(request.body, Act):
            game = UUID(request.path.split("/")[3])
            self._noted.append(Acknowledged(game=game, key=request.body.key))
        return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player at one table, with the token of their session."""

    player_id: UUID
    token: str = field(repr=False)
    table_id: str


class Evening:
    """All tables of the drill; `noted` grows with every action that is acknowledged."""

    def __init__(self, seed: int) -> None:
        self.people: list[Person] = []
        self.noted: list[Acknowledged] = []
        self._chance = Random(seed)

    @property
    def tables(self) -> list[str]:
        """The ids of all tables, in the order of their opening."""
        return list(dict.fromkeys(person.table_id for person in self.people))

    def at(self, table_ids: Sequence[str]) -> list[Person]:
        """The people who sit at these tables."""
        return [person for person in self.people if person.table_id in table_ids]

    async def open(self, url: str, number: int) -> list[str]:
        """Open `number` tables of two people and a bot, of every ruleset in turn, and start their games."""
        presets = sorted(PRESETS)
        opened = []
        for place in range(number):
            terms = TermsMessage(ruleset=presets[place % len(presets)], seats=3)
            opened.append(await self._open(url, terms))
        return opened

    async def _open(self, url: str, terms: TermsMessage) -> str:
        table_id = ""
        come: list[tuple[Person, Player]] = []
        for place in range(2):
            async with NotingClient(url, self.noted) as client:
                me = await client.become_guest(f"Anne {len(self.people)}")
                assert client.token is not None, "a guest has a token"
                pledge = Pledge.draw(secrets.token_bytes)
                if place == 0:
                    opened = await client.send(
                        tables.open_table(terms, bots=(LEVEL,), nonce_hash=pledge.nonce_hash)
                    )
                    told, table_id = opened.current, opened.id
                else:
                    told = await client.send(tables.sit(table_id, nonce_hash=pledge.nonce_hash))
                person = Person(player_id=me.id, token=client.token, table_id=table_id)
                come.append((person, Player(told, me.id, hasty, pledge=pledge)))
                self.people.append(person)
        await asyncio.gather(*(self._until_running(url, *one) for one in come))
        return table_id

    async def _until_running(self, url: str, person: Person, player: Player) -> None:
        """Fulfil the player's wishes until cards are dealt."""
        async with NotingClient(url, self.noted, person.token) as client:
            async for told in client.stream(person.table_id):
                player.hear(told)
                while player.standing.table.stage != "running" and (wish := player.wish()) is not None:
                    try:
                        player.answered(wish, await client.send(wish))
                    except Refused as error:
                        player.refused(error)
                if player.standing.table.stage == "running":
                    return

    async def play(self, url: str, people: Sequence[Person], pause: float) -> None:
        """Let them play, each choice after a pause, until their games are over or this task is cancelled."""
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(self._play(url, person, pause))

    async def _play(self, url: str, person: Person, pause: float) -> None:
        """Join the table knowing nothing of it, as after a page reload, and play on."""
        async with NotingClient(url, self.noted, person.token) as client:
            seen = await client.send(tables.see(person.table_id))
            player = Player(seen.current, person.player_id, hasty)
            async for told in client.stream(person.table_id):
                player.hear(told)
                while (wish := player.wish()) is not None:
                    await asyncio.sleep(pause * self._chance.uniform(0.5, 1.5))
                    try:
                        player.answered(wish, await client.send(wish))
                    except Refused as error:
                        player.refused(error)
                if player.is_done:
                    return

    async def records_hold(self, url: str, table_ids: Sequence[str]) -> int:
        """How many of the tables have a record that can be verified from the promise to the end."""
        held = 0
        for table_id in table_ids:
            person = self.at([table_id])[0]
            async with NotingClient(url, self.noted, person.token) as client:
                record = await client.send(tables.record(table_id))
            held += verify_record(record).holds
        return held

    async def admitted(self, url: str) -> list[Person]:
        """The people whose session is still known."""
        known = []
        for person in self.people:
            async with NotingClient(url, self.noted, person.token) as client:
                with suppress(Refused):
                    await client.send(tables.me())
                    known.append(person)
        return known
