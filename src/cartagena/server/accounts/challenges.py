"""Challenges of one player to another: made, withdrawn, declined or accepted, each with exactly one outcome.

The outcome is in the row of the challenge: the request that changes it first decides, by PostgreSQL's clock.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec import Raw

from cartagena.endpoints.tables import read_terms
from cartagena.messages.challenges import (
    ChallengeMessage,
    ChallengeWord,
    ContenderMessage,
    DeclineReason,
    MakeChallenge,
)
from cartagena.messages.requests import TermsMessage
from cartagena.notation.position_text import format_ruleset
from cartagena.server.accounts.directory import Connection, Directory
from cartagena.server.accounts.moderation import AMONG
from cartagena.server.accounts.players import no_such_player
from cartagena.server.shared.moments import milliseconds
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.seating import Sitter, Terms, check_terms

MOST_SENT: Final = 20
"""The most open challenges of one player to others."""
MOST_RECEIVED: Final = 50
MOST_BETWEEN: Final = 3
"""The most challenges of one player to the same other that are open or were declined just now."""
LIVE_MINUTES: Final = 10
"""How long a challenge to a game that is played in one sitting is open: both are there now."""
OTHER_DAYS: Final = 3
"""How long any other is open."""
SHOWN_MINUTES: Final = 10
"""How long a challenge is shown after it was decided, so that a client that was away learns of it."""
_TRY_AGAIN: Final = 60

COLUMNS: Final = """
SELECT c.challenge_id, c.challenger_id, c.opponent_id, c.terms, c.reason, c.game_id, c.opened, c.created_at,
    c.expires_at, c.ladder, c.nonce_hash, c.answer_hash, a.name AS challenger_name, b.name AS opponent_name,
    EXISTS (SELECT FROM directory.bots WHERE bot_id = c.challenger_id) AS challenger_is_bot,
    EXISTS (SELECT FROM directory.bots WHERE bot_id = c.opponent_id) AS opponent_is_bot,
    c.state AS kept_state,
    CASE
        -- Until its table is there, nobody can play.
        WHEN c.state = 'accepted' AND NOT c.opened THEN 'open'
        WHEN c.state = 'open' AND c.expires_at <= now() THEN 'expired'
        ELSE c.state
    END AS state
FROM directory.game_challenges c
    JOIN directory.players a ON a.player_id = c.challenger_id
    JOIN directory.players b ON b.player_id = c.opponent_id
"""

FIND: Final = COLUMNS + "WHERE c.challenge_id = $1 AND $2 IN (c.challenger_id, c.opponent_id)"
BY_KEY: Final = COLUMNS + "WHERE c.challenger_id = $1 AND c.key = $2"
OF_PLAYER: Final = COLUMNS + "WHERE $1 IN (c.challenger_id, c.opponent_id) ORDER BY c.challenge_id DESC"
SHOWN: Final = (
    COLUMNS
    + """
WHERE (c.challenger_id = ANY ($1::uuid[]) OR c.opponent_id = ANY ($1::uuid[]))
    AND coalesce(c.decided_at, c.expires_at) > now() - make_interval(mins => $2)
ORDER BY c.challenge_id DESC
"""
)

# People before bots, then by id: in this order an owner who leaves locks himself and his bots.
LOCK: Final = """
SELECT p.player_id, p.name, p.is_guest, b.bot_id IS NOT NULL AS is_bot, b.owner_id,
    coalesce(greatest(p.banned_until, o.banned_until) > now(), false) AS is_banned
FROM directory.players p
    LEFT JOIN directory.bots b ON b.bot_id = p.player_id
    LEFT JOIN directory.players o ON o.player_id = b.owner_id
WHERE p.player_id = ANY ($1::uuid[]) AND p.deleted_at IS NULL AND o.deleted_at IS NULL
ORDER BY b.bot_id IS NOT NULL, p.player_id
FOR NO KEY UPDATE OF p
"""

# What was declined a moment ago counts between the two: nobody is asked again and again.
COUNT: Final = """
SELECT count(*) FILTER (WHERE is_open AND challenger_id = $1) AS sent,
    count(*) FILTER (WHERE is_open AND opponent_id = $2) AS received,
    count(*) FILTER (WHERE challenger_id = $1 AND opponent_id = $2) AS between
FROM directory.game_challenges,
    LATERAL (SELECT state = 'open' AND expires_at > now() AS is_open) AS known
