"""Requests about tables. Each is a value; `Client.send` and `AsyncClient.send` ask it.

Every request that changes something has a key. A new one is drawn unless the caller passes one, for instance
one kept over a restart: the same key again is the same request again.
"""

from collections.abc import Sequence
from typing import TypeAlias
from uuid import UUID

from cartagena.client.request import Request, given, key_or_new, look, post, read_table, read_update, reading
from cartagena.messages.accounts import BecomeGuest, MeMessage, SignedInMessage
from cartagena.messages.cards import MessageError
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
from cartagena.messages.replays import AnalysisMessage, HintMessage
from cartagena.messages.requests import (
    Abandon,
    Act,
    AddBot,
    BranchFrom,
    ChangeTerms,
    GoOnFrom,
    Keyed,
    Mute,
    OfSeat,
    OpenTable,
    PromiseNonce,
    Rematch,
    RemoveLine,
    Reorder,
    Say,
    ShowNonce,
    Sit,
    TermsMessage,
    Undo,
)
from cartagena.messages.updates import Said, TableAnswer, Update
from cartagena.notation import NotationError, Record, format_record, parse_record

# Requests about players, the lobby and what can be played.


def become_guest(name: str | None = None) -> Request[SignedInMessage]:
    """Come in as a guest, with this name or one that the service makes up.

    The answer holds the token of the session.
    """
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


def bot_ladder(ruleset: str, *, seats: int = 2, page: int = 1) -> Request[LadderMessage]:
    """See the best bots of a ruleset and a number of seats, rated among bots alone."""
    query = given(ruleset=ruleset, seats=str(seats), page=str(page))
    return look("/api/ladder/bots", reading(LadderMessage), query)


def rulesets() -> Request[RulesetsMessage]:
    """See what a table can be set to."""
    return look("/api/rulesets", reading(RulesetsMessage))


TableId: TypeAlias = UUID | str


def path_of(table_id: TableId, rest: str = "") -> str:
    """Where a table is found."""
    return f"/api/tables/{table_id}{rest}"


# --- The table as a whole --------------------------------------------------------------------------


def open_table(
    terms: TermsMessage,
    *,
    bots: Sequence[str] = (),
    nonce_hash: str | None = None,
    key: UUID | None = None,
) -> Request[TableAnswer]:
    """Open a table and sit down at it; the bots are levels that fill the last seats."""
    body = OpenTable(terms=terms, bots=tuple(bots), nonce_hash=nonce_hash, key=key_or_new(key))
    return post("/api/tables", read_table, body)


def see(table_id: TableId, *, invite: str | None = None) -> Request[TableAnswer]:
    """Look at a table."""
    return look(path_of(table_id), read_table, given(invite=invite))


def take_up(
    record: Record,
    *,
    step: int | None = None,
    levels: Sequence[str | None] | None = None,
    key: UUID | None = None,
) -> Request[TableAnswer]:
    """Open a table that goes on from a record; `levels` names the bot of each seat, None is a person."""
    body = GoOnFrom(
        record=format_record(record),
        step=step,
        levels=None if levels is None else tuple(levels),
        key=key_or_new(key),
    )
    return post("/api/tables/from-record", read_table, body)


def uncover(table_id: TableId) -> Request[TableAnswer]:
    """Look from the seat that is to act at a table of a device: its player has come."""
    return post(path_of(table_id, "/uncover"), read_table)


def record(table_id: TableId, *, invite: str | None = None) -> Request[Record]:
    """Read the record of a game: all of it after the end, until then what the player may know."""
    return look(path_of(table_id, "/record"), _read_record, given(invite=invite))


def rematch(
    table_id: TableId, *, nonce_hash: str | None = None, key: UUID | None = None
) -> Request[TableAnswer]:
    """Open the table that follows this one, for a rematch."""
    body = Rematch(nonce_hash=nonce_hash, key=key_or_new(key))
    return post(path_of(table_id, "/rematch"), read_table, body)


def branch(
    table_id: TableId, step: int, *, invite: str | None = None, key: UUID | None = None
) -> Request[TableAnswer]:
    """Play on from a game that is over, after its first `step` actions, against bots."""
    body = BranchFrom(step=step, invite=invite, key=key_or_new(key))
    return post(path_of(table_id, "/branch"), read_table, body)


def _read_record(content: bytes) -> Record:
    try:
        return parse_record(content.decode())
    except (NotationError, UnicodeDecodeError) as error:
        raise MessageError(f"no record: {error}") from error


# --- Before the start ------------------------------------------------------------------------------


def sit(
    table_id: TableId,
    *,
    seat: int | None = None,
    nonce_hash: str | None = None,
    invite: str | None = None,
    key: UUID | None = None,
) -> Request[Update]:
    """Take a seat, the first open one if none is named."""
    body = Sit(seat=seat, nonce_hash=nonce_hash, invite=invite, key=key_or_new(key))
    return _change(table_id, "/sit", body)


def leave(table_id: TableId, *, key: UUID | None = None) -> Request[Update]:
    """Get up before the start."""
    return _change(table_id, "/leave", Keyed(key=key_or_new(key)))


def promise(table_id: TableId, nonce_hash: str, *, key: UUID | None = None) -> Request[Update]:
    """Promise a number for the shuffle, anew after a start that was called off."""
    return _change(table_id, "/promise", PromiseNonce(nonce_hash=nonce_hash, key=key_or_new(key)))


