"""The tables of `make faults`: rulesets, seats, bots and clocks by chance, opened and filled under fire."""

import asyncio
from contextlib import suppress
from random import Random
from typing import Final
from uuid import UUID

from cartagena.client import tables
from cartagena.client.answers import TableAnswer
from cartagena.client.errors import ClientError
from cartagena.client.player import Choose, Player
from cartagena.client.promise import Pledge
from cartagena.client.request import Request
from cartagena.client.sample_bot import hasty
from cartagena.client.standing import Standing
from cartagena.messages.requests import OpenTable, TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.rules.ruleset import PRESETS
from cartagena.server.tables.table import Kind
from tools.faults_http import Broken
from tools.faults_notes import Ack
from tools.faults_players import Client
from tools.faults_sending import Guest, Running, Sender

LEVEL: Final = "sailor"
"""Of the levels that play to win, the one that thinks least: this is no contest."""
MOST_PEOPLE: Final = 3
HASTE: Final = 10
QUICK: Final = 0.12
MOST_QUICK: Final = 60
"""Some tables play much faster, so that games also end while everything breaks; but so many at most."""
TIMED: Final = 1 / 3
"""Some have a clock that is easily missed."""
SLOW: Final = 1 / 4
"""Of the others some have days."""
LINGERING: Final = 20.0
"""So many seconds people stay at a table after the game: whatever was under way is told by then."""


class Tables:
    """All tables, each with its clients; `clients` fills up as they sit down."""

    def __init__(self, guests: list[Guest], running: Running, chance: Random) -> None:
        self._guests = guests
        self._running = running
        self._chance = chance
        self.clients: list[Client] = []
        self._quick = QUICK
        self._timed = TIMED
        self._tasks: set[asyncio.Task[None]] = set()
        self._playing: set[asyncio.Task[None]] = set()

    def start(self, games: int, seconds: float, most_timed: int) -> None:
        """Begin so many games, spread over so many seconds; at most so many of them have little time."""
        self._quick = min(QUICK, MOST_QUICK / games)
        self._timed = min(TIMED, most_timed / games)
        for number in range(games):
            chance = Random(self._chance.getrandbits(64))
            task = asyncio.create_task(self._table(chance, seconds * number / games))
            self._playing.add(task)

    async def finish(self, seconds: float) -> int:
        """Wait until nobody plays any longer; how many tasks had to be interrupted."""
        _, late = await asyncio.wait(self._playing, timeout=seconds)
        for task in late:
            task.cancel()
        for task in self._playing - late:
            task.result()
        return len(late)

    async def close(self) -> None:
        """Hang up."""
        for task in (*self._playing, *self._tasks):
            task.cancel()
        await asyncio.gather(*self._playing, *self._tasks, return_exceptions=True)

    # One table.

    async def _table(self, chance: Random, pause: float) -> None:
        await asyncio.sleep(pause)
        while self._running.is_playing:
            # When a game is over another one begins, so that there are always as many.
            with suppress(Broken):
                clients = await self._seated(chance)
                await asyncio.gather(*(client.play() for client in clients))
                # Where a bot may still choose, everybody stays to be told, though nobody plays any longer.
                if all(client.player.is_done for client in clients):
                    self._tasks.add(asyncio.create_task(self._go_home(clients)))

    async def _go_home(self, clients: list[Client]) -> None:
        """Nobody watches a finished game for ever: they leave once all of them know the same of it."""
        known = 0
        while known != 1:
            await asyncio.sleep(LINGERING)
            known = len({(client.seen.standing.seq, client.seen.chat) for client in clients})
        for client in clients:
            client.is_at_home = True

    async def _seated(self, chance: Random) -> list[Client]:
        """Open a table and let everybody sit down."""
        quick = chance.random() < self._quick
        seats = 2 if quick else chance.choice((2, 2, 3, 3, 4, 5))
        people = chance.sample(self._guests, chance.randint(1, min(seats, MOST_PEOPLE)))
        pledge = Pledge.draw(chance.randbytes)
        request = tables.open_table(
            terms_of(chance, seats, timed=self._timed),
            bots=(LEVEL,) * (seats - len(people)),
            nonce_hash=pledge.nonce_hash,
        )
        opened = await self._open(people[0], request, chance)
        clients: list[Client] = []
        for guest in people:
            told = opened.current
            if clients:
                pledge = Pledge.draw(chance.randbytes)
                sit = tables.sit(opened.id, nonce_hash=pledge.nonce_hash, invite=opened.invite)
                told = await Sender(guest, self._running, chance).send(sit)
            choose = hasty if quick else mind(chance)
            player = Player(told, guest.player_id, choose, pledge=pledge)
            own = Random(chance.getrandbits(64))
            clients.append(Client(player, guest, self._running, own, haste=HASTE if quick else 1))
            self._listen(clients[-1])
        return clients

    async def _open(self, host: Guest, request: Request[TableAnswer], chance: Random) -> TableAnswer:
        """Open a table, sometimes at both nodes at once: it must be one and the same."""
        sender = Sender(host, self._running, chance)
        both = chance.random() < 0.2  # noqa: PLR2004 - now and then
        opened = await asyncio.gather(*(self._opened(sender, request, node) for node in range(1 + both)))
        if len({answer.id for answer in opened}) > 1:
            self._running.notebook.surprises["one request opened two tables"] += 1
        return opened[0]

    async def _opened(self, sender: Sender, request: Request[TableAnswer], node: int) -> TableAnswer:
        answer = await sender.ask(request, first=node)
        opened = request.answer(answer.status, answer.content)
        assert isinstance(request.body, OpenTable)
        ack = Ack(game=UUID(opened.id), key=request.body.key, seq=0, kind=Kind.OPENED)
        self._running.notebook.acks.append(ack)
        return opened

    def _listen(self, client: Client) -> None:
        self.clients.append(client)
        self._tasks.add(asyncio.create_task(self._listening(client)))

    async def _listening(self, client: Client) -> None:
        try:
            await client.listen()
        except ClientError as error:
            self._running.notebook.surprises[f"stream {type(error).__name__}: {error}"] += 1


def terms_of(chance: Random, seats: int, *, timed: float) -> TermsMessage:
    """Some ruleset; a share of the tables has little time, and some of the others days."""
    clock = None
    if chance.random() < timed:
        clock = ClockSettings(kind="live", bank=chance.randint(10, 14), increment=chance.randint(0, 3))
    elif chance.random() < SLOW:
        clock = ClockSettings(kind="correspondence", days=1)
    return TermsMessage(ruleset=chance.choice(sorted(PRESETS)), seats=seats, clock=clock)


def mind(chance: Random) -> Choose:
    """Half of the players want to win; the others do anything."""
    own = Random(chance.getrandbits(64))

    def anything(standing: Standing) -> int:
        assert standing.view is not None
        assert standing.view.legal
        return own.choice(standing.view.legal)

    return chance.choice((hasty, anything))
