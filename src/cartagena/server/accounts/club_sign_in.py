"""Signing in by the club's own provider: out with a slip, and back with a code (OpenID Connect).

Authorization code with PKCE. Nothing from the provider is stored but whom it knows: its tokens are read once
and dropped, and the session is one of ours, like any other.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from cartagena.server.accounts import club_errands
from cartagena.server.accounts.club_errands import Errand, Slip
from cartagena.server.accounts.club_links import another_person, link, new_player, player_known_as
from cartagena.server.accounts.club_provider import Provider
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.door import Sessions
from cartagena.server.accounts.id_tokens import LEEWAY, Expected, Person, UnknownKey, verified
from cartagena.server.accounts.sessions import PROOF_LASTS, Admission, Arrival, admit, renew
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.session import Session

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
    slip = await club_errands.send(directory, errand)
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
    sessions: Sessions, door: ClubDoor, told: Return, session: Session | None, arrival: Arrival
) -> Arrived:
    """Let in a person who comes back from the provider; `session` is the one that their browser has.

    A person who was here before becomes their old player again. A newcomer whose browser belongs to a guest
    stays that player, with their name, seats and id, but is no longer a guest.
    Raises WRONG_PROOF, FORBIDDEN, NAME_TAKEN, UNFIT, UNAVAILABLE.
    """
    errand = await club_errands.receive(sessions.directory, told.slip)
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
    expected = Expected(issuer=provider.club.issuer, client_id=provider.club.client_id, nonce=slip.nonce)
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
    sessions: Sessions, person: Person, stays: Session | None, errand: Errand, arrival: Arrival
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
