"""What concerns a player, as their streams tell it: the state that was read, and what is news in it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol
from uuid import UUID

import msgspec
from asyncpg import Pool
from msgspec.structs import replace

from cartagena.endpoints.events import written
from cartagena.messages.challenges import ChallengeMessage
from cartagena.messages.player_news import (
    GameNewsMessage,
    GameNewsWord,
    MyGameMessage,
    MyStateMessage,
)
from cartagena.server.lobby.listings import SummarySource, TableSummary
from cartagena.server.lobby.player_games import MOST_TABLES, my_table
from cartagena.tables.sheet import Stage

BATCH: Final = 500
"""How many tables, or players, one query asks for."""

# The latest tables, if there are more than a player may have: nothing else bounds what is read at once.
SEATED: Final = """
SELECT player_id, game_id
FROM unnest($1::uuid[]) AS player_id CROSS JOIN LATERAL (
    SELECT game_id FROM directory.seatings s
    WHERE s.player_id = player_id.player_id AND ended_at IS NULL
    ORDER BY game_id DESC LIMIT $2
) AS seated
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerGame:
    """A game as its player knows it, and the event before its running turn."""

    message: MyGameMessage
    turn_seq: int

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.message.table.stage == "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerState:
    """All that a stream has told its player, or is to tell."""

    games: Mapping[UUID, PlayerGame] = field(default_factory=dict)
    challenges: Mapping[UUID, ChallengeMessage] = field(default_factory=dict)

    def whole(self) -> bytes:
        """The state as a stream first tells it."""
        games = (self.games[game_id].message for game_id in sorted(self.games, reverse=True))
        state = MyStateMessage(games=tuple(games), challenges=tuple(self.challenges.values()))
        return written("state", msgspec.json.encode(state))

    def after(self, read: "PlayerReading") -> "PlayerState":
        """The state once some of it was read again."""
        games = {**self.games, **read.games}
        return PlayerState(
            games={key: game for key, game in games.items() if game is not None and not game.is_over},
            challenges=self.challenges if read.challenges is None else read.challenges,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReading:
    """What was read again: some games, None where the player does not sit; all challenges, or none."""

    games: Mapping[UUID, PlayerGame | None]
    challenges: Mapping[UUID, ChallengeMessage] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPlaces:
    """Where a player is concerned: the unfinished tables at which they sit, and their challenges."""

    games: frozenset[UUID]
    challenges: Mapping[UUID, ChallengeMessage]


def news(told: PlayerState, read: PlayerReading) -> Iterator[bytes]:
    """What is news in what was read, for a player who was told the rest."""
    if read.challenges is not None:
        for challenge in _challenge_news(told.challenges, read.challenges):
            yield written("challenge", msgspec.json.encode(challenge))
    for game_id in sorted(read.games):
        before, after = told.games.get(game_id), read.games[game_id]
        what = _what_happened(before, after)
        game = after or before
        if what is not None and game is not None:
            yield written("game", msgspec.json.encode(GameNewsMessage(what=what, game=game.message)))


def _challenge_news(
    before: Mapping[UUID, ChallengeMessage], after: Mapping[UUID, ChallengeMessage]
) -> Iterator[ChallengeMessage]:
    for challenge_id in sorted(before.keys() | after.keys()):
        old, new = before.get(challenge_id), after.get(challenge_id)
        if new is not None and new != old:
            yield new
        elif new is None and old is not None and old.state == "open":
            # It went with one of its players. Decided ones are only shown no longer.
            yield replace(old, state="withdrawn")


def _what_happened(before: PlayerGame | None, after: PlayerGame | None) -> GameNewsWord | None:
    if after is None:
        return None if before is None else "left"
    if after.is_over:
        # A table that closed, or a game that ended, before it was ever told of is no news.
        return None if before is None else "over"
    new, old = after.message.table, None if before is None else before.message.table
    if new.stage != "running":
        return "seated" if old is None else None
    if old is None or old.stage != "running":
        return "begun"
    has_turned = before is not None and before.turn_seq != after.turn_seq
    return "your_turn" if new.my_turn and (has_turned or not old.my_turn) else None


class ChallengeSource(Protocol):
    """Where challenges are kept, such as `accounts.challenges.challenges_of`."""

    async def __call__(self, players: Sequence[UUID]) -> Mapping[UUID, Mapping[UUID, ChallengeMessage]]:
        """The challenges that each player is shown, by their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReader:
    """Reads what concerns players; implements the port `http.streams.player_streams.PlayerSource`."""

    directory: Pool
    source: SummarySource
    challenges: ChallengeSource

    async def places(self, players: Sequence[UUID]) -> Mapping[UUID, PlayerPlaces]:
        """Where each player is concerned, as far as the directory knows."""
        found: dict[UUID, PlayerPlaces] = {}
        for start in range(0, len(players), BATCH):
            some = players[start : start + BATCH]
            games = defaultdict[UUID, set[UUID]](set)
            for row in await self.directory.fetch(SEATED, some, MOST_TABLES):
                games[row["player_id"]].add(row["game_id"])
            challenges = await self.challenges(some)
            found |= {
                player: PlayerPlaces(games=frozenset(games[player]), challenges=challenges[player])
                for player in some
            }
        return found

    async def games(
        self, asked: Mapping[UUID, Collection[UUID]]
    ) -> Mapping[UUID, Mapping[UUID, PlayerGame | None]]:
        """Some tables for each player, as they stand now; None where they do not sit.

        A table that cannot be read now is left out.
        """
        wanted = sorted({game_id for ids in asked.values() for game_id in ids})
        found: dict[UUID, TableSummary] = {}
        for start in range(0, len(wanted), BATCH):
            standings = await self.source.standings(wanted[start : start + BATCH])
            found |= {standing.game_id: standing for standing in standings}
        return {
            player: {game_id: _game(found[game_id], player) for game_id in ids if game_id in found}
            for player, ids in asked.items()
        }


def _game(standing: TableSummary, player: UUID) -> PlayerGame | None:
    sheet = standing.sheet
    if sheet.seat_of(player) is None:
        return None
    is_over = sheet.stage is Stage.OVER
    message = MyGameMessage(
        table=my_table(standing, player),
        seq=standing.seq,
        ending=sheet.ending if is_over else None,
        winner=sheet.winner if is_over else None,
    )
    return PlayerGame(message=message, turn_seq=standing.turn_seq)
