"""No secret on the wire: everything that one client received is compared with what it may know.

After the end of a game the truth is known. For each update that a client received, all cards that its seat
could not know at that moment are changed, and the update is made again from that twin. If the two differ,
byte for byte as JSON, the update says something about hidden cards. Records of running games are checked in
the same way. Everything else that was received must be a complete, known message, and is searched for
secrets. So nothing is overlooked: what is not understood is a finding.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace as with_fields

from cartagena.client.stream import EventReader
from cartagena.messages import (
    ChatMessage,
    ErrorMessage,
    MessageError,
    TableMessage,
    Update,
    encode,
    update_for,
)
from cartagena.messages.accounts import SignedInMessage
from cartagena.messages.compact import expanded
from cartagena.messages.patches import Json, patched
from cartagena.messages.updates import Reached, Said, TableAnswer, read
from cartagena.notation import NotationError, Record, ReplayError, format_record, parse_record, record_of_view
from cartagena.notation.names import Cards
from cartagena.notation.record import Ending
from cartagena.notation.replay import begin, replay_step
from cartagena.notation.typed_action import find_code
from harness.play.clients import NONSENSE, Exchange
from harness.play.traces import EVERYDAY, Secrets, strings_of
from harness.play.truth import Moment, Truth, told_otherwise, twin_of

SWAPS: Final = 6
"""How many exchanges are tried for one twin of a record."""


def leaks_of_record(text: str, truth: Truth, seat: int | None, chance: Random) -> Iterator[str]:
    """What a record sent to a client gives away of hidden cards; after the end it may say everything."""
    try:
        record = parse_record(text)
    except NotationError as error:
        yield f"no record: {error}"
        return
    if format_record(record) != text:
        yield "more than a record"
    if record.result.ending is not Ending.RUNNING:
        if record != truth.record:
            yield "not the record of this game"
    elif not any(_is_shown(record, truth, moment, seat, chance) for moment in truth.moments.values()):
        yield f"a record of the running game that seat {seat} cannot know"


def _is_shown(record: Record, truth: Truth, moment: Moment, seat: int | None, chance: Random) -> bool:
    """Whether the seat may read this record at a moment: unknown cards that lie otherwise change nothing."""
    if len(moment.events) != len(record.steps):
        return False
    whole = truth.record_at(moment)
    shown = record_of_view(whole, seat)
    return shown == record == record_of_view(_twin(whole, shown, chance), seat)


def _twin(whole: Record, shown: Record, chance: Random) -> Record:
    """Exchange cards that the record does not show, as long as the game could have gone that way."""
    twin = whole
    for _ in range(SWAPS):
        changed = _with_cards_swapped(twin, shown, chance)
        if _can_be(changed):
            twin = changed
    return twin


def _with_cards_swapped(whole: Record, shown: Record, chance: Random) -> Record:
    orders = [step for step, told in enumerate(whole.steps) if told.orders]
    place = chance.choice([None, *orders])
    if place is None:
        deal = _swapped(whole.headers.deal, shown.headers.deal, chance)
        return replace(whole, headers=replace(whole.headers, deal=deal))
    step, seen = whole.steps[place], shown.steps[place]
    pairs = zip(step.orders, seen.orders, strict=True)
    changed = replace(step, orders=tuple(_swapped(order, known, chance) for order, known in pairs))
    return replace(whole, steps=(*whole.steps[:place], changed, *whole.steps[place + 1 :]))


def _swapped(cards: Cards, shown: Cards, chance: Random) -> Cards:
    hidden = [place for place, card in enumerate(shown) if card is None]
    changed = list(cards)
    if len(hidden) > 1:
        one, other = chance.sample(hidden, 2)
        changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def _can_be(record: Record) -> bool:
    try:
        game = begin(record.headers)
        for step in record.steps:
            replay_step(game, step)
    except ReplayError:
        return False
    return True


Tell = Callable[..., Update]
"""Makes an update for an audience; replaced only in the tests of this search."""

FIRST_ERROR: Final = 400
ANSWERS: Final[tuple[tuple[str, str, type[Struct]], ...]] = (
    ("POST", r"/api/guest", SignedInMessage),
    ("POST", r"/api/tables", TableAnswer),
    ("GET", r"/api/tables/[^/]+", TableAnswer),
    ("POST", r"/api/tables/[^/]+/chat", Said),
    ("POST", r"/api/tables/[^/]+/[a-z/-]+", Update),
)
"""Which answer is which message; the stream and the record are read by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """A client at one table: from which seat it looks, None if it only watches; and all it received."""

    name: str
    seat: int | None
    exchanges: tuple[Exchange, ...] = field(repr=False)
    token: str | None = field(default=None, repr=False)


