"""How the clients of `make faults` send: again and again, to one node and the other, until answered."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar
from uuid import UUID

from cartagena.client import tables
from cartagena.client.request import Patience, Refused, Request
from cartagena.messages.requests import Abandon, Act, Keyed, Undo
from cartagena.messages.updates import Update
from cartagena.server.tables.table import EventKind
from harness.faults.notes import Ack, Answered, Notebook, Refusal
from harness.http_client import Answer, Broken, Node
from harness.linearizability import Operation, Told

TRY_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
"""Answers that do not say whether the request was done: the same request is sent again."""

Wanted = TypeVar("Wanted")


@dataclass(slots=True)
class Running:
    """What all clients have in common.

    In seconds: how long they think, how long a stream lasts, and how long they stay away after it breaks. The
    more clients there are, the more patience they need: otherwise a service that has just recovered would
    spend its time on reconnects of clients that gave up.
    """

    nodes: tuple[Node, ...]
    notebook: Notebook
    think: float
    stream_seconds: float
    absence: float
    patience: Patience
    is_listening: bool = True
    returns: list[float] = field(default_factory=list)
    """When clients reconnected after the server side closed their stream, by the loop's clock."""
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_playing(self) -> bool:
        """Whether the run has not been stopped."""
        return not self.stopped.is_set()

    async def sleep(self, seconds: float) -> None:
        """Wait `seconds`, or until the run is stopped."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stopped.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A client with a session and its own address."""

    player_id: UUID
    token: str = field(repr=False)
    address: str


class Sender:
    """Sends the requests of a guest until they are answered, and writes down what was acknowledged."""

    def __init__(self, guest: Guest, running: Running, chance: Random) -> None:
        self._guest = guest
        self._running = running
        self._chance = chance

    def any_node(self) -> int:
        """The number of a random node."""
        return self._chance.randrange(len(self._running.nodes))

    async def send(
        self, request: Request[Update], *, first: int | None = None, seconds: float | None = None
    ) -> Update:
        """Send to one node and the other in turn, always the same bytes; raises Refused or Broken."""
        asked = time.monotonic()
        ack, notebook = ack_of(request), self._running.notebook
        first_asked = notebook.first_asked.setdefault(ack.key, asked)
        answer = await self.ask(request, first=first, seconds=seconds)
        try:
            update = request.answer(answer.status, answer.content)
        except Refused as refused:
            self._running.notebook.refusals.append(_refusal(request, refused))
            if refused.current is not None:
                self._note(request, asked, Told(at=refused.current.seq))
            raise
        self._note(request, asked, Told(at=update.seq))
        if isinstance(request.body, Act) and ack.key not in notebook.counted:
            # A repeat is answered again; it took effect once, some time after the first attempt.
            notebook.counted.add(ack.key)
            self._note(request, first_asked, Told(upon=request.body.seq))
        notebook.acks.append(ack)
        return update

    def _note(self, request: Request[Update], asked: float, told: Told) -> None:
        operation = Operation(done=told, asked=asked, answered=time.monotonic())
        self._running.notebook.answered.append(Answered(game=ack_of(request).game, told=operation))

    async def ask(
        self, request: Request[Wanted], *, first: int | None = None, seconds: float | None = None
    ) -> Answer:
        """The first answer that says whether it was done; `seconds` limits the first attempt only."""
        patience = self._running.patience
        turn = self.any_node() if first is None else first
        failures = 0
        while self._running.is_playing:
            node = self._running.nodes[turn % len(self._running.nodes)]
            try:
                answer = await node.ask(
                    request.method,
                    request.path,
                    token=self._guest.token,
                    content=request.content,
                    seconds=patience.answer if seconds is None else seconds,
                )
            except Broken as error:
                self._running.notebook.answers[f"none: {error}"] += 1
            else:
                self._running.notebook.answers[answer.word] += 1
                if answer.status not in TRY_AGAIN:
                    return answer
            turn, failures, seconds = turn + 1, failures + 1, None
            await self._running.sleep(patience.pause(failures, self._chance.random))
        raise Broken("the game was stopped")

    async def say(self, table_id: str, text: str) -> None:
        """Say something and note the number of the line."""
        request = tables.say(table_id, text)
        answer = await self.ask(request)
        with suppress(Refused):
            said = request.answer(answer.status, answer.content)
            assert isinstance(request.body, Keyed)
            self._running.notebook.acks.append(
                Ack(game=UUID(table_id), key=request.body.key, line=said.number)
            )


def ack_of(request: Request[Update]) -> Ack:
    """What must be in the store once a request was acknowledged."""
    body, game = request.body, UUID(request.path.split("/")[3])
    assert isinstance(body, Keyed)
    match body:
        case Act():
            return Ack(game=game, key=body.key, seq=body.seq + 1, kind=EventKind.ACTED, code=body.code)
        case Undo():
            return Ack(game=game, key=body.key, seq=body.seq + 1, kind=EventKind.UNDONE)
        case Abandon(agrees=False):
            # The wish may already have been withdrawn when a clock ran out.
            return Ack(game=game, key=body.key, may_be_nothing=True)
        case _:
            return Ack(game=game, key=body.key)


def _refusal(request: Request[Update], refused: Refused) -> Refusal:
    ack = ack_of(request)
    return Refusal(game=ack.game, key=ack.key, verb=request.path.rsplit("/")[-1], code=refused.code)
