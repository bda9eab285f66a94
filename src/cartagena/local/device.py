"""A device: answers the requests of tables as the service does, without a network."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartagena.endpoints.callers import Scope, Session
from cartagena.endpoints.events import StreamFrom
from cartagena.endpoints.jobs import job_routes
from cartagena.endpoints.kit import Kit, table_answer
from cartagena.endpoints.playing import playing_routes
from cartagena.endpoints.request import Call, decode_body
from cartagena.endpoints.responses import INTERNAL, Answer, refusal_for
from cartagena.endpoints.routing import Endpoint, Route, Routing
from cartagena.endpoints.seating import seating_routes
from cartagena.endpoints.tables import branch_routes, table_routes
from cartagena.fairness import SIZE, commit
from cartagena.local.bots import LocalBots
from cartagena.local.config import DeviceConfig
from cartagena.local.jobs import Background, LocalAnalyses, LocalHints
from cartagena.local.own_routes import STREAM, OwnApi, own_routes, person
from cartagena.local.screen import SharedScreen
from cartagena.local.store import Append, LocalStore
from cartagena.local.streams import Listener, LocalAnnouncer
from cartagena.local.study_routes import StudyApi, study_routes
from cartagena.messages.requests import ChangeTerms, OpenTable, ShowNonce, Sit, TermsMessage
from cartagena.messages.updates import TableAnswer, Update
from cartagena.notation import Record
from cartagena.tables import seating
from cartagena.tables.errors import Problem, ServiceError, WithCurrent
from cartagena.tables.frames import current
from cartagena.tables.ids import OF_DEVICE, random_key
from cartagena.tables.names import clean_name
from cartagena.tables.ports import Sender
from cartagena.tables.records import Recorder
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table

_EVERYTHING: Final = frozenset(Scope)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAnswer:
    """An answer as HTTP would carry it."""

    status: int
    body: bytes = field(default=b"", repr=False)
    media_type: str | None = None


class _Unlimited:
    """What a service counts or knows of its players, and a device does not."""

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:  # noqa: ARG002 - a port's
        """Nobody has blocked anybody."""
        return False

    async def is_person_among(self, player: UUID, others: list[UUID]) -> bool:
        """Everybody is a person of their own: no player has accounts of bots."""
        return player in others

    async def unfinished(self, player: UUID) -> int:  # noqa: ARG002 - a port's
        """Games are not counted."""
        return 0

    def count_stranger(self, table_id: UUID) -> None:
        """Requests are not counted."""

    def count_watcher(self, table_id: UUID) -> None:
        """Requests are not counted."""

    def check_tables(self, tables: int, *, is_guest: bool) -> None:
        """There may be any number of games."""

    async def check(self, players: Sequence[UUID]) -> None:
        """No bot has an account."""

    async def count(self, game_id: UUID, players: Sequence[UUID]) -> None:
        """Games are not counted."""

    def name_of(self, address: str) -> str:  # noqa: ARG002 - a port's
        """All are of one household."""
        return ""


class Device:
    """Tables on this device: the same requests, the same frames, kept as lines of a log.

    `append` keeps each new line, and `lines` are those that were kept. One person at a time asks: who looks
    from a seat is decided by the shared screen. Requests may overlap, but all must come from one event loop.
    """

    def __init__(self, append: Append, lines: Iterable[str] = (), config: DeviceConfig | None = None) -> None:
        config = self._config = config or DeviceConfig()
        self._store = LocalStore(append, config.now, lines)
        self._screen = SharedScreen()
        self._bots = LocalBots(config)
        self._announcer = LocalAnnouncer(self._screen, self._bots.wake)
        self._tables = Tables(self._store, self._announcer)
        self._bots.sit_at(self._tables)
        self._background = Background()
        self._recorders: dict[UUID, Recorder] = {}
        self._routing = Routing(map(Endpoint, self._routes()))

    def _routes(self) -> tuple[Route, ...]:
        config, nothing = self._config, _Unlimited()
        analyses = LocalAnalyses(self._tables, self._store, config, self._background)
        hints = LocalHints(self._tables, config, self._background)
        kit = Kit(
            tables=self._tables,
            store=self._store,
            creations=self._store,
            blocks=nothing,
            analyses=analyses,
            seatings=nothing,
            limits=nothing,
            bot_games=nothing,
            households=nothing,
            chance=config.chance,
            aside=config.aside,
            now=config.now,
            version=OF_DEVICE,
            endless=True,
        )
        own = OwnApi(
            kit=kit,
            store=self._store,
            screen=self._screen,
            look=self._announcer.look,
            record=self.record,
            delete=self.drop,
        )
        return (
            *table_routes(kit),
            *branch_routes(kit),
            *seating_routes(kit),
            *playing_routes(kit),
            *job_routes(self._tables, self._store, hints, analyses, nothing),
            *own_routes(own),
            *study_routes(StudyApi(aside=config.aside, chance=config.chance)),
        )

    # What a client asks.

    async def answer(
        self, method: str, path: str, body: bytes = b"", name: str | None = None
    ) -> DeviceAnswer:
        """Answer a request; `name` is that of the person who opens a table or sits down at one."""
        try:
            endpoint, call = await self._read(method, path, body, name)
            return await self._answered(endpoint, call)
        except Exception as error:  # noqa: BLE001 - one table answers them all
            return _refused(error)

    async def follow(self, path: str, listener: Listener) -> DeviceAnswer | None:
        """Tell a listener what happens at a table until the stream ends; returns the refusal, if any."""
        try:
            endpoint, call = await self._read("GET", path, b"", None)
            if endpoint.route is not STREAM:
                return await self._answered(endpoint, call)
            table = await self._tables.newest(call.uuid("table_id"))
        except Exception as error:  # noqa: BLE001 - one table answers them all
            return _refused(error)
        await self._announcer.follow(self._store, table, listener, call.query(StreamFrom).last)
        return None

    async def drop(self, table_id: UUID) -> None:
        """Delete a game; raises NO_SUCH_TABLE."""
        await self._tables.newest(table_id)
        await self._store.drop(table_id)
        self._announcer.drop(table_id)
        self._screen.forget(table_id)
        self._recorders.pop(table_id, None)

    async def record(self, table_id: UUID) -> Record:
        """A game with all its cards, as it stands; only what came since the last time is read."""
        table = await self._tables.newest(table_id)
        if table_id not in self._recorders:
            # One game is played at a time.
            self._recorders = {table_id: Recorder(table)}
        return await self._recorders[table_id].record(self._store, table, aside=self._config.aside)

    async def close(self) -> None:
        """End streams, bots and whatever else is under way."""
        self._announcer.close_all()
        await self._bots.close()
        await self._background.close()

    # How it is answered.

    async def _read(self, method: str, path: str, body: bytes, name: str | None) -> tuple[Endpoint, Call]:
        path, _, query = path.partition("?")
        found = self._routing.find(path)
        if found is None:
            raise ServiceError(Problem.NO_SUCH_THING, "there is nothing at this path")
        node, values = found
        endpoint = node.endpoints.get(method)
        if endpoint is None:
            raise ServiceError(Problem.WRONG_METHOD, f"this path knows {node.allow}")
        places = endpoint.places(values)
        content = None if endpoint.decoder is None else fitting(decode_body(endpoint.decoder, body))
        table_id = places.get("table_id")
        table = await self._ready(table_id) if isinstance(table_id, UUID) else None
        session = self._session(table, content, name)
        if endpoint.route.scope is not None and session is None:
            raise ServiceError(Problem.FORBIDDEN, "the hands are covered: uncover yours first")
        call = Call(
            request_id="",
            address="",
            peer="",
            session=session,
            places=places,
            content=content,
            asked=None if endpoint.query_reader is None else endpoint.query_reader.read(query.encode()),
            headers={},
        )
        return endpoint, call

    async def _ready(self, table_id: UUID) -> Table:
        """The table, once what a worker of the service would have done by now is done or under way."""
        table = await self._tables.newest(table_id)
        kept = self._store.kept(table_id)
        if table.sheet.stage is Stage.STARTING and kept is not None:
            if self._config.now() - kept.last_at >= seating.PATIENCE:
                # The number that is owed went with the page that had drawn it.
                sender = Sender(player=None, key=random_key(self._config.chance))
                call_off = partial(seating.call_off, secret=self._config.chance(SIZE))
                table = (await self._tables.change_at(table_id, table.seq, sender, call_off)).table
        elif table.bot_to_act is not None:
            self._bots.wake(table_id)
        return table

    def _session(self, table: Table | None, content: Struct | None, name: str | None) -> Session | None:
        match content:
            case OpenTable(key=key) | Sit(key=key):
                return _session_of(person(key), "" if name is None else clean_name(name))
            case ShowNonce(nonce=nonce) if table is not None and (owing := _owing(table, nonce)) is not None:
                return _session_of(owing, "")
            case _:
                player = None if table is None else self._screen.player(table)
        if table is None or player is None:
            return None
        seat = table.sheet.seat_of(player)
        assert seat is not None, "the screen looks from a seat of the table"
        return _session_of(player, table.sheet.chairs[seat].name)

    async def _answered(self, endpoint: Endpoint, call: Call) -> DeviceAnswer:
        route = endpoint.route
        assert route.handler is not None, "the device speaks no ASGI"
        if route.answer is Update:
            answer = await self._changed(route, call)
        else:
            result = await route.handler(call)
            answer = result if isinstance(result, Answer) else Answer(content=result)
            if route.answer is TableAnswer and route.method == "POST":
                answer = await self._opened(answer)
        content = answer.content
        body = content if isinstance(content, bytes) else b"" if content is None else _ENCODER.encode(content)
        media_type = (answer.media_type or endpoint.media_type) if body else None
        return DeviceAnswer(status=answer.status or route.success, body=body, media_type=media_type)

    async def _changed(self, route: Route, call: Call) -> Answer:
        """Change a table; if another person is asked by then, the answer is what that leaves to be seen."""
        assert route.handler is not None
        table_id = call.uuid("table_id")
        before = self._screen.audience(await self._tables.newest(table_id))
        try:
            result = await route.handler(call)
        except WithCurrent as error:
            table = await self._tables.newest(table_id)
            if self._is_shown_to(call.player.player_id, table):
                raise
            raise WithCurrent(error.error, current(table, self._screen.audience(table))) from error
        assert isinstance(result, Answer)
        table = await self._tables.newest(table_id)
        audience = self._screen.audience(table)
        if audience == before and self._is_shown_to(call.player.player_id, table):
            return result
        return replace(result, content=self._announcer.told(table, audience))

    async def _opened(self, answer: Answer) -> Answer:
        """The answer to a request that opened a table; once its game has begun, what the screen may see."""
        assert isinstance(answer.content, bytes)
        table = await self._tables.newest(_OPENED_ID.decode(answer.content).id)
        if table.game is None:
            return answer
        shown = table_answer(table, self._screen.player(table), self._screen.audience(table))
        return replace(answer, content=shown.content)

    def _is_shown_to(self, player: UUID, table: Table) -> bool:
        """Whether what a player is told may be shown: that player looks, or no hand is dealt."""
        return table.game is None or player == self._screen.player(table)


class _OpenedId(Struct):
    """The id of a table that was opened."""

    id: UUID


def fitting(content: Struct) -> Struct:
    """A request with terms that a device can offer; raises UNFIT for a clock or a rating."""
    if not isinstance(content, OpenTable | ChangeTerms):
        return content
    terms: TermsMessage = content.terms
    if terms.clock is not None or terms.rated:
        raise ServiceError(Problem.UNFIT, "on a device there are no clocks and no ratings")
    # The player who holds the device may see that its tables exist, and watch while hands are covered.
    return replace(content, terms=replace(terms, listed=True, spectators=True))


def _session_of(player: UUID, name: str) -> Session:
    return Session(
        id=player,
        player_id=player,
        name=name,
        is_guest=False,
        scopes=_EVERYTHING,
        by_cookie=False,
        token_hash=b"",
    )


def _owing(table: Table, nonce: str) -> UUID | None:
    """The person who promised this number."""
    promised = commit(bytes.fromhex(nonce))
    owing = (chair for chair in table.sheet.chairs if chair.owes_nonce and chair.nonce_hash == promised)
    return next((chair.player for chair in owing), None)


def _refused(error: Exception) -> DeviceAnswer:
    refused = refusal_for(error)
    if refused.problem.code == INTERNAL:
        logger.error("a request failed", exc_info=error)
    answer = refused.answer()
    assert isinstance(answer.content, bytes)
    return DeviceAnswer(status=refused.status, body=answer.content, media_type=answer.media_type)


_ENCODER: Final = msgspec.json.Encoder()
_OPENED_ID: Final = msgspec.json.Decoder(_OpenedId)
