"""A web node: its routes on its resources, its metrics, listening to the bus."""

import os
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final
from uuid import UUID

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from cartagena import __version__
from cartagena.endpoints.asgi import ASGIApp
from cartagena.endpoints.jobs import job_routes
from cartagena.endpoints.kit import Kit
from cartagena.endpoints.playing import chat_routes, playing_routes
from cartagena.endpoints.routing import Route
from cartagena.endpoints.seating import seating_routes
from cartagena.endpoints.tables import branch_routes, record_routes, table_routes
from cartagena.messages.accounts import ReportPlayer
from cartagena.server.accounts.bot_games import BotGames
from cartagena.server.accounts.challenges import challenges_of, exported_challenges
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.moderation import blocked_among, is_person_among
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.bus.interface import Bus
from cartagena.server.bus.messages import (
    Announcement,
    Attendance,
    Closing,
    LobbyChange,
    PlayerChange,
    PresenceReport,
)
from cartagena.server.http.api.accounts import account_routes
from cartagena.server.http.api.accounts_base import AccountKit, account_kit
from cartagena.server.http.api.challenges import ChallengeKit, challenge_routes
from cartagena.server.http.api.lobby import LobbyKit, LobbyListing, lobby_routes
from cartagena.server.http.api.ops import failure_route
from cartagena.server.http.api.streams import stream_routes
from cartagena.server.http.app import build_app
from cartagena.server.http.client_address import Addresses, Households
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments
from cartagena.server.http.rate_limits import MOST, Connections, TableLimits
from cartagena.server.http.streams.catch_up import Watching
from cartagena.server.http.streams.hub import REVOKED, StreamHub
from cartagena.server.http.streams.player_streams import PlayerStreams
from cartagena.server.http.streams.ports import StreamSettings
from cartagena.server.http.streams.presence import PresenceBoard
from cartagena.server.lobby.player_games import exported, unfinished
from cartagena.server.lobby.player_news import PlayerReader
from cartagena.server.lobby.results import forget_player
from cartagena.server.pages.built import built_pages
from cartagena.server.pages.lookups import Lookup
from cartagena.server.pages.pages import Pages, page_route
from cartagena.server.pages.pictures import Pictures, Renderer, picture_route
from cartagena.server.resources import Resources
from cartagena.server.shared.processes import in_thread
from cartagena.server.shared.settings import Settings
from cartagena.server.store.challenge_tables import ChallengeTables
from cartagena.server.store.erasure import lines_by
from cartagena.server.store.group_commit import DirectoryCreations
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.store.shards import Pool
from cartagena.tables.access import audience_of
from cartagena.tables.chat import line_at
from cartagena.tables.errors import Problem, ServiceError


class NodeMetrics(Collector):
    """Reports the counts that streams and bus keep for themselves, on each scrape."""

    def __init__(self, hub: StreamHub, bus: Bus) -> None:
        self._hub = hub
        self._bus = bus

    def collect(self) -> Iterator[Metric]:
        """The counts as they are now."""
        counts, bus = self._hub.counts, self._bus
        yield GaugeMetricFamily("cartagena_streams_open", "Streams that are open", len(self._hub))
        yield CounterMetricFamily("cartagena_streams_opened", "Streams opened", counts.opened)
        yield CounterMetricFamily("cartagena_streams_healed", "Streams that missed something", counts.healed)
        yield CounterMetricFamily("cartagena_streams_slow", "Streams cut off as too slow", counts.slow)
        yield CounterMetricFamily("cartagena_streams_dismissed", "Streams sent away", counts.dismissed)
        yield GaugeMetricFamily("cartagena_bus_connected", "Whether other nodes hear us", int(bus.connected))
        yield CounterMetricFamily("cartagena_bus_lost", "Messages lost on the bus", bus.lost)
        yield CounterMetricFamily("cartagena_bus_unreadable", "Messages nobody could read", bus.unreadable)


