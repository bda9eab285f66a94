"""Requests about players, the lobby and what can be played."""

from uuid import UUID

from cartagena.client.request import Request, given, key_or_new, look, post, read_table, reading
from cartagena.messages.accounts import BecomeGuest, MeMessage, SignedInMessage
from cartagena.messages.lobby import (
    FeaturedMessage,
    FindMatch,
    LadderMessage,
    LobbyMessage,
    MyGamesMessage,
    OutcomeWord,
    PlayerPageMessage,
    RatingCourseMessage,
    ResultsMessage,
    RulesetsMessage,
)
from cartagena.messages.updates import TableAnswer


def become_guest(name: str | None = None) -> Request[SignedInMessage]:
    """Come in as a guest, by a name or by one that is given; the answer holds the token of the session."""
    return Request(
        method="POST",
        path="/api/guest",
        read=reading(SignedInMessage),
        body=BecomeGuest(name=name, bearer=True),
        repeatable=False,
    )


def me() -> Request[MeMessage]:
    """See who the client is signed in as."""
    return look("/api/me", reading(MeMessage))


def my_games(*, over: bool = False, before: UUID | None = None) -> Request[MyGamesMessage]:
    """See the tables at which the player sits, or with `over` the player's past games."""
    query = given(over="true" if over else None, before=None if before is None else str(before))
    return look("/api/me/games", reading(MyGamesMessage), query)


def player(player_id: UUID | str) -> Request[PlayerPageMessage]:
    """See a player's page."""
    return look(f"/api/players/{player_id}", reading(PlayerPageMessage))


def games_of(
    player_id: UUID | str,
    *,
    ruleset: str | None = None,
    outcome: OutcomeWord | None = None,
    rated: bool | None = None,
    against: str | None = None,
    before: UUID | None = None,
) -> Request[ResultsMessage]:
    """See the games that a player has played; `against` is a part of an opponent's name."""
    query = given(
        ruleset=ruleset,
        outcome=outcome,
        rated=None if rated is None else str(rated).lower(),
        against=against,
        before=None if before is None else str(before),
    )
    return look(f"/api/players/{player_id}/games", reading(ResultsMessage), query)


def rating_of(player_id: UUID | str, ruleset: str) -> Request[RatingCourseMessage]:
    """See how a player's rating by one ruleset came about."""
    return look(f"/api/players/{player_id}/rating", reading(RatingCourseMessage), given(ruleset=ruleset))


def lobby(
    *, ruleset: str | None = None, seats: int | None = None, running: bool = False, after: UUID | None = None
) -> Request[LobbyMessage]:
    """See which tables are open, or with `running` which games may be watched."""
    query = given(
        ruleset=ruleset,
        seats=None if seats is None else str(seats),
        stage="running" if running else None,
        after=None if after is None else str(after),
    )
    return look("/api/lobby", reading(LobbyMessage), query)


def featured() -> Request[FeaturedMessage]:
    """See which game is worth a look today."""
    return look("/api/lobby/replay", reading(FeaturedMessage))


def find_match(
    ruleset: str, *, seats: int = 2, nonce_hash: str | None = None, key: UUID | None = None
) -> Request[TableAnswer]:
    """Find a table with other players; to stop waiting, leave the table."""
    body = FindMatch(ruleset=ruleset, seats=seats, nonce_hash=nonce_hash, key=key_or_new(key))
    return post("/api/matches", read_table, body)


def ladder(ruleset: str, *, page: int = 1) -> Request[LadderMessage]:
    """See the best players of a ruleset."""
    return look("/api/ladder", reading(LadderMessage), given(ruleset=ruleset, page=str(page)))


def rulesets() -> Request[RulesetsMessage]:
    """See what a table can be set to."""
    return look("/api/rulesets", reading(RulesetsMessage))
