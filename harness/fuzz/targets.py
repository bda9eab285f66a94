"""What `make fuzz` feeds: a target takes any bytes, and whatever it raises is a fault.

A target forgives the errors that its reader promises. What was read must be the same when it is written and
read again, and must be fit for use. Where a target has several readers, the first byte chooses one.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.json import Decoder, encode

from cartagena.client.request import Misunderstood, Patience
from cartagena.client.stream import EventReader, Follower, ServerSentEvent
from cartagena.endpoints.events import StreamFrom, written
from cartagena.endpoints.request import QueryReader, decode_body
from cartagena.fairness.record import verify_record
from cartagena.fairness.shuffle import lone_shuffle, opening
from cartagena.messages.cards import MessageError
from cartagena.messages.lobby import LobbyQuery
from cartagena.messages.requests import Act, OpenTable, Reorder, Say
from cartagena.messages.streams import StreamPosition, stream_position
from cartagena.messages.tables import ChatMessage
from cartagena.messages.updates import Update, decode, read
from cartagena.messages.views import view_message, view_of
from cartagena.notation import (
    NotationError,
    find_action,
    format_action,
    format_position,
    format_record,
    format_ruleset,
    parse_action,
    parse_perft,
    parse_record,
    parse_ruleset,
    parse_sight,
)
from cartagena.rules.hidden.view import view
from cartagena.rules.laws import broken_law
from cartagena.rules.legality import legal
from cartagena.rules.refusals import IllegalAction
from cartagena.rules.ruleset import ESCAPE, FEWEST_SEATS, MOST_SEATS, NEST, PRESETS, Ruleset
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.bus import messages as bus
from cartagena.server.store import snapshot
from cartagena.tables.errors import ServiceError

Target = Callable[[bytes], None]

UNDO: Final = -1
"""In a game that the bytes of the fuzzer play, this code takes the last choice back."""

MOST_CHOICES: Final = 40
BEGUN: Final = (0, 60, 200)
"""The fuzzer's bytes continue games after this many choices."""


# --- records ---------------------------------------------------------------------------------------


def read_record(data: bytes) -> None:
    """A record that can be read is written as it was, and can be verified, which replays it."""
    try:
        record = parse_record(_text(data))
    except NotationError:
        return
    assert parse_record(format_record(record)) == record
    verify_record(record)


# --- notation --------------------------------------------------------------------------------------


def read_notation(data: bytes) -> None:
    """Rulesets, positions, perft files and actions, in full and as people type them."""
    read = _NOTATIONS[_first(data) % len(_NOTATIONS)]
    try:
        read(_text(data[1:]))
    except NotationError:
        return


def _read_ruleset(text: str) -> None:
    ruleset = parse_ruleset(text)
    assert parse_ruleset(format_ruleset(ruleset)) == ruleset


def _read_position(text: str) -> None:
    sight = parse_sight(text)
    assert parse_sight(format_position(sight)) == sight


def _read_perft(text: str) -> None:
    for case in parse_perft(text):
        legal(case.position)


def _read_action(text: str) -> None:
    family = NEST if text.startswith("!") else ESCAPE
    code = parse_action(family, text.removeprefix("!"))
    assert parse_action(family, format_action(family, code)) == code


def _find_action(text: str) -> None:
    position = begun(ord(text[0]) if text else 0).position
    format_action(position.ruleset.family, find_action(position, text[1:]))


_NOTATIONS: Final = (_read_ruleset, _read_position, _read_perft, _read_action, _find_action)


# --- codes -----------------------------------------------------------------------------------------


def play_codes(data: bytes) -> None:
    """A game in which every two bytes are a code: it is done or refused, and in the end the laws hold."""
    game = begun(_first(data)).fork()
    for start in range(1, min(len(data), 2 * MOST_CHOICES), 2):
        choose(game, int.from_bytes(data[start : start + 2], signed=True))
    law = broken_law(game.position)
    assert law is None, law


def choose(game: UndoableGame, code: int) -> None:
    """Do as the code says; if that is refused, one of the legal actions, as long as there are any."""
    try:
        if code == UNDO:
            game.undo()
        else:
            game.act(code, _turned)
    except IllegalAction:
        if choices := legal(game.position):
            game.act(choices[code % len(choices)], _turned)


