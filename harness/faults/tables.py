"""The tables of `make faults`: rulesets, seats, bots and clocks by chance, opened and filled under fire."""

import asyncio
from contextlib import suppress
from random import Random
from typing import Final
from uuid import UUID

from cartagena.client import tables
from cartagena.client.fairness import Pledge
from cartagena.client.player import Choose, Player
from cartagena.client.request import ClientError, Request
from cartagena.client.sample_bot import hasty
from cartagena.client.table_state import TableState
from cartagena.messages.requests import OpenTable, TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.messages.updates import TableAnswer
from cartagena.rules.ruleset import PRESETS
from cartagena.tables.table import EventKind
from harness.faults.players import Client
from harness.faults.sending import Ack, Guest, Running, Sender
from harness.http_client import Broken

LEVEL: Final = "sailor"
"""The quickest of the levels that play to win: strength does not matter here."""
MOST_PEOPLE: Final = 3
HASTE: Final = 10
QUICK: Final = 0.12
MOST_QUICK: Final = 60
"""At most this many tables play `HASTE` times faster, so that games also end while everything breaks."""
TIMED: Final = 1 / 3
"""The share of tables with a clock that runs out easily."""
SLOW: Final = 1 / 4
"""The share of the others whose clock gives days."""
LINGERING: Final = 20.0
"""How many seconds people stay at a table after the game: by then pending news has arrived."""


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
        """Start `games` games evenly over `seconds`; about `most_timed` at most have a short clock."""
        self._quick = min(QUICK, MOST_QUICK / games)
        self._timed = min(TIMED, most_timed / games)
        for number in range(games):
            chance = Random(self._chance.getrandbits(64))
            task = asyncio.create_task(self._table(chance, seconds * number / games))
            self._playing.add(task)

    async def finish(self, seconds: float) -> int:
        """Wait until all games have stopped; return how many tasks had to be cancelled."""
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
            # When a game is over another one begins, so that their number stays the same.
            with suppress(Broken):
                clients = await self._seated(chance)
                await asyncio.gather(*(client.play() for client in clients))
                # If a bot may still act, all clients stay to hear of it, although they no longer play.
                if all(client.player.is_done for client in clients):
                    self._tasks.add(asyncio.create_task(self._go_home(clients)))

    async def _go_home(self, clients: list[Client]) -> None:
        """Let clients leave a finished game once all of them know the same about it."""
        known = 0
        while known != 1:
            await asyncio.sleep(LINGERING)
            known = len({(client.seen.standing.seq, client.seen.chat) for client in clients})
        for client in clients:
            client.is_at_home = True

    async def _seated(self, chance: Random) -> list[Client]:
        """Open a table and seat its clients."""
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
        """Open a table, sometimes at both nodes at once: the result must be one table."""
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
        ack = Ack(game=UUID(opened.id), key=request.body.key, seq=0, kind=EventKind.OPENED)
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
    """Random terms: any ruleset; a share `timed` gets a short clock, and some of the others days."""
    clock = None
    if chance.random() < timed:
        clock = ClockSettings(kind="live", bank=chance.randint(10, 14), increment=chance.randint(0, 3))
    elif chance.random() < SLOW:
        clock = ClockSettings(kind="correspondence", days=1)
    return TermsMessage(ruleset=chance.choice(sorted(PRESETS)), seats=seats, clock=clock)


def mind(chance: Random) -> Choose:
    """A player's mind: half of them want to win, the others choose anything."""
    own = Random(chance.getrandbits(64))

    def anything(standing: TableState) -> int:
        assert standing.view is not None
        assert standing.view.legal
        return own.choice(standing.view.legal)

    return chance.choice((hasty, anything))