@dataclass(slots=True)
class Search:
    """The search through what one client received. `secrets` are those of everyone else."""

    truth: Truth
    listener: Listener
    secrets: Secrets
    chat: tuple[ChatMessage, ...]
    chance: Random
    tell: Tell = update_for
    updates: int = 0
    _seen: set[bytes] = field(default_factory=set, repr=False)

    def leaks(self) -> Iterator[str]:
        """Everything that this client should not have received; a sentence for each."""
        for exchange in self.listener.exchanges:
            for leak in self._of_exchange(exchange):
                yield f"{self.listener.name}: {exchange.method} {exchange.path} {exchange.status}: {leak}"

    def _of_exchange(self, exchange: Exchange) -> Iterator[str]:
        for name, value in exchange.headers:
            yield from self._of_text(f"{name.decode('latin-1')}: {value.decode('latin-1')}")
        body = bytes(exchange.body)
        if exchange.status >= FIRST_ERROR:
            yield from self._of_message(ErrorMessage, body)
        elif exchange.path.endswith("/stream"):
            yield from self._of_stream(body)
        elif exchange.path.endswith("/record"):
            yield from leaks_of_record(body.decode(), self.truth, self.listener.seat, self.chance)
        else:
            kind = kind_of(exchange)
            # A client that follows the table may want no more of an answer than how far that is.
            if kind is Update and re.fullmatch(rb'\{"seq":\d+\}', body):
                kind = Reached
            yield from ["nobody knows what this is"] if kind is None else self._of_message(kind, body)

    def _of_stream(self, body: bytes) -> Iterator[str]:
        # A cut connection leaves half an event, which no client ever parsed.
        before: Json = None
        for event in EventReader().feed(body):
            if event.name == "update":
                before = msgspec.json.decode(event.data)
                yield from self._of_message(Update, msgspec.json.encode(expanded(before)))
            elif event.name == "patch":
                before = patched(before, msgspec.json.decode(event.data))
                yield from self._of_message(Update, msgspec.json.encode(expanded(before)))
            elif event.name == "chat":
                yield from self._of_message(ChatMessage, event.data.encode())
            else:
                yield from self._of_text(event.data)
        yield from (leak for line in comments_of(body) for leak in self._of_text(line))

    # Messages.

    def _of_message(self, kind: type[Struct], body: bytes) -> Iterator[str]:
        if body in self._seen:
            return
        self._seen.add(body)
        try:
            message = read(kind, body)
        except MessageError as error:
            yield f"no {kind.__name__}: {error}"
            return
        # An unknown field would be dropped silently.
        if msgspec.json.decode(encode(message)) != msgspec.json.decode(body):
            yield f"more than a {kind.__name__}"
        yield from self._of_parts(message)

    def _of_parts(self, message: Struct) -> Iterator[str]:
        match message:
            case Update():
                yield from self._of_update(message)
            case TableAnswer(current=current):
                yield from self._of_update(current)
                yield from self._of_struct(with_fields(message, current=Update(seq=current.seq)))
            case ErrorMessage(error=problem, current=current):
                yield from self._of_problem(problem)
                if current is not None:
                    yield from self._of_update(current)
            case SignedInMessage(token=token) if token == self.listener.token:
                yield from self._of_struct(with_fields(message, token=None))
            case ChatMessage():
                yield from [] if message in self.chat else ["a line of chat that nobody said"]
            case _:
                yield from self._of_struct(message)

    def _of_problem(self, problem: Struct) -> Iterator[str]:
        text = str(getattr(problem, "message", ""))
        if text == self._refusal_of_nonsense():
            return
        # "another player's request has this key": the one everyday word that our sentences use.
        said = set(re.findall(r"[a-z]+", text)) & EVERYDAY - {"key"}
        yield from (f"the card {word}" for word in said)
        yield from self._of_struct(problem)

    def _refusal_of_nonsense(self) -> str:
        """What a client that knows the rules and nothing else is told of a text that names no action."""
        dealt = self.truth.record.headers
        try:
            find_code(dealt.ruleset, dealt.seats, (), NONSENSE)
        except NotationError as error:
            return str(error)
        raise AssertionError("nonsense has a meaning")

    def _of_struct(self, message: Struct) -> Iterator[str]:
        """Search a message that has no room for cards."""
        tree = msgspec.json.decode(encode(message))
        yield from self._of_text(encode(message).decode())
        yield from (f"the card {value}" for value in strings_of(tree) if value in EVERYDAY)

    def _of_text(self, text: str) -> Iterator[str]:
        yield from self.secrets.found_in(text)

    # Updates.

    def _of_update(self, update: Update) -> Iterator[str]:
        self.updates += 1
        # Before the deal all banks are empty, and a row of zeros looks like a row of cards.
        clock = update.clock if update.clock is not None and any(update.clock.banks) else None
        around = Update(seq=update.seq, news=update.news, clock=clock)
        yield from self._of_struct(around)
        if update.table is not None:
            yield from self._of_table(update.table)
        if encode(update) != encode(self._made_again(update)):
            yield f"update {update.seq} says something about cards that seat {self.listener.seat} cannot know"

    def _of_table(self, table: TableMessage) -> Iterator[str]:
        if table.stage != "over":
            yield from ("a number before the end" for chair in table.chairs if chair.nonce is not None)
            yield from self._of_struct(table)
        else:
            chairs = tuple(with_fields(chair, nonce=None) for chair in table.chairs)
            yield from self._of_struct(with_fields(table, chairs=chairs))

    def _made_again(self, update: Update) -> Update:
        """Make an update again from a table on which all cards hidden from this client lie otherwise."""
        moment = self.truth.moments.get(update.seq)
        if moment is None:
            return with_fields(update, view=None, wishes=None, happened=())
        seat = self.listener.seat
        twin = twin_of(moment.position, seat, self.chance)
        told = told_otherwise(moment.told if update.happened else (), seat, self.chance)
        around = {"news": update.news, "table": update.table, "clock": update.clock}
        return self.tell(seat, update.seq, told, twin, **around, undo=moment.undo)


def kind_of(exchange: Exchange) -> type[Struct] | None:
    """Which message an answer is."""
    for method, path, kind in ANSWERS:
        if exchange.method == method and re.fullmatch(path, exchange.path):
            return kind
    return None


def comments_of(body: bytes) -> Iterable[str]:
    """The comment lines of a stream."""
    return (line.decode("utf-8", "replace") for line in body.splitlines() if line.startswith(b":"))
