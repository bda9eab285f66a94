"""Twin games on twin services: two databases that differ in hidden cards, and the same requests to both."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch
from uuid import UUID, uuid4

import httpx
import uvicorn
from prometheus_client import CollectorRegistry

from cartagena.client.stream import PREFERENCES
from cartagena.endpoints.routing import Route
from cartagena.fairness import SIZE
from cartagena.fairness import record as fair_record
from cartagena.fairness import shuffle as fair_shuffle
from cartagena.fairness.shuffle import Shuffle
from cartagena.rules.board import Board
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import seen, view
from cartagena.rules.legality import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.pages import lookups
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import upgrade
from cartagena.server.web_app import opened_web
from harness.noninterference.requests import HEADERS, Asked, plain
from harness.services import own_database

SAME_ON_TOP: Final = 40
"""How many cards on top of the stock stay the same; once more are drawn, a game is compared no further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Everything that chance decides when a game begins."""

    board: Board
    first_seat: int
    order: tuple[int, ...]


Deals = dict[str, Deal]
"""How each game begins, by the id of its shuffle."""


@contextmanager
def dealing(deals: Deals) -> Iterator[None]:
    """Begin games with these deals while the block lasts; other games and all renewals are drawn as usual."""
    board, order, first_seat = fair_shuffle.draw_board, fair_shuffle.draw_deal, Shuffle.first_seat

    def board_told(shuffle: Shuffle, ruleset: Ruleset) -> Board:
        told = deals.get(shuffle.game_id)
        return board(shuffle, ruleset) if told is None else told.board

    def order_told(shuffle: Shuffle, ruleset: Ruleset) -> tuple[int, ...]:
        told = deals.get(shuffle.game_id)
        return order(shuffle, ruleset) if told is None else told.order

    def first_seat_told(shuffle: Shuffle) -> int:
        told = deals.get(shuffle.game_id)
        return first_seat(shuffle) if told is None else told.first_seat

    with ExitStack() as patched:
        for place in (fair_shuffle, fair_record):
            patched.enter_context(patch.object(place, "draw_board", board_told))
            patched.enter_context(patch.object(place, "draw_deal", order_told))
        patched.enter_context(patch.object(Shuffle, "first_seat", first_seat_told))
        yield


def twin_deals(ruleset: Ruleset, seats: int, audience: int | None, chance: Random) -> tuple[Deal, Deal]:
    """Two deals that look the same to an audience: a seat, or None for everyone else."""
    board = fair_shuffle.draw_board(
        fair_shuffle.lone_shuffle("twin", chance.randbytes(SIZE), ruleset, seats), ruleset
    )
    first_seat = chance.randrange(seats)
    one, other = (
        Deal(board=board, first_seat=first_seat, order=order)
        for order in _twin_orders(ruleset, seats, audience, chance)
    )
    return one, other


def _twin_orders(
    ruleset: Ruleset, seats: int, audience: int | None, chance: Random
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    order = list(ruleset.deck())
    chance.shuffle(order)
    hidden = list(_hidden_places(ruleset, seats, audience, len(order)))
    mixed = [order[place] for place in hidden]
    while mixed == [order[place] for place in hidden]:
        chance.shuffle(mixed)
    twin = order[:]
    for place, card in zip(hidden, mixed, strict=True):
        twin[place] = card
    return tuple(order), tuple(twin)


def _hidden_places(ruleset: Ruleset, seats: int, audience: int | None, cards: int) -> Iterator[int]:
    size = ruleset.hand_size
    for seat in range(seats):
        if seat != audience and not ruleset.hands_open:
            yield from range(seat * size, (seat + 1) * size)
    yield from range(min(seats * size + ruleset.row_length + SAME_ON_TOP, cards - 2), cards)


def common_codes(one: Position, other: Position, audience: int | None) -> list[int]:
    """Actions legal in both games that do not tell the audience which of the two it sees."""
    both = sorted(set(legal(one)) & set(legal(other)))
    told = {code: (_told(one, code, audience), _told(other, code, audience)) for code in both}
    return [code for code, (here, there) in told.items() if here is not None and here == there]


def _told(position: Position, code: int, audience: int | None) -> object:
    """What an audience learns from an action; None if it needs a random draw, which differs in the two."""
    game = UndoableGame(position)
    try:
        told: Sequence[Happening] = game.act(code, _nobody_shuffles)
    except _ChanceSpeaks:
        return None
    after = view(game.position, audience)
    return [seen(each, audience) for each in told], after._replace(legal=()), after.legal


class _ChanceSpeaks(Exception):
    pass


def _nobody_shuffles(_: Sequence[int]) -> Sequence[int]:
    raise _ChanceSpeaks


# Any: JSON as it comes.
Json = dict[str, Any]

PATIENCE: Final = 30.0
JSON: Final = {"Content-Type": "application/json"}
NO_LIMITS: Final = {"CARTAGENA_PACE": "1000000", "CARTAGENA_POOL": "3", "CARTAGENA_DIRECTORY_POOL": "3"}


@dataclass(kw_only=True)
class Heard:
    """An answer: what must be equal in both, and how long it took."""

    told: object
    seconds: float


@dataclass(kw_only=True)
class Twin:
    """One of the two services, and the table that is compared."""

    resources: Resources
    routes: tuple[Route, ...]
    client: httpx.AsyncClient
    names: dict[str, str] = field(default_factory=dict)
    """Ids that differ between the twins, and the common name of each."""
    ids: dict[str, str] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list, repr=False)
    frames: dict[str, list[Any]] = field(default_factory=dict)
    """What the stream has told, by the kind of event: only events of one kind come in a promised order."""
    _heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def done(self, who: int | None, path: str, **body: object) -> Json:
        """Ask for something that must succeed."""
        answer = await self.client.post(
            path, json={"key": str(uuid4()), **body}, headers=self._credentials(who)
        )
        assert answer.is_success, answer.text
        told: Json = answer.json()
        return told

    def _credentials(self, who: int | None) -> dict[str, str]:
        return {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}

    async def people(self, number: int) -> None:
        """Create guests; both twins use the same names."""
        for each in range(number):
            told = (
                await self.client.post("/api/guest", json={"name": f"Guest {each}", "bearer": True})
            ).json()
            self.tokens.append(told["token"])
            self.ids[f"player{each}"] = told["me"]["id"]
            self.names[told["me"]["id"]] = f"<player {each}>"

    async def open(self, terms: Json, seats: int) -> str:
        """Open a table and seat everyone, ready to start; return the id that its shuffle will have."""
        told = await self.done(0, "/api/tables", terms=terms)
        table = told["id"]
        for seat in range(1, seats):
            await self.done(seat, f"/api/tables/{table}/sit", seat=seat)
        self.ids |= {"table": table, "invite": told["invite"]}
        self.names |= {
            table: "<table>",
            told["invite"]: "<invite>",
            told["current"]["table"]["commitment"]: "<commitment>",
        }
        return f"{table}.1"

    @property
    def table(self) -> UUID:
        """The table that is compared."""
        return UUID(self.ids["table"])

    async def standing(self) -> tuple[int, UndoableGame]:
        """The table's seq, and its game with all cards known."""
        table = await self.resources.tables.newest(self.table)
        assert table.game is not None
        return table.seq, table.game

    async def heard(self, who: int | None, asked: Asked) -> Heard:
        """The answer to a request."""
        path = asked.path
        for name, value in self.ids.items():
            path = path.replace(f"{{{name}}}", value)
        headers = self._credentials(who) | (
            {} if asked.body is None else {"Content-Type": "application/json"}
        )
        began = perf_counter()
        answer = await self.client.request(asked.method, path, content=asked.body, headers=headers)
        seconds = perf_counter() - began
        # The name of a file holds the id of its table, and the twins have different ones.
        kept = {
            name: plain(value, self.names) for name, value in answer.headers.items() if name not in HEADERS
        }
        told = (answer.status_code, kept, plain(answer.text, self.names))
        return Heard(told=told, seconds=seconds)

    @asynccontextmanager
    async def followed(self, who: int | None) -> AsyncIterator[None]:
        """Follow the stream of the table while the block lasts, from before anything is asked of it."""
        self.frames.clear()
        task = asyncio.create_task(self._follow(who))
        try:
            await self.until_told(0)
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _follow(self, who: int | None) -> None:
        path = f"/api/tables/{self.table}/stream"
        # A patch tells what changed, and may tell no more than the whole update would.
        headers = {**self._credentials(who), "Prefer": PREFERENCES}
        async with self.client.stream("GET", path, headers=headers, timeout=None) as answer:
            kind = ""
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    told = plain(line.removeprefix("data: "), self.names)
                    self.frames.setdefault(kind, []).append(told)
                    self._heard.set()

    async def until_told(self, seq: int) -> None:
        """Wait until the stream has told this event."""
        async with asyncio.timeout(PATIENCE):
            while max(map(_seq, self._updates()), default=-1) < seq:
                self._heard.clear()
                await self._heard.wait()

    def _updates(self) -> Iterator[Json]:
        """Whole updates and patches."""
        for kind in ("update", "patch"):
            yield from self.frames.get(kind, ())


