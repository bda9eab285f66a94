"""How the clients of `make faults` send: again and again, to one node and the other, until they know."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar
from uuid import UUID

from cartagena.client import tables
from cartagena.client.errors import Refused
from cartagena.client.patience import Patience
from cartagena.client.request import Request
from cartagena.messages.requests import Abandon, Act, Keyed, Undo
from cartagena.messages.updates import Update
from cartagena.server.tables.table import Kind
from tools.faults_http import Answer, Broken, Node
from tools.faults_notes import Ack, Answered, Notebook, Refusal
from tools.linearizability import Operation, Told

TRY_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
"""Answers after which nobody knows more than before: the very same request is sent again."""

Wanted = TypeVar("Wanted")


@dataclass(slots=True)
class Running:
    """What all clients have in common.

    In seconds: how long they think, how long a stream lasts, and how long they are away when it broke. The
    more clients there are, the more patience they need: a service that came back would only be busy with
    greeting those who had given up on it.
    """

    nodes: tuple[Node, ...]
    notebook: Notebook
    think: float
    stream_seconds: float
    absence: float
    patience: Patience
    is_listening: bool = True
    returns: list[float] = field(default_factory=list)
    """When each client came back whose stream had been ended for it, by the clock of the loop."""
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_playing(self) -> bool:
        """Whether anybody still plays."""
        return not self.stopped.is_set()

    async def sleep(self, seconds: float) -> None:
        """Wait, but not longer than anybody plays."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stopped.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """Somebody with a session, at an address of his own."""

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
        """The number of some node."""
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
            # Sent again, it is answered again; it counted once, some time after it was first sent.
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
        """The first answer that says whether it was done; the first try may be given up sooner."""
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
        """Say something; the number of the line is written down."""
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
            return Ack(game=game, key=body.key, seq=body.seq + 1, kind=Kind.ACTED, code=body.code)
        case Undo():
            return Ack(game=game, key=body.key, seq=body.seq + 1, kind=Kind.UNDONE)
        case Abandon(agrees=False):
            # A clock that ran out has withdrawn the wish before.
            return Ack(game=game, key=body.key, may_be_nothing=True)
        case _:
            return Ack(game=game, key=body.key)


def _refusal(request: Request[Update], refused: Refused) -> Refusal:
    ack = ack_of(request)
    return Refusal(game=ack.game, key=ack.key, verb=request.path.rsplit("/")[-1], code=refused.code)