WHERE (challenger_id = $1 OR opponent_id = $2)
    AND (is_open OR (state = 'declined' AND decided_at > now() - make_interval(mins => $3)))
"""

INSERT: Final = """
INSERT INTO directory.game_challenges
    (challenge_id, challenger_id, opponent_id, key, terms, ladder, nonce_hash, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8, mins => $9))
"""

_OPEN: Final = "challenge_id = $1 AND state = 'open' AND expires_at > now()"

WITHDRAW: Final = f"""
UPDATE directory.game_challenges SET state = 'withdrawn', decided_at = now()
WHERE challenger_id = $2 AND {_OPEN} RETURNING challenge_id
"""  # noqa: S608  # our own condition

DECLINE: Final = f"""
UPDATE directory.game_challenges SET state = 'declined', reason = $3, decided_at = now()
WHERE opponent_id = $2 AND {_OPEN} RETURNING challenge_id
"""  # noqa: S608  # our own condition

ACCEPT: Final = f"""
UPDATE directory.game_challenges SET state = 'accepted', game_id = $3, answer_hash = $4, decided_at = now()
WHERE opponent_id = $2 AND {_OPEN} RETURNING challenge_id
"""  # noqa: S608  # our own condition

COUNTS: Final = "INSERT INTO directory.ladder_games (game_id, rules, players) VALUES ($1, $2, $3)"

LOCK_UNOPENED: Final = """
SELECT challenge_id FROM directory.game_challenges
WHERE challenge_id = $1 AND state = 'accepted' AND NOT opened FOR NO KEY UPDATE
"""

OPENED: Final = "UPDATE directory.game_challenges SET opened = true WHERE challenge_id = $1"

UNOPENED: Final = """
SELECT challenge_id, opponent_id FROM directory.game_challenges
WHERE state = 'accepted' AND NOT opened AND decided_at < now() - make_interval(secs => $1)
ORDER BY decided_at LIMIT $2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedChallenge:
    """A challenge whose table is to be opened: the challenger is its host."""

    id: UUID
    game_id: UUID
    terms: TermsMessage
    challenger: Sitter
    opponent: Sitter


async def challenges_of(
    directory: Directory, players: Sequence[UUID]
) -> Mapping[UUID, Mapping[UUID, ChallengeMessage]]:
    """The challenges that each player is shown, by their ids, the latest first."""
    found = defaultdict[UUID, dict[UUID, ChallengeMessage]](dict)
    for row in await directory.pool.fetch(SHOWN, players, SHOWN_MINUTES):
        for player in (row["challenger_id"], row["opponent_id"]):
            found[player][row["challenge_id"]] = _message(row)
    return {player: found[player] for player in players}


async def exported_challenges(directory: Directory, player_id: UUID) -> Raw:
    """Every challenge of a player that is still kept, the latest first, as JSON."""
    kept = [_message(row) for row in await directory.pool.fetch(OF_PLAYER, player_id)]
    return Raw(msgspec.json.encode(kept))


async def challenge_of(directory: Directory, player_id: UUID, challenge_id: UUID) -> ChallengeMessage:
    """One challenge of a player; raises NO_SUCH_THING."""
    return _message(_own(await directory.pool.fetchrow(FIND, challenge_id, player_id)))


async def make_challenge(
    directory: Directory, player_id: UUID, wanted: MakeChallenge, terms: Terms
) -> ChallengeMessage:
    """Challenge a player by these terms, which are those wanted; a repeated key returns the same challenge.

    Raises UNFIT, NO_SUCH_PLAYER, NEEDS_ACCOUNT, FORBIDDEN, BLOCKED, TOO_MANY.
    """
    if wanted.opponent == player_id:
        raise ServiceError(Problem.UNFIT, "challenge somebody else")
    if terms.seats != len((player_id, wanted.opponent)):
        raise ServiceError(Problem.UNFIT, "a challenge is for a game of two")
    async with directory.pool.acquire() as connection, connection.transaction():
        players = await _locked(connection, (player_id, wanted.opponent))
        known = await connection.fetchrow(BY_KEY, player_id, wanted.key)
        if known is not None:
            return _message(known)
        await _require_fit(connection, players, player_id, wanted.opponent)
        # What is refused now cannot fail later, when it is accepted and its table is to be opened.
        check_terms(terms, [player.sitter.chair(0) for player in players.values()], quick=False)
        if wanted.ladder:
            _require_ladder(players.values(), terms)
        await _require_room(connection, player_id, wanted.opponent)
        challenge_id, text = directory.new_id(), msgspec.json.encode(wanted.terms).decode()
        is_live = terms.clock is not None and terms.clock.kind == "live"
        lasts = (0, LIVE_MINUTES) if is_live else (OTHER_DAYS, 0)
        parties = (challenge_id, player_id, wanted.opponent, wanted.key)
        await connection.execute(INSERT, *parties, text, wanted.ladder, wanted.nonce_hash, *lasts)
        return _message(_own(await connection.fetchrow(FIND, challenge_id, player_id)))


