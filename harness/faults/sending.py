"""How the clients of `make faults` send, again and again until answered, and what they write down."""

import asyncio
import enum
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar
from uuid import UUID

from cartagena.client import tables
from cartagena.client.request import Patience, Refused, Request
from cartagena.client.table_state import TableState
from cartagena.messages.requests import Abandon, Act, Keyed, Undo
from cartagena.messages.updates import Update
from cartagena.tables.table import EventKind
from harness.http_client import Answer, Broken, Node
from harness.linearizability import Operation, Told


class Fault(enum.Enum):
    """What may be wrong with a game afterwards."""

    LOST = "lost"
    """Acknowledged, but not in the store."""
    DOUBLED = "doubled"
    """One request that left two events, or the other way round."""
    DENIED = "denied"
    """Refused for good, although it was done."""
    BROKEN = "broken"
    """The log does not lead to what the store says of the game."""
    DIVERGED = "diverged"
    """A client whose state differs from the store."""
    STUCK = "stuck"
    """There is no one left to continue the game."""
    CLOCK = "clock"
    """A clock ran out too early, twice, or not at all."""
    ORDER = "order"
    """Answers that no order of events explains."""
    RECORD = "record"
    """A record that does not verify."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that the checker has found."""

    fault: Fault
    game: UUID
    sentence: str

    def __str__(self) -> str:
        return f"{self.fault.value}: game {self.game}: {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """An acknowledged request; `seq`, `kind` and `code` are None where the answer does not determine them."""

    game: UUID
    key: UUID
    seq: int | None = None
    kind: EventKind | None = None
    code: int | None = None
    line: int | None = None
    """The number of a line of chat."""
    may_be_nothing: bool = False
    """A wish that changed nothing is granted, and leaves no event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A request that was refused for good."""

    game: UUID
    key: UUID
    verb: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a client knows of its table in the end; `chat` is the number of the last line it was told."""

    game: UUID
    player: UUID
    standing: TableState = field(repr=False)
    chat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer that a client got about a table, with the moments of question and answer by its own clock."""

    game: UUID
    told: Operation[Told]


@dataclass(slots=True)
class Notebook:
    """What all clients wrote down."""

    acks: list[Ack] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    first_asked: dict[UUID, float] = field(default_factory=dict)
    """When each request was sent for the first time, by its key."""
    counted: set[UUID] = field(default_factory=set)
    """The keys of choices that were acknowledged at least once."""
    answers: Counter[str] = field(default_factory=Counter)
    """How often each status came, with the code of a refusal."""
    mischief: Counter[str] = field(default_factory=Counter)
    """How often a client did something unusual that must do no harm."""
    surprises: Counter[str] = field(default_factory=Counter)
    """What a client did not expect, for the readers of the ledger."""


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
