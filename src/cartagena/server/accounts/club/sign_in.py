"""Signing in by the club's provider: out with a slip, back with a code, in the same browser, only once."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from asyncpg import UniqueViolationError

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import ClubLinkMessage
from cartagena.server.accounts.club.provider import (
    LEEWAY,
    ExpectedClaims,
    Person,
    Provider,
    UnknownKey,
    verified,
)
from cartagena.server.accounts.directory import LOCK_PLAYER, Connection, Directory
from cartagena.server.accounts.players import FIND, INSERT, keep_name, no_such_player
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import PROOF_LASTS, Admission, Arrival, admit, renew
from cartagena.server.shared.moments import milliseconds
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import LONGEST_NAME, name_key, new_name, pirate_name

# Links: which player a person of the club's provider is here.

NUMBERED: Final = 9
"""How many people may share a name, told apart by numbers; the next gets a pirate's name."""
PIRATES: Final = 20

# Two browsers of one newcomer must not make two players.
ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))"

USE: Final = """
UPDATE directory.club_links SET used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING player_id
"""

LINK: Final = """
INSERT INTO directory.club_links (issuer, subject, player_id, created_at, used_at) VALUES ($1, $2, $3, $4, $4)
"""

LIST: Final = """
SELECT issuer, subject, created_at, used_at FROM directory.club_links WHERE player_id = $1 ORDER BY created_at
"""


async def player_known_as(directory: Directory, connection: Connection, person: Person) -> UUID | None:
    """The player of a person who was here before; locks the person until the transaction ends."""
    await connection.execute(ALONE, person.issuer, person.subject)
    found: UUID | None = await connection.fetchval(USE, person.issuer, person.subject, directory.clock())
    return found


async def link(directory: Directory, connection: Connection, person: Person, player_id: UUID) -> None:
    """Link this person to that player; a guest thereby keeps their name. Raises NAME_TAKEN, UNFIT."""
    if await connection.fetchval(LOCK_PLAYER, player_id) is None:
        raise no_such_player()
    known = await connection.fetchrow(FIND, player_id)
    assert known is not None
    if known["is_guest"]:
        await keep_name(connection, player_id, known["name"])
    try:
        await connection.execute(LINK, person.issuer, person.subject, player_id, directory.clock())
    except UniqueViolationError as error:
        raise another_person() from error


async def new_player(directory: Directory, connection: Connection, person: Person) -> UUID:
    """A new player for a person who was never here, by their nickname if it is free."""
    player_id = directory.new_id()
    for name in _names_for(directory, person):
        try:
            # A savepoint, so that only this step is undone if the name is taken.
            async with connection.transaction():
                await connection.execute(INSERT, player_id, name, name_key(name), directory.clock())
                await keep_name(connection, player_id, name)
        except ServiceError:
            continue
        await connection.execute(LINK, person.issuer, person.subject, player_id, directory.clock())
        return player_id
    raise ServiceError(Problem.NAME_TAKEN, "no name is left: come in as a guest and choose one first")


async def links_of(directory: Directory, player_id: UUID) -> tuple[ClubLinkMessage, ...]:
    """The provider's people that are linked to a player, for the export."""
    return tuple(
        ClubLinkMessage(
            issuer=row["issuer"],
            subject=row["subject"],
            created=milliseconds(row["created_at"]),
            used=milliseconds(row["used_at"]),
        )
        for row in await directory.pool.fetch(LIST, player_id)
    )


def another_person() -> ServiceError:
    """The refusal to link a player and a person if either is linked to another already."""
    return ServiceError(Problem.UNFIT, "this account and this sign-in belong to different players already")


def _names_for(directory: Directory, person: Person) -> Iterator[str]:
    for nickname in person.nicknames:
        # A mail address must not become a public name.
        if "@" in nickname:
            continue
        try:
            name = new_name(nickname[:LONGEST_NAME])
        except ServiceError:
            continue
        yield name
        for number in range(2, NUMBERED + 1):
            yield f"{name[: LONGEST_NAME - 2].rstrip()} {number}"
    for _ in range(PIRATES):
        yield pirate_name(directory.chance)


SECRET_BYTES: Final = 32
LIFETIME: Final = timedelta(minutes=10)

PUT: Final = """
INSERT INTO directory.club_errands (state_hash, browser_hash, player_id, joins, back, expires_at)
VALUES ($1, $2, $3, $4, $5, $6)
"""

