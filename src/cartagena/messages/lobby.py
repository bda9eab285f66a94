"""The lobby on the wire: listed tables, quick matches, results, ratings, and which rulesets there are.

Moments are milliseconds since 1970. A list that is cut off says how to ask for the rest: `next` is what the
query wants.
"""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from cartagena.messages.requests import Hash, Keyed, Word
from cartagena.messages.tables import ClockSettings, StageWord
from cartagena.messages.views import RulesetMessage

Seats = Annotated[int, Meta(ge=2, le=5)]
OptionValue: TypeAlias = bool | int | str
EndingWord: TypeAlias = Literal["won", "dead", "quiet", "resigned", "abandoned"]
OutcomeWord: TypeAlias = Literal["won", "lost", "none"]


class Query(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands behind the question mark of an address."""


class LobbyAnswer(Struct, frozen=True, kw_only=True):
    """Something that is told."""


# --- Tables ----------------------------------------------------------------------------------------


class LobbyQuery(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tables: open ones to sit down at, or running ones to watch; `after` is the last table seen."""

    ruleset: Word | None = None
    seats: Seats | None = None
    stage: Literal["open", "running"] = "open"
    after: UUID | None = None


class ListingMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A table as the lobby shows it; a `quick` one was opened by a quick match and starts when it is full."""

    id: UUID
    seq: int
    stage: StageWord
    ruleset: RulesetMessage
    seats: int
    free: int
    host: str
    clock: ClockSettings | None
    rated: bool
    quick: bool
    spectators: bool
    created: int
    host_id: UUID | None = None


class LobbyMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A page of the lobby, the newest table first."""

    tables: tuple[ListingMessage, ...]
    next: UUID | None


class LobbyChangeMessage(LobbyAnswer, frozen=True, kw_only=True):
    """What the lobby's stream tells of a table: how it is listed now, null if it is not any more.

    `seq` counts the events of the table: what is older than what is known may be ignored.
    """

    id: UUID
    seq: int
    table: ListingMessage | None


class FindMatch(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A casual game by the usual rules with the next players who ask; leave the table to stop waiting."""

    ruleset: Word
    seats: Seats = 2
    nonce_hash: Hash | None = None


# --- Players and their games -----------------------------------------------------------------------


class SeatMessage(LobbyAnswer, frozen=True, kw_only=True):
    """Who plays, or played, on a seat: a person with an id, or a bot of some level; neither if it is open."""

    player: UUID | None
    name: str
    level: str | None


class MyGamesQuery(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which of my games: those I sit at, or with `over` those that ended before the game `before`."""

    over: bool = False
    before: UUID | None = None


class GamesFilter(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which games of a player: by one ruleset, that the player won or lost or nobody won, rated or casual.

    `against` is a part of an opponent's name, in capitals or not; a bot is called by its level. A client that
    has other words for the levels names in `levels` those that it means.
    """

    ruleset: Word | None = None
    outcome: OutcomeWord | None = None
    rated: bool | None = None
    against: Annotated[str, Meta(max_length=40)] = ""
    levels: Annotated[tuple[Word, ...], Meta(max_length=10)] = ()


class GamesQuery(GamesFilter, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those of these games that ended before the game `before`."""

    before: UUID | None = None


class MyTableMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A table at which I sit; on `my_turn` it waits for me, until the deadline."""

    id: UUID
    stage: StageWord
    ruleset: str
    clock: ClockSettings | None
    rated: bool
    seat: int
    seats: tuple[SeatMessage, ...]
    my_turn: bool
    deadline: int | None


class RatingChangeMessage(LobbyAnswer, frozen=True, kw_only=True):
    """What a game did to the rating of the player whose games are shown."""

    before: int
    after: int


class ResultMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A game that is over; `seat` is that of the player whose games are shown."""

    id: UUID
    ruleset: str
    rated: bool
    ending: EndingWord
    winner: int | None
    seat: int
    seats: tuple[SeatMessage, ...]
    ended: int
    rating: RatingChangeMessage | None


class MyGamesMessage(LobbyAnswer, frozen=True, kw_only=True):
    """My tables, those that wait for me first, or a page of my results."""

    tables: tuple[MyTableMessage, ...]
    results: tuple[ResultMessage, ...]
    next: UUID | None


class PaceMessage(LobbyAnswer, frozen=True, kw_only=True):
    """The seconds that a turn of each level has usually taken on a device."""

    seconds: dict[str, float]


class FeaturedGame(LobbyAnswer, frozen=True, kw_only=True):
    """A game that is over and that everybody may look at."""

    id: UUID
    ruleset: str
    winner: int
    seats: tuple[SeatMessage, ...]
    ended: int


class FeaturedMessage(LobbyAnswer, frozen=True, kw_only=True):
    """The replay of the day; null as long as nobody has won a game that all may look at."""

    game: FeaturedGame | None


class ResultsMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A page of a player's games, the latest first."""

    results: tuple[ResultMessage, ...]
    next: UUID | None


class RatingMessage(LobbyAnswer, frozen=True, kw_only=True):
    """How well a player plays by one ruleset; `settled` once there are games enough for the ladder."""

    ruleset: str
    rating: int
    games: int
    wins: int
    settled: bool


class TotalMessage(LobbyAnswer, frozen=True, kw_only=True):
    """How many games by one ruleset a player has finished and won, of those that the asker may know of."""

    ruleset: str
    games: int
    wins: int


class RatingQuery(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rating by which ruleset."""

    ruleset: Word


class RatingPointMessage(LobbyAnswer, frozen=True, kw_only=True):
    """The rating after a game that ended at this moment."""

    at: int
    rating: int


class RatingCourseMessage(LobbyAnswer, frozen=True, kw_only=True):
    """How a rating came about, the oldest point first, by games that the asker may know of.

    There are at most 200 points: of more games some are left out, but never the first, the last and the
    highest. Private games leave no point, so the rating of now may be another than the last one here.
    """

    ruleset: str
    points: tuple[RatingPointMessage, ...]


class BotCardMessage(LobbyAnswer, frozen=True, kw_only=True):
    """What plays in a bot's account, and whose bot it is."""

    engine: str
    owner: UUID
    owner_name: str


class PlayerPageMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A player's page; `bot` says that a program plays there."""

    id: UUID
    name: str
    is_guest: bool
    created: int
    ratings: tuple[RatingMessage, ...]
    results: tuple[ResultMessage, ...]
    played: tuple[TotalMessage, ...]
    bot: BotCardMessage | None = None


class LadderQuery(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which ladder, and which page of it."""

    ruleset: Word
    page: Annotated[int, Meta(ge=1, le=200)] = 1


class BotLadderQuery(LadderQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which ladder of bots: that of a ruleset and a number of seats."""

    seats: Seats = 2


class RungMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A rung of a ladder."""

    rank: int
    player: UUID
    name: str
    rating: int
    games: int
    wins: int


class LadderMessage(LobbyAnswer, frozen=True, kw_only=True):
    """The best players of a ruleset; only those with `games` rated games are listed."""

    ruleset: str
    games: int
    rungs: tuple[RungMessage, ...]
    next: int | None


# --- Rulesets --------------------------------------------------------------------------------------


class OptionMessage(LobbyAnswer, frozen=True, kw_only=True):
    """An option of a ruleset: its rule, what it is unless you say otherwise, and what else it may be.

    Where any number from `lowest` to `highest` will do, `values` is null.
    """

    name: str
    rule: str
    default: OptionValue
    values: tuple[OptionValue, ...] | None
    lowest: int | None
    highest: int | None


class PresetMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A ruleset that can be asked for by name, and the options with which it can be varied."""

    preset: str
    family: str
    signs: tuple[str, ...]
    options: tuple[OptionMessage, ...]


class RulesetsMessage(LobbyAnswer, frozen=True, kw_only=True):
    """Everything a table can be set to: rulesets, what printed editions read differently, seats, bots."""

    rulesets: tuple[PresetMessage, ...]
    editions: dict[str, dict[str, OptionValue]]
    fewest_seats: int
    most_seats: int
    levels: tuple[str, ...]
    quick_clock: ClockSettings | None = None
    """The clock of quick matches."""