HOUSEHOLD_BYTES: Final = 32
NODE_BYTES: Final = 12
"""How many random bytes name a node; the name tells its messages from those of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """A web node: its app, the streams it holds, and what draws the pictures of links."""

    app: ASGIApp
    hub: StreamHub
    routes: tuple[Route, ...]
    renderer: Renderer


@asynccontextmanager
async def opened_web(
    resources: Resources, registry: CollectorRegistry, *, streams: StreamSettings | None = None
) -> AsyncIterator[Web]:
    """A web node on its resources; its streams live until the end of the block."""
    bus = resources.bus
    sessions = SessionCache(
        resources.directory, on_close=lambda session: bus.publish(Closing(session_id=session, code=REVOKED))
    )
    lobby = LobbyListing(resources.databases.directory)
    presence = _presence(bus)
    settings = streams or StreamSettings(pace=resources.settings.pace)
    players = _player_streams(resources, settings)
    hub = StreamHub(
        Watching(resources.tables, resources.store, aside=in_thread),
        lobby,
        sessions,
        chance=Random(secrets.randbits(64)),
        settings=settings,
        traces=resources.traces,
        presence=presence,
        players=players,
    )
    await bus.subscribe(PresenceReport, presence.hear)
    await _listen(bus, hub, sessions, players)
    registry.register(NodeMetrics(hub, bus))
    instruments = Instruments(registry=registry, traces=resources.traces)
    lookup = Lookup(resources.tables, resources.directory, pace=resources.settings.pace)
    renderer = Renderer()
    routes = (
        *routes_of(resources, hub, sessions),
        failure_route(instruments),
        picture_route(Pictures(lookup, renderer)),
    )
    app = build_app(
        routes,
        sessions=sessions,
        settings=http_settings(resources.settings),
        instruments=instruments,
        # Without its bus a node still works, only slower: no reason to take it out of the load balancer.
        ready_checks={"databases": lambda: _check_databases(resources)},
        elsewhere=page_route(Pages(built_pages(), home=resources.settings.url, lookup=lookup)),
    )
    hub.start()
    try:
        yield Web(app=app, hub=hub, routes=routes, renderer=renderer)
    finally:
        await renderer.close()
        await lookup.close()
        await hub.close()


def _player_streams(resources: Resources, settings: StreamSettings) -> PlayerStreams:
    reader = PlayerReader(
        directory=resources.databases.directory,
        source=AllOutboxes(resources.databases),
        challenges=partial(challenges_of, resources.directory),
    )
    return PlayerStreams(reader, patience=settings.patience)


def _presence(bus: Bus) -> PresenceBoard:
    node = os.urandom(NODE_BYTES)

    def share(tables: tuple[Attendance, ...], *, asks: bool) -> None:
        bus.publish(PresenceReport(node=node, tables=tables, asks=asks))

    return PresenceBoard(node, share)


async def _listen(bus: Bus, hub: StreamHub, sessions: SessionCache, players: PlayerStreams) -> None:
    def close(closing: Closing) -> None:
        if closing.session_id is not None:
            sessions.forget(closing.session_id)
        hub.dismiss(closing)

    await bus.subscribe(Announcement, hub.announce)
    await bus.subscribe(Announcement, players.announced)
    await bus.subscribe(PlayerChange, players.changed)
    await bus.subscribe(Closing, close)
    await bus.subscribe(LobbyChange, hub.lobby_changed)


def routes_of(resources: Resources, hub: StreamHub, sessions: SessionCache) -> tuple[Route, ...]:
    """Everything that can be asked of this node."""
    kit = Kit(
        tables=resources.tables,
        store=resources.store,
        creations=DirectoryCreations(resources.databases.directory),
        blocks=_Blocks(resources.directory),
        analyses=resources.analyses,
        seatings=_Seatings(resources.databases.directory),
        limits=TableLimits(pace=resources.settings.pace),
        bot_games=BotGames(directory=resources.directory, most=resources.settings.bot_games),
        households=Households(os.urandom(HOUSEHOLD_BYTES)),
        chance=os.urandom,
        aside=in_thread,
        now=lambda: time.time_ns() // 1_000_000,
    )
    lobby = LobbyKit(
        tables=kit,
        store=resources.store,
        directory=resources.directory,
        source=AllOutboxes(resources.databases),
        hub=hub,
    )
    return (
        *table_routes(kit),
        *branch_routes(kit),
        *record_routes(kit),
        *seating_routes(kit),
        *playing_routes(kit),
        *chat_routes(kit, resources.store, resources.announcer),
        *stream_routes(hub, resources.tables),
        *challenge_routes(_challenge_kit(resources, kit)),
        *lobby_routes(lobby),
        *account_routes(_account_kit(resources, sessions)),
        *job_routes(resources.tables, resources.store, resources.hints, resources.analyses, kit.households),
    )


def _challenge_kit(resources: Resources, kit: Kit) -> ChallengeKit:
    def changed(players: tuple[UUID, ...]) -> None:
        resources.bus.publish(PlayerChange(players=players))

    opened = ChallengeTables(
        directory=resources.directory,
        source=AllOutboxes(resources.databases),
        store=resources.store,
        new=kit.new,
        changed=changed,
    )
    return ChallengeKit(tables=kit, directory=resources.directory, opened=opened, changed=changed)


def _account_kit(resources: Resources, sessions: SessionCache) -> AccountKit:
    lobby = partial(exported, resources.databases.directory, AllOutboxes(resources.databases))
    elsewhere = {
        "lobby": lobby,
        "chat": partial(lines_by, resources.databases),
        "challenges": partial(exported_challenges, resources.directory),
    }
    said = partial(_said, resources)
    return account_kit(resources.settings, sessions, parts=elsewhere, forget=[forget_player], said=said)


async def _said(resources: Resources, reporter: UUID, told: ReportPlayer) -> str:
    """Implements the port `http.api.accounts_base.Said`."""
    assert told.table is not None
    table = await resources.tables.newest(told.table)
    audience_of(table, reporter, told.invite)
    seat = table.sheet.seat_of(reporter)
    line = await line_at(resources.store, table.id, told.line, after=table.sheet.told_after(seat))
    if line.player != told.player:
        raise ServiceError(Problem.UNFIT, "somebody else said that")
    return line.text


def http_settings(settings: Settings) -> HttpSettings:
    """The part of the settings that the HTTP layer needs."""
    return HttpSettings(
        own_origins=settings.own_origins,
        home=settings.url,
        cors_origins=frozenset(settings.origins),
        trusted_proxies=tuple(map(str, settings.trusted_proxies)),
        pace=settings.pace,
        metrics_token=settings.metrics_token,
        version=__version__,
    )


def connections_of(settings: Settings, registry: CollectorRegistry) -> Connections:
    """The limit on how many connections each household may hold to this node."""
    proxies = Addresses(tuple(map(str, settings.trusted_proxies)))
    connections = Connections(proxies, most=MOST * settings.pace)
    registry.register(connections)
    return connections


async def _check_databases(resources: Resources) -> None:
    for pool in (resources.databases.directory, *resources.databases.shards()):
        await pool.fetchval("SELECT 1")


class _Seatings:
    """Implements the port `endpoints.kit.Seatings`."""

    def __init__(self, directory: Pool) -> None:
        self._directory = directory

    async def unfinished(self, player: UUID) -> int:
        """At how many unfinished tables a player sits."""
        return await unfinished(self._directory, player)


class _Blocks:
    """Implements the port `endpoints.kit.Blocks`."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:
        """Whether the player has blocked one of the others, or one of them has blocked the player."""
        return bool(others and await blocked_among(self._directory, player, others))

    async def is_person_among(self, player: UUID, others: list[UUID]) -> bool:
        """Whether one of the others is the player, their owner, or a bot of the same owner."""
        return bool(others and await is_person_among(self._directory, player, others))