async def withdraw(directory: Directory, player_id: UUID, challenge_id: UUID) -> ChallengeMessage:
    """Withdraw a challenge of one's own; raises NO_SUCH_THING, WRONG_STAGE if it was decided otherwise."""
    return await _decide(directory, player_id, challenge_id, "withdrawn", WITHDRAW)


async def decline(
    directory: Directory, player_id: UUID, challenge_id: UUID, reason: DeclineReason
) -> ChallengeMessage:
    """Decline a challenge that one has received; raises as `withdraw` does."""
    return await _decide(directory, player_id, challenge_id, "declined", DECLINE, reason)


async def _decide(
    directory: Directory,
    player_id: UUID,
    challenge_id: UUID,
    wanted: ChallengeWord,
    statement: str,
    *values: object,
) -> ChallengeMessage:
    decided = await directory.pool.fetchval(statement, challenge_id, player_id, *values)
    row = _own(await directory.pool.fetchrow(FIND, challenge_id, player_id))
    by = row["challenger_id"] if wanted == "withdrawn" else row["opponent_id"]
    # A repeated request finds what it did the first time.
    if decided is None and (row["kept_state"] != wanted or by != player_id):
        raise _decided(row, player_id, by)
    return _message(row)


async def accept(
    directory: Directory, player_id: UUID, challenge_id: UUID, *, game_id: UUID, nonce_hash: str | None
) -> None:
    """Accept a challenge, with the id of its table; a repeated request changes nothing.

    Raises NO_SUCH_THING, WRONG_STAGE, and what `make_challenge` raises for the two players.
    """
    row = _own(await directory.pool.fetchrow(FIND, challenge_id, player_id))
    pair = row["challenger_id"], row["opponent_id"]
    async with directory.pool.acquire() as connection, connection.transaction():
        players = await _locked(connection, pair)
        row = _own(await connection.fetchrow(FIND, challenge_id, player_id))
        if row["kept_state"] == "accepted" and player_id == row["opponent_id"]:
            return
        if row["state"] != "open" or player_id != row["opponent_id"]:
            raise _decided(row, player_id, row["opponent_id"])
        await _require_fit(connection, players, *pair)
        if await connection.fetchval(ACCEPT, challenge_id, player_id, game_id, nonce_hash) is None:
            # It was open a moment ago: withdrawn or declined by another request, or expired.
            raise ServiceError(Problem.WRONG_STAGE, "this challenge is no longer open")
        if row["ladder"]:
            rules = format_ruleset(read_terms(_terms(row)).ruleset)
            await connection.execute(COUNTS, game_id, rules, list(pair))


@asynccontextmanager
async def opening(
    directory: Directory, challenge_id: UUID, player_id: UUID
) -> AsyncIterator[AcceptedChallenge | None]:
    """An accepted challenge while its table is opened; None if there is nothing to open, or no longer.

    It is marked as opened at the end of the block. Meanwhile neither of the two players can be deleted, so
    that no name comes to a table after it was erased everywhere else.
    """
    row = await directory.pool.fetchrow(FIND, challenge_id, player_id)
    if row is None or row["kept_state"] != "accepted" or row["opened"]:
        yield None
        return
    async with directory.pool.acquire() as connection, connection.transaction():
        players = await _locked(connection, (row["challenger_id"], row["opponent_id"]))
        if await connection.fetchval(LOCK_UNOPENED, challenge_id) is None:
            yield None
            return
        yield AcceptedChallenge(
            id=challenge_id,
            game_id=row["game_id"],
            terms=_terms(row),
            challenger=replace(players[row["challenger_id"]].sitter, nonce_hash=row["nonce_hash"]),
            opponent=replace(players[row["opponent_id"]].sitter, nonce_hash=row["answer_hash"]),
        )
        await connection.execute(OPENED, challenge_id)