TAKE: Final = """
DELETE FROM directory.club_errands WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
RETURNING player_id, joins, back
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Who was sent, if known; whether the account gains this way in; where the browser returns to."""

    player_id: UUID | None
    joins: bool
    back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """The values that a browser takes along."""

    state: str = field(repr=False)
    browser: str = field(repr=False)

    @property
    def nonce(self) -> str:
        """What the provider repeats in the token that it signs."""
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        """What proves that it was we who asked for the code (PKCE)."""
        return self._derived("verifier")

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier beforehand (S256)."""
        return _text(hashlib.sha256(self.verifier.encode()).digest())

    def _derived(self, purpose: str) -> str:
        told = f"{purpose}:{self.state}".encode()
        return _text(hmac.digest(self.browser.encode(), told, "sha256"))


async def send(directory: Directory, errand: Errand) -> Slip:
    """Remember who was sent; the browser needs the slip to come back."""
    slip = Slip(state=_text(directory.chance(SECRET_BYTES)), browser=_text(directory.chance(SECRET_BYTES)))
    await directory.pool.execute(
        PUT,
        _hash_of(slip.state),
        _hash_of(slip.browser),
        errand.player_id,
        errand.joins,
        errand.back,
        directory.clock() + LIFETIME,
    )
    return slip


async def receive(directory: Directory, slip: Slip) -> Errand:
    """The errand of a browser that comes back, which works only once. Raises WRONG_PROOF."""
    row = await directory.pool.fetchrow(TAKE, _hash_of(slip.state), _hash_of(slip.browser), directory.clock())
    if row is None:
        raise ServiceError(Problem.WRONG_PROOF, "this browser was not sent, or too long ago: begin again")
    return Errand(player_id=row["player_id"], joins=row["joins"], back=row["back"])


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _hash_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


SCOPES: Final = "openid profile"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubDoor:
    """The provider, and our address to which it sends people back."""

    provider: Provider
    redirect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Where a browser goes, and what it keeps meanwhile."""

    address: str = field(repr=False)
    slip: Slip


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """What a browser comes back with: the provider's code, or None if the provider refused."""

    slip: Slip
    code: str | None = field(repr=False)
    issuer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Where a browser goes on, and its session: a new one, or its own with a new token."""

    back: str
    admission: Admission


async def depart(directory: Directory, door: ClubDoor, errand: Errand) -> Departure:
    """Send a browser to the provider; raises UNAVAILABLE."""
    address = (await door.provider.metadata()).authorization_endpoint
    slip = await send(directory, errand)
    asked = {
        "response_type": "code",
        "client_id": door.provider.club.client_id,
        "redirect_uri": door.redirect,
        "scope": SCOPES,
        "state": slip.state,
        "nonce": slip.nonce,
        "max_age": str(int(PROOF_LASTS.total_seconds())),
        "code_challenge": slip.challenge,
        "code_challenge_method": "S256",
    }
    return Departure(address=f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}", slip=slip)


async def arrive(
    sessions: SessionCache, door: ClubDoor, told: Return, session: Session | None, arrival: Arrival
) -> Arrived:
    """Let in a person who comes back from the provider; `session` is the one that their browser has.

    A person who was here before becomes their old player again. A newcomer whose browser belongs to a guest
    stays that player, with their name, seats and id, but is no longer a guest.
    Raises WRONG_PROOF, FORBIDDEN, NAME_TAKEN, UNFIT, UNAVAILABLE.
    """
    errand = await receive(sessions.directory, told.slip)
    # Some providers say which of several answers (RFC 9207); there is only one here.
    if told.issuer not in {None, door.provider.club.issuer}:
        raise ServiceError(Problem.WRONG_PROOF, "another provider answers: begin again")
    if told.code is None:
        raise ServiceError(Problem.FORBIDDEN, "the club's provider did not let you in")
    person = await _person(door, told.slip, told.code)
    stays = session if _may_stay(session, errand) else None
    admission = await _admission(sessions, person, stays, errand, arrival)
    return Arrived(back=errand.back, admission=admission)


async def _person(door: ClubDoor, slip: Slip, code: str) -> Person:
    provider = door.provider
    token = await provider.id_token(code, slip.verifier, door.redirect)
    expected = ExpectedClaims(
        issuer=provider.club.issuer, client_id=provider.club.client_id, nonce=slip.nonce
    )
    try:
        return verified(token, await provider.keys(), expected, provider.now())
    except UnknownKey:
        pass
    try:
        return verified(token, await provider.keys(anew=True), expected, provider.now())
    except UnknownKey as error:
        raise ServiceError(Problem.WRONG_PROOF, "signed by a key that the provider does not have") from error


def _may_stay(session: Session | None, errand: Errand) -> bool:
    """Whether this browser's player stays: the same one who was sent, and a guest or willing to link."""
    if session is None or not session.by_cookie or session.player_id != errand.player_id:
        return False
    return session.is_guest or errand.joins


async def _admission(
    sessions: SessionCache, person: Person, stays: Session | None, errand: Errand, arrival: Arrival
) -> Admission:
    directory = sessions.directory
    proved = _shown_lately(person, directory.clock())
    async with directory.pool.acquire() as connection, connection.transaction():
        known = await player_known_as(directory, connection, person)
        if stays is None or (known is not None and not errand.joins):
            player_id = known or await new_player(directory, connection, person)
            return await admit(directory, connection, player_id, arrival, proved=proved)
        if known not in {None, stays.player_id}:
            raise another_person()
        if known is None:
            await link(directory, connection, person, stays.player_id)
        renewed = await renew(directory, connection, stays, proved=proved)
    sessions.forget_player(stays.player_id)
    sessions.close(stays.id)
    return renewed


def _shown_lately(person: Person, now: datetime) -> bool:
    """Whether coming back is a proof: the person proved who they are to the provider, not just the browser.

    We ask it to (`max_age`). A provider that does not say when it last did so is believed, or its people
    could never change their ways in.
    """
    return person.asked_at is None or person.asked_at >= now - PROOF_LASTS - LEEWAY