def show_nonce(table_id: TableId, nonce: bytes, *, key: UUID | None = None) -> Request[Update]:
    """Show the promised number. `Player` checks the promise first; other callers should check it as well."""
    return _change(table_id, "/nonce", ShowNonce(nonce=nonce.hex(), key=key_or_new(key)))


def start(table_id: TableId, *, key: UUID | None = None) -> Request[Update]:
    """Start the game; the host may."""
    return _change(table_id, "/start", Keyed(key=key_or_new(key)))


def kick(table_id: TableId, seat: int, *, key: UUID | None = None) -> Request[Update]:
    """Send a player away for good; the host may."""
    return _change(table_id, "/kick", OfSeat(seat=seat, key=key_or_new(key)))


def add_bot(table_id: TableId, seat: int, level: str, *, key: UUID | None = None) -> Request[Update]:
    """Let a bot play on an open seat; the host may."""
    return _change(table_id, "/bots", AddBot(seat=seat, level=level, key=key_or_new(key)))


def remove_bot(table_id: TableId, seat: int, *, key: UUID | None = None) -> Request[Update]:
    """Take a bot away; the host may."""
    return _change(table_id, "/bots/remove", OfSeat(seat=seat, key=key_or_new(key)))


def reorder(table_id: TableId, order: Sequence[int], *, key: UUID | None = None) -> Request[Update]:
    """Change who sits where: the present seats in their new order; the host may."""
    return _change(table_id, "/order", Reorder(order=tuple(order), key=key_or_new(key)))


def change_terms(table_id: TableId, terms: TermsMessage, *, key: UUID | None = None) -> Request[Update]:
    """Change rules, clock, seats or who may come in; the host may."""
    return _change(table_id, "/terms", ChangeTerms(terms=terms, key=key_or_new(key)))


def mute(table_id: TableId, seat: int, *, muted: bool = True, key: UUID | None = None) -> Request[Update]:
    """Silence a seat in the chat, or let it speak again; the host may."""
    return _change(table_id, "/mute", Mute(seat=seat, muted=muted, key=key_or_new(key)))


def mute_player(
    table_id: TableId, player: UUID, *, muted: bool = True, key: UUID | None = None
) -> Request[Update]:
    """Silence a player in the chat, even a spectator, or let them speak again; the host may."""
    return _change(table_id, "/mute", Mute(player=player, muted=muted, key=key_or_new(key)))


# --- During the game -------------------------------------------------------------------------------


def act(table_id: TableId, *, seq: int, choice: int | str, key: UUID | None = None) -> Request[Update]:
    """Act at the table as it stands at `seq`: the code of an action, or its notation."""
    code, action = (choice, None) if isinstance(choice, int) else (None, choice)
    return _change(table_id, "/actions", Act(seq=seq, code=code, action=action, key=key_or_new(key)))


def undo(table_id: TableId, *, seq: int, key: UUID | None = None) -> Request[Update]:
    """Take back the last choice of the table as it stands at `seq`."""
    return _change(table_id, "/undo", Undo(seq=seq, key=key_or_new(key)))


def resign(table_id: TableId, *, key: UUID | None = None) -> Request[Update]:
    """Give up."""
    return _change(table_id, "/resign", Keyed(key=key_or_new(key)))


def take_back(table_id: TableId, *, key: UUID | None = None) -> Request[Update]:
    """Take the player's seat back from the bot that plays on for it."""
    return _change(table_id, "/take-back", Keyed(key=key_or_new(key)))


def abandon(table_id: TableId, *, agrees: bool = True, key: UUID | None = None) -> Request[Update]:
    """Agree to end the game without a result, or no longer."""
    return _change(table_id, "/abandon", Abandon(agrees=agrees, key=key_or_new(key)))


def say(table_id: TableId, text: str, *, invite: str | None = None, key: UUID | None = None) -> Request[Said]:
    """Say something at the table."""
    return post(path_of(table_id, "/chat"), reading(Said), Say(text=text, invite=invite, key=key_or_new(key)))


def remove_line(
    table_id: TableId, number: int, *, invite: str | None = None, key: UUID | None = None
) -> Request[None]:
    """Take a line of chat away for everybody; its speaker may, and the host."""
    body = RemoveLine(invite=invite, key=key_or_new(key))
    return post(path_of(table_id, f"/chat/{number}/remove"), lambda _: None, body)


def _change(table_id: TableId, verb: str, body: Keyed) -> Request[Update]:
    return post(path_of(table_id, verb), read_update, body)


# --- What takes long -------------------------------------------------------------------------------


def ask_hint(table_id: TableId) -> Request[HintMessage]:
    """Ask what the player might do now; until something happens it is the same hint."""
    return post(path_of(table_id, "/hint"), reading(HintMessage))


def read_hint(table_id: TableId, hint_id: UUID | str) -> Request[HintMessage]:
    """Read a hint that was asked for."""
    return look(path_of(table_id, f"/hints/{hint_id}"), reading(HintMessage))


def ask_analysis(table_id: TableId) -> Request[AnalysisMessage]:
    """Ask for the analysis of a game that is over; it is made once and kept."""
    return post(path_of(table_id, "/analysis"), reading(AnalysisMessage))


def read_analysis(table_id: TableId) -> Request[AnalysisMessage]:
    """Read the analysis of a game."""
    return look(path_of(table_id, "/analysis"), reading(AnalysisMessage))
