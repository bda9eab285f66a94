"""The lobby over HTTP: listed tables, quick matches, player pages, ladders, rulesets."""

from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

import msgspec
from asyncpg import Pool

from cartagena.endpoints.asgi import Receive, Send
from cartagena.endpoints.callers import Scope
from cartagena.endpoints.kit import Kit, require_room, sitter_of, table_answer
from cartagena.endpoints.limits import CREATING
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Example, Route
from cartagena.endpoints.rulesets import rulesets_route
from cartagena.endpoints.tables import SEEN
from cartagena.messages.accounts import PlayerMessage
from cartagena.messages.lobby import (
    BotLadderQuery,
    FeaturedMessage,
    FindMatch,
    GamesQuery,
    LadderMessage,
    LadderQuery,
    LobbyMessage,
    LobbyQuery,
    MyGamesMessage,
    MyGamesQuery,
    PlayerPageMessage,
    RatingCourseMessage,
    RatingQuery,
    ResultsMessage,
)
from cartagena.messages.streams import EVENT_STREAM
from cartagena.messages.updates import TableAnswer
from cartagena.server.accounts.bots import bot_card
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.players import player
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import Visitor
from cartagena.server.http.streams.sse import Connection
from cartagena.server.lobby.bot_ladder import bot_ladder
from cartagena.server.lobby.listings import SummarySource, lobby
from cartagena.server.lobby.matchmaking import CLOCK, Matches, MatchWish
from cartagena.server.lobby.player_games import course_of, results_of, tables_of, totals_of
from cartagena.server.lobby.ratings import ladder, ratings_of
from cartagena.server.lobby.results import featured
from cartagena.tables.access import audience_of
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem
from cartagena.tables.names import name_key
from cartagena.tables.ports import ServiceStore
from cartagena.tables.rulesets import preset_named, rulesets

LAST_GAMES: Final = 10
"""How many results a player's page shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyKit:
    """All that the handlers of the lobby work with."""

    tables: Kit
    store: ServiceStore
    directory: Directory
    source: SummarySource
    hub: StreamHub


class LobbyListing:
    """The lobby as its streams first show it; implements the port `http.streams.ports.Lobby`."""

    def __init__(self, directory: Pool) -> None:
        self._directory = directory

    async def listing(self) -> bytes:
        """The newest open tables, as JSON."""
        return msgspec.json.encode(await lobby(self._directory, LobbyQuery(), None))


class LobbyApi:
    """The handlers."""

    def __init__(self, kit: LobbyKit) -> None:
        self._kit = kit
        self._directory = kit.directory.pool
        self._matches = Matches(
            directory=self._directory,
            source=kit.source,
            tables=kit.tables.tables,
            store=kit.store,
            blocks=kit.tables.blocks,
        )

    async def lobby(self, call: Call) -> LobbyMessage:
        """A page of listed tables."""
        return await lobby(self._directory, call.query(LobbyQuery), _asker(call))

    async def stream(self, call: Call, receive: Receive, send: Send) -> None:
        """Stream what changes in the lobby."""
        session = call.session
        visitor = Visitor(
            audience=SPECTATOR,
            address=call.address,
            player_id=_asker(call),
            session_id=None if session is None else session.id,
        )
        await self._kit.hub.lobby(visitor, Connection(receive=receive, send=send, abort=call.abort))

    async def featured(self, _: Call) -> FeaturedMessage:
        """The replay of the day."""
        return FeaturedMessage(game=await featured(self._directory, self._kit.source))

    async def match(self, call: Call) -> Answer:
        """Sit down at a table that waits, or at a new one."""
        body, session, tables = call.body(FindMatch), call.player, self._kit.tables
        wish = MatchWish(
            sitter=sitter_of(tables, call, body.nonce_hash),
            ruleset=preset_named(body.ruleset),
            seats=body.seats,
            key=body.key,
        )
        await require_room(tables, session)
        table = await self._matches.find(wish, tables.new())
        return table_answer(table, session.player_id, audience_of(table, session.player_id))

    async def my_games(self, call: Call) -> MyGamesMessage:
        """The tables at which the caller sits, or a page of their results."""
        asked, me = call.query(MyGamesQuery), call.player.player_id
        if not asked.over:
            tables = await tables_of(self._directory, self._kit.source, me)
            return MyGamesMessage(tables=tables, results=(), next=None)
        page = await results_of(self._directory, me, asker=me, before=asked.before)
        return MyGamesMessage(tables=(), results=page.results, next=page.next)

    async def player(self, call: Call) -> PlayerPageMessage:
        """A player's page."""
        known = await self._known(call)
        page = await results_of(self._directory, known.id, asker=_asker(call), most=LAST_GAMES)
        return PlayerPageMessage(
            id=known.id,
            name=known.name,
            is_guest=known.is_guest,
            created=known.created,
            ratings=await ratings_of(self._directory, known.id),
            results=page.results,
            played=await totals_of(self._directory, known.id, asker=_asker(call)),
            bot=await bot_card(self._directory, known.id),
        )

    async def games(self, call: Call) -> ResultsMessage:
        """A page of a player's results."""
        asked = call.query(GamesQuery)
        if asked.ruleset is not None:
            preset_named(asked.ruleset)
        known = await self._known(call)
        only = msgspec.structs.replace(asked, against=name_key(asked.against))
        return await results_of(self._directory, known.id, asker=_asker(call), before=asked.before, only=only)

    async def rating(self, call: Call) -> RatingCourseMessage:
        """How a player's rating by one ruleset came about."""
        ruleset = preset_named(call.query(RatingQuery).ruleset).key
        known = await self._known(call)
        return await course_of(self._directory, known.id, ruleset, asker=_asker(call))

    async def _known(self, call: Call) -> PlayerMessage:
        return await player(self._kit.directory, call.uuid("player_id"))

    async def ladder(self, call: Call) -> LadderMessage:
        """A page of a ladder."""
        asked = call.query(LadderQuery)
        return await ladder(self._directory, preset_named(asked.ruleset).key, asked.page)

    async def bot_ladder(self, call: Call) -> LadderMessage:
        """A page of a ladder of bots."""
        asked = call.query(BotLadderQuery)
        return await bot_ladder(self._directory, preset_named(asked.ruleset).key, asked.seats, asked.page)


