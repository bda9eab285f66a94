"""Ratings: what a game says about how well its players play, by the Plackett-Luce model.

A rating is an estimate `mu` and its uncertainty `sigma`. It is shown as 1000 + 40 * (mu - 3 * sigma),
rounded: what a player is almost surely worth. So everybody begins at 1000, and a good, experienced player
has 2000. One winner stands against all others, who count as equal: Cartagena has no second place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from openskill.models import PlackettLuce

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