async def unopened(directory: Directory, *, seconds: float, most: int) -> list[tuple[UUID, UUID]]:
    """Challenges accepted `seconds` ago or earlier whose table is not open yet, each with who accepted it."""
    rows = await directory.pool.fetch(UNOPENED, seconds, most)
    return [(row["challenge_id"], row["opponent_id"]) for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contender:
    sitter: Sitter
    is_banned: bool
    owner: UUID | None


async def _locked(connection: Connection, players: Collection[UUID]) -> dict[UUID, _Contender]:
    """Lock both players of a challenge; raises NO_SUCH_PLAYER if one of them is gone."""
    rows = await connection.fetch(LOCK, list(players))
    if len(rows) < len(players):
        raise no_such_player()
    return {
        row["player_id"]: _Contender(
            sitter=Sitter(
                player=row["player_id"], name=row["name"], guest=row["is_guest"], program=row["is_bot"]
            ),
            is_banned=row["is_banned"],
            owner=row["owner_id"],
        )
        for row in rows
    }


async def _require_fit(
    connection: Connection, players: Mapping[UUID, _Contender], challenger: UUID, opponent: UUID
) -> None:
    if players[challenger].sitter.guest:
        raise ServiceError(Problem.NEEDS_ACCOUNT, "keep your name first: guests challenge nobody")
    if players[opponent].sitter.guest:
        raise ServiceError(Problem.UNFIT, "a guest is not challenged; send them the link of a table")
    if any(player.is_banned for player in players.values()):
        raise ServiceError(Problem.FORBIDDEN, "one of you may not play at present")
    if await connection.fetch(AMONG, challenger, [opponent]):
        raise ServiceError(Problem.BLOCKED, "one of you does not want to play with the other")


def _require_ladder(players: Collection[_Contender], terms: Terms) -> None:
    # Two bots of one owner could let each other win.
    if None in {player.owner for player in players} or len({player.owner for player in players}) == 1:
        raise ServiceError(Problem.UNFIT, "the ladder is for bots of two owners")
    if terms.clock is None:
        raise ServiceError(Problem.UNFIT, "a game for the ladder needs a clock")


async def _require_room(connection: Connection, challenger: UUID, opponent: UUID) -> None:
    row = await connection.fetchrow(COUNT, challenger, opponent, SHOWN_MINUTES)
    assert row is not None, "a count"
    if row["between"] >= MOST_BETWEEN:
        raise _too_many("this player has not answered your last challenges yet, or declined them just now")
    if row["sent"] >= MOST_SENT:
        raise _too_many(f"a player has at most {MOST_SENT} open challenges to others")
    if row["received"] >= MOST_RECEIVED:
        raise _too_many("too many challenge this player")


def _too_many(sentence: str) -> ServiceError:
    return ServiceError(Problem.TOO_MANY, sentence, retry_after=_TRY_AGAIN)


def _own(row: Record | None) -> Record:
    if row is None:
        raise ServiceError(Problem.NO_SUCH_THING, "you have no such challenge")
    return row


def _decided(row: Record, player_id: UUID, by: UUID) -> ServiceError:
    if player_id != by:
        return ServiceError(Problem.FORBIDDEN, "that is for the other player to do")
    state = row["kept_state"] if row["kept_state"] != "open" else row["state"]
    return ServiceError(Problem.WRONG_STAGE, f"this challenge is {state}")


def _message(row: Record) -> ChallengeMessage:
    return ChallengeMessage(
        id=row["challenge_id"],
        challenger=_contender(row, "challenger"),
        opponent=_contender(row, "opponent"),
        terms=_terms(row),
        state=row["state"],
        reason=row["reason"],
        table=row["game_id"] if row["opened"] else None,
        created=milliseconds(row["created_at"]),
        expires=milliseconds(row["expires_at"]),
        ladder=row["ladder"],
    )


def _terms(row: Record) -> TermsMessage:
    return msgspec.json.decode(row["terms"], type=TermsMessage)


def _contender(row: Record, role: str) -> ContenderMessage:
    return ContenderMessage(id=row[f"{role}_id"], name=row[f"{role}_name"], is_bot=row[f"{role}_is_bot"])