def _turned(due: Sequence[int]) -> Sequence[int]:
    """A cheap shuffle: it takes every fifth card, five times."""
    return [card for first in range(5) for card in due[first::5]]


@cache
def begun(number: int) -> UndoableGame:
    """A game under way; `number` picks the ruleset, the seats and how many choices were made."""
    number, preset = divmod(number, len(PRESETS))
    number, more_seats = divmod(number, MOST_SEATS + 1 - FEWEST_SEATS)
    return played(list(PRESETS.values())[preset], FEWEST_SEATS + more_seats, BEGUN[number % len(BEGUN)])


def played(ruleset: Ruleset, seats: int, choices: int) -> UndoableGame:
    """A game after `choices` choices, always the same ones."""
    game = UndoableGame(opening(lone_shuffle("fuzz", bytes(32), ruleset, seats), ruleset, seats))
    for choice in range(choices):
        choose(game, UNDO - 1 - 7 * choice)
    return game


# --- bytes of the service --------------------------------------------------------------------------


def read_snapshot(data: bytes) -> None:
    """A snapshot that can be read is packed as it was, keeps the laws, and can be seen and played on."""
    ruleset = list(PRESETS.values())[_first(data) % len(PRESETS)]
    try:
        position = snapshot.unpack(ruleset, data[1:])
    except snapshot.SnapshotError:
        return
    packed = snapshot.pack(position)
    assert snapshot.pack(snapshot.unpack(ruleset, packed)) == packed
    for seat in (None, *range(position.seats)):
        view(position, seat)
    choose(UndoableGame(position), 0)


def read_message(data: bytes) -> None:
    """A message of the bus, of this version or another."""
    kind = _KINDS[_first(data) % len(_KINDS)]
    try:
        message = bus.unpack(kind, data[1:])
    except bus.UnreadableMessage:
        return
    assert bus.unpack(kind, bus.pack(message)) == message


def read_request(data: bytes) -> None:
    """The body or the query of a request."""
    number = _first(data) % (len(_BODIES) + len(_QUERIES))
    try:
        if number < len(_BODIES):
            body = decode_body(_BODIES[number], data[1:])
            assert decode_body(_BODIES[number], encode(body)) == body
        else:
            _QUERIES[number - len(_BODIES)].read(data[1:])
    except ServiceError:
        return


def read_stream(data: bytes) -> None:
    """The events of a stream, in two pieces, and what they tell a client."""
    reader, middle = EventReader(), max(1, _first(data))
    for event in reader.feed(data[1:middle]) + reader.feed(data[middle:]):
        try:
            _hear(event)
        except MessageError:
            continue


def _hear(event: ServerSentEvent) -> None:
    stream_position(event.id)
    told = read(ChatMessage, event.data) if event.name == "chat" else decode(event.data)
    assert read(type(told), encode(told)) == told
    if isinstance(told, Update) and told.view is not None:
        view_of(told.view)


def read_patch(data: bytes) -> None:
    """A patch of the update that the first byte chooses, as a client that follows the table hears it."""
    follower = Follower("a-table", patience=Patience(), chance=lambda: 1.0)
    follower.begin()
    whole = written("update", update_of(begun(_first(data)), seq=6), StreamPosition(6, 0))
    try:
        told = list(follower.feed(whole + written("patch", data[1:], StreamPosition(7, 0))))
    except Misunderstood:
        return
    assert all(read(type(one), encode(one)) == one for one in told)


def update_of(game: UndoableGame, seq: int) -> bytes:
    """What spectators are told of a game under way."""
    return encode(Update(seq=seq, view=view_message(view(game.position, None))))


_KINDS: Final[tuple[type[bus.BusMessage], ...]] = (bus.Announcement, bus.Closing, bus.Wake, bus.LobbyChange)
_BODIES: Final[tuple[Decoder[Struct], ...]] = tuple(map(Decoder, (OpenTable, Act, Reorder, Say)))
_QUERIES: Final = (QueryReader(LobbyQuery), QueryReader(StreamFrom))


def _first(data: bytes) -> int:
    return data[0] if data else 0


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


TARGETS: Final[dict[str, Target]] = {
    "records": read_record,
    "notation": read_notation,
    "codes": play_codes,
    "snapshots": read_snapshot,
    "messages": read_message,
    "requests": read_request,
    "streams": read_stream,
    "patches": read_patch,
}
"""The targets by name; the corpus of each lies in a folder of that name."""