def _seq(told: Json) -> int:
    """The number of an update, told whole or as a patch."""
    seq = told["seq"]
    return int(seq[0] if isinstance(seq, list) else seq)


@asynccontextmanager
async def twins(server: str) -> AsyncIterator[tuple[Twin, Twin]]:
    """Two services on databases of their own, which are gone at the end."""
    async with AsyncExitStack() as opened:
        # A page says less when its databases are slow, and one of the twins may be slower.
        opened.enter_context(patch.object(lookups, "PATIENCE", PATIENCE))
        yield await opened.enter_async_context(_twin(server)), await opened.enter_async_context(_twin(server))


@asynccontextmanager
async def _twin(server: str) -> AsyncIterator[Twin]:
    async with own_database(server, "twin") as dsn:
        settings = Settings.read({"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": dsn} | NO_LIMITS)
        await upgrade(settings, lambda _: None)
        async with (
            opened_resources(settings, program="cartagena twin") as resources,
            opened_web(resources, CollectorRegistry()) as web,
        ):
            node = uvicorn.Server(uvicorn_config(web.app, port=0, graceful_seconds=1))
            task = asyncio.create_task(node.serve())
            while not node.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event to wait for
                await asyncio.sleep(0.01)
            url = f"http://127.0.0.1:{node.servers[0].sockets[0].getsockname()[1]}"
            async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
                yield Twin(resources=resources, routes=web.routes, client=client)
            await web.hub.drain()
            node.should_exit = True
            await task
