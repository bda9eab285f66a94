"""ID tokens: what a provider signs about a person, and what must hold before it is believed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry

from cartagena.server.shared.errors import Problem, ServiceError

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Algorithms with which only the provider can sign; `none` and shared secrets are not among them."""
LEEWAY: Final = timedelta(minutes=1)
"""How far two clocks may be apart."""
FRESH: Final = timedelta(minutes=10)
"""A token is fetched the moment it is made; an older one has been stored somewhere."""
LONGEST_TOKEN: Final = 16_384
LONGEST_SUBJECT: Final = 255
"""The longest subject that OpenID Connect allows."""

_NICKNAMES: Final = ("nickname", "preferred_username")
"""Claims with names for public use; `name` and `email` are left alone."""


class UnknownKey(Exception):
    """The token is signed by a key that we do not know; perhaps the provider has a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedClaims:
    """Who must have signed, for which client, and in answer to which nonce."""

    issuer: str
    client_id: str
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person whom a provider knows: the subject never changes, the nicknames are only wishes."""

    issuer: str
    subject: str
    nicknames: tuple[str, ...] = ()
    asked_at: datetime | None = None
    """When the provider last had this person prove who they are; None if it does not say."""


def verified(token: str, keys: KeySet, expected: ExpectedClaims, now: datetime) -> Person:
    """The person that a token is about; raises UnknownKey, WRONG_PROOF."""
    if len(token) > LONGEST_TOKEN:
        raise _refusal()
    try:
        claims = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
        _registry(expected, now).validate(claims)
    except InvalidKeyIdError as error:
        raise UnknownKey from error
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise _refusal() from error
    _check_the_rest(claims, expected, now)
    nicknames = (claims.get(claim) for claim in _NICKNAMES)
    return Person(
        issuer=expected.issuer,
        subject=claims["sub"],
        nicknames=tuple(name for name in nicknames if isinstance(name, str)),
        asked_at=_moment(claims.get("auth_time")),
    )


def _moment(seconds: object) -> datetime | None:
    if not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise _refusal() from error


def _registry(expected: ExpectedClaims, now: datetime) -> JWTClaimsRegistry:
    return JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=int(LEEWAY.total_seconds()),
        iss={"essential": True, "value": expected.issuer},
        aud={"essential": True, "value": expected.client_id},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": expected.nonce},
    )


# Any: claims are JSON from a stranger, and what is read of them is checked here.
def _check_the_rest(claims: Mapping[str, Any], expected: ExpectedClaims, now: datetime) -> None:
    """Check what the library does not: the age, the client it was made for, and the form of the subject."""
    subject, made_for = claims["sub"], claims.get("azp")
    has_several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    is_ours = made_for == expected.client_id or (made_for is None and not has_several)
    is_fresh = claims["iat"] >= (now - FRESH - LEEWAY).timestamp()
    is_plain = subject.isascii() and subject.isprintable() and len(subject) <= LONGEST_SUBJECT
    if not (is_ours and is_fresh and is_plain and isinstance(claims["nonce"], str)):
        raise _refusal()


def _refusal() -> ServiceError:
    return ServiceError(Problem.WRONG_PROOF, "what the club's provider says does not hold: begin again")