def _asker(call: Call) -> UUID | None:
    return None if call.session is None else call.session.player_id


MATCH_EXAMPLE: Final = FindMatch(ruleset="tortuga", seats=2, key=UUID("6f1d3c5a-7b1e-4a0b-8f52-1c2d3e4f5a6b"))


def lobby_routes(kit: LobbyKit) -> tuple[Route, ...]:
    """Everything before a table is found, and after its game."""
    api = LobbyApi(kit)
    return (*_table_routes(api), *_new_game_routes(api), *_player_routes(api), *_rating_routes(api))


def _table_routes(api: LobbyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/lobby",
            name="lobby",
            tag="lobby",
            summary="See which tables are open",
            description="The newest first; `stage=running` shows games that may be watched instead.",
            handler=api.lobby,
            query=LobbyQuery,
            answer=LobbyMessage,
        ),
        Route(
            method="GET",
            path="/api/lobby/stream",
            name="lobby_stream",
            tag="lobby",
            summary="Be told what changes in the lobby",
            description=(
                "Server-Sent Events: `lobby` shows the newest open tables, then each `listing` is a table "
                "that is listed otherwise than before, or no more."
            ),
            raw=api.stream,
            answer=EVENT_STREAM,
            problems=(Problem.TOO_MANY, Problem.UNAVAILABLE),
        ),
        Route(
            method="GET",
            path="/api/lobby/replay",
            name="featured_replay",
            tag="lobby",
            summary="See which game is worth a look today",
            description="A game of the last day that somebody won and all may look at, else an older one.",
            handler=api.featured,
            answer=FeaturedMessage,
            anonymous=True,
        ),
    )


def _new_game_routes(api: LobbyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/matches",
            name="match",
            tag="lobby",
            summary="Be matched with other players",
            description=(
                "Gives you a seat at a table that waits for players of this game, or opens one. It starts "
                "by itself when it is full; to stop waiting, leave the table. It is for people, not for bots."
            ),
            handler=api.match,
            body=FindMatch,
            answer=TableAnswer,
            scope=Scope.PLAY,
            limit=CREATING,
            problems=(*SEEN, Problem.FORBIDDEN, Problem.UNFIT, Problem.KEY_REUSED, Problem.UNAVAILABLE),
            example=Example(body=MATCH_EXAMPLE),
        ),
        rulesets_route(partial(rulesets, CLOCK, endless=False)),
    )


def _player_routes(api: LobbyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/games",
            name="my_games",
            tag="players",
            summary="See the tables at which you sit, or the games you have played",
            handler=api.my_games,
            query=MyGamesQuery,
            answer=MyGamesMessage,
            scope=Scope.READ,
        ),
        Route(
            method="GET",
            path="/api/players/{player_id:uuid}",
            name="player",
            tag="players",
            summary="See a player's page",
            handler=api.player,
            answer=PlayerPageMessage,
            problems=(Problem.NO_SUCH_PLAYER,),
        ),
        Route(
            method="GET",
            path="/api/players/{player_id:uuid}/games",
            name="games_of_player",
            tag="players",
            summary="See the games that a player has played",
            description=(
                "The latest first: all of them, or those that the query names. Of private games only those "
                "who played them are told."
            ),
            handler=api.games,
            query=GamesQuery,
            answer=ResultsMessage,
            problems=(Problem.NO_SUCH_PLAYER, Problem.UNFIT),
        ),
    )


def _rating_routes(api: LobbyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/players/{player_id:uuid}/rating",
            name="rating_of_player",
            tag="players",
            summary="See how a player's rating came about",
            description=(
                "At most 200 points, the oldest first. Private games have one only for those who played them."
            ),
            handler=api.rating,
            query=RatingQuery,
            answer=RatingCourseMessage,
            problems=(Problem.NO_SUCH_PLAYER, Problem.UNFIT),
        ),
        Route(
            method="GET",
            path="/api/ladder",
            name="ladder",
            tag="players",
            summary="See the best players of a ruleset",
            handler=api.ladder,
            query=LadderQuery,
            answer=LadderMessage,
            problems=(Problem.UNFIT,),
        ),
        Route(
            method="GET",
            path="/api/ladder/bots",
            name="bot_ladder",
            tag="players",
            summary="See the best bots of a ruleset",
            description="Rated among bots alone, by games of challenges that asked for it.",
            handler=api.bot_ladder,
            query=BotLadderQuery,
            answer=LadderMessage,
            problems=(Problem.UNFIT,),
        ),
    )
