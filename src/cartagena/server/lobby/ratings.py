"""Ratings: what a game says about its players (Plackett-Luce), counted once, and the ladder of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from asyncpg import Pool, Record
from asyncpg.pool import PoolConnectionProxy
from openskill.models import PlackettLuce

from cartagena.messages.lobby import LadderMessage, RatingMessage, RungMessage

FIRST_MU: Final = 25.0
FIRST_SIGMA: Final = 25.0 / 3
"""What is known of a player who has not played: not much."""

BASE: Final = 1000
SCALE: Final = 40
DOUBT: Final = 3

WINNER: Final = 1
OTHERS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """An estimate, and how uncertain it is."""

    mu: float = FIRST_MU
    sigma: float = FIRST_SIGMA

    @property
    def shown(self) -> int:
        """The rating as it is shown.

        >>> Rating().shown, Rating(mu=30.0, sigma=2.0).shown
        (1000, 1960)
        """
        return round(BASE + SCALE * (self.mu - DOUBT * self.sigma))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """A rated game that is over: who sat where, whose crew won, and who had resigned or run out of time."""

    game_id: UUID
    ruleset: str
    players: tuple[UUID, ...]
    winner: int | None
    lost: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """What a game did to one player's rating."""

    player_id: UUID
    before: Rating
    after: Rating
    won: bool


def ranks_of(winner: int | None, lost: Sequence[bool]) -> list[int]:
    """The rank of each seat: the winner ahead of the others.

    A seat that was lost never wins, even if the bot that plays on brings its crew home: then, and in a game
    without a winner, all players who kept their seats share first place.

    >>> ranks_of(0, [False, False, False]), ranks_of(0, [True, False, False]), ranks_of(None, [False, True])
    ([1, 2, 2], [2, 1, 1], [1, 2])
    """
    if winner is not None and not lost[winner]:
        return [WINNER if seat == winner else OTHERS for seat in range(len(lost))]
    return [OTHERS if gone else WINNER for gone in lost]


def rated(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game in which the seats took these ranks."""
    model = PlackettLuce(mu=FIRST_MU, sigma=FIRST_SIGMA)
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    return [Rating(mu=one.mu, sigma=one.sigma) for (one,) in model.rate(teams, ranks=list(map(float, ranks)))]


def changes_of(game: RatedGame, before: Sequence[Rating]) -> list[RatingChange]:
    """What a game does to the ratings that its players had, seat by seat."""
    ranks = ranks_of(game.winner, game.lost)
    sole = ranks.count(WINNER) == 1
    return [
        RatingChange(player_id=player, before=old, after=new, won=sole and rank == WINNER)
        for player, old, new, rank in zip(game.players, before, rated(before, ranks), ranks, strict=True)
    ]


# The rows are created and locked in the order of the players, so that two games with the same players
# never wait for each other. For a game with a bot there are none: a node of the release before, which takes
# it for a person, lets it sit at a rated table.
HOLD: Final = """
INSERT INTO directory.ratings (player_id, ruleset, mu, sigma)
SELECT player_id, $2, $3, $4 FROM unnest($1::uuid[]) AS player_id
WHERE NOT EXISTS (SELECT FROM directory.bots WHERE bot_id = ANY ($1::uuid[]))
ORDER BY player_id
ON CONFLICT (player_id, ruleset) DO UPDATE SET ruleset = excluded.ruleset
RETURNING player_id, mu, sigma
"""

CHANGE: Final = """
UPDATE directory.ratings r
SET mu = c.mu, sigma = c.sigma, games = r.games + 1, wins = r.wins + c.won::integer
FROM unnest($2::uuid[], $3::float8[], $4::float8[], $5::bool[]) AS c (player_id, mu, sigma, won)
WHERE r.player_id = c.player_id AND r.ruleset = $1
"""

NOTE: Final = """
INSERT INTO directory.rating_changes
    (game_id, player_id, ruleset, mu_before, sigma_before, mu_after, sigma_after)
SELECT $1, player_id, $2, mu_before, sigma_before, mu_after, sigma_after
FROM unnest($3::uuid[], $4::float8[], $5::float8[], $6::float8[], $7::float8[])
    AS c (player_id, mu_before, sigma_before, mu_after, sigma_after)
"""


async def rate(connection: PoolConnectionProxy, game: RatedGame) -> None:
    """Let a game count, unless a bot played.

    The caller makes sure, in the same transaction, that it has not counted before.
    """
    rows = await connection.fetch(HOLD, game.players, game.ruleset, FIRST_MU, FIRST_SIGMA)
    if not rows:
        return
    held = {row["player_id"]: Rating(mu=row["mu"], sigma=row["sigma"]) for row in rows}
    changes = changes_of(game, [held[player] for player in game.players])
    players = [change.player_id for change in changes]
    mus, sigmas = [change.after.mu for change in changes], [change.after.sigma for change in changes]
    won = [change.won for change in changes]
    await connection.execute(CHANGE, game.ruleset, players, mus, sigmas, won)
    before = [change.before for change in changes]
    await connection.execute(
        NOTE,
        game.game_id,
        game.ruleset,
        players,
        [rating.mu for rating in before],
        [rating.sigma for rating in before],
        mus,
        sigmas,
    )


ENOUGH: Final = 10
"""How many rated games it takes to stand on the ladder."""

PAGE: Final = 50

RATINGS: Final = """
SELECT ruleset, mu, sigma, games, wins FROM directory.ratings WHERE player_id = $1 ORDER BY ruleset
"""

LADDER: Final = """
SELECT player_id, name, mu, sigma, games, wins
FROM directory.ratings JOIN directory.players USING (player_id)
WHERE ruleset = $1 AND games >= $2 AND deleted_at IS NULL
ORDER BY mu - 3 * sigma DESC, player_id
OFFSET $3 LIMIT $4
"""


async def ratings_of(directory: Pool, player: UUID) -> tuple[RatingMessage, ...]:
    """A player's ratings, one for each ruleset in which they have played rated games."""
    return tuple(
        RatingMessage(
            ruleset=row["ruleset"],
            rating=_shown(row),
            games=row["games"],
            wins=row["wins"],
            settled=row["games"] >= ENOUGH,
        )
        for row in await directory.fetch(RATINGS, player)
    )


async def ladder(directory: Pool, ruleset: str, page: int) -> LadderMessage:
    """A page of the ladder of a ruleset; pages count from 1."""
    above = (page - 1) * PAGE
    rows = await directory.fetch(LADDER, ruleset, ENOUGH, above, PAGE + 1)
    return ladder_message(ruleset, page, rows)


def ladder_message(ruleset: str, page: int, rows: Sequence[Record]) -> LadderMessage:
    """A page of a ladder; `rows` are its rungs, and one more if another page follows."""
    return LadderMessage(
        ruleset=ruleset,
        games=ENOUGH,
        rungs=tuple(
            _rung((page - 1) * PAGE + number, row) for number, row in enumerate(rows[:PAGE], start=1)
        ),
        next=page + 1 if len(rows) > PAGE else None,
    )


def _rung(rank: int, row: Record) -> RungMessage:
    return RungMessage(
        rank=rank,
        player=row["player_id"],
        name=row["name"],
        rating=_shown(row),
        games=row["games"],
        wins=row["wins"],
    )


def _shown(row: Record) -> int:
    return Rating(mu=row["mu"], sigma=row["sigma"]).shown
