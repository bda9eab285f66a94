"""The club's provider, asked over HTTP: where people sign in, its keys, and whom a code is for."""

import asyncio
import logging
import ssl
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar
from urllib.parse import quote

import httpx
import msgspec
import structlog
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry
from msgspec import Struct

from cartagena.server.accounts.directory import Clock
from cartagena.server.shared.club_settings import Club
from cartagena.server.shared.library_checks import machine_trusts
from cartagena.server.shared.settings_parsing import is_safe_web
from cartagena.tables.errors import Problem, ServiceError

# ID tokens: what a provider signs about a person, and what must hold before it is believed.

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


SECONDS: Final = 10.0
"""The longest that a person waits for their page."""
LARGEST_ANSWER: Final = 262_144
KEEP: Final = timedelta(hours=1)
"""How long we rely on what the provider said about itself."""
ASK_AGAIN: Final = timedelta(seconds=30)
"""An unknown key makes us fetch the keys again, but not too often: anybody can name such a key."""

_BASIC: Final = "client_secret_basic"

logger = structlog.get_logger(__name__)


class Metadata(Struct, frozen=True, kw_only=True):
    """What a provider says about itself (OpenID Connect Discovery)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = (_BASIC,)

    @property
    def is_safe(self) -> bool:
        """Whether all of its addresses are safe from eavesdroppers."""
        return all(map(is_safe_web, (self.authorization_endpoint, self.token_endpoint, self.jwks_uri)))


class _Tokens(Struct, frozen=True):
    """The only part of the answer to a code that is read; nothing is stored."""

    id_token: str

    def __repr__(self) -> str:
        return "_Tokens(...)"


_Said = TypeVar("_Said")


class Provider:
    """Asks the provider, and remembers for a while what it says about itself.

    Whatever goes wrong there is UNAVAILABLE for people, and a line in the log for administrators; neither
    reveals what the provider answered.
    """

    def __init__(self, club: Club, clock: Clock, *, trusted: ssl.SSLContext | None = None) -> None:
        self.club = club
        self._clock = clock
        # These loggers would write addresses that contain codes.
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._trusted = trusted or machine_trusts()
        self._metadata: tuple[datetime, Metadata] | None = None
        self._keys: tuple[datetime, KeySet] | None = None

    def now(self) -> datetime:
        """The time by which the provider's statements are judged."""
        return self._clock()

    async def metadata(self) -> Metadata:
        """The addresses of its endpoints; raises UNAVAILABLE."""
        now = self._clock()
        if self._metadata is None or now - self._metadata[0] >= KEEP:
            address = self.club.issuer.rstrip("/") + "/.well-known/openid-configuration"
            said = self._read(await self._ask("discovery", "GET", address), Metadata, "discovery")
            if said.issuer != self.club.issuer or not said.is_safe:
                raise _away("discovery", "another_issuer" if said.is_safe else "unsafe_address")
            self._metadata = now, said
        return self._metadata[1]

    async def keys(self, *, anew: bool = False) -> KeySet:
        """The keys it signs with; `anew` if one is missing among those we know. Raises UNAVAILABLE."""
        now = self._clock()
        age = None if self._keys is None else now - self._keys[0]
        if self._keys is None or age is None or age >= (ASK_AGAIN if anew else KEEP):
            address = (await self.metadata()).jwks_uri
            self._keys = now, _key_set(await self._ask("keys", "GET", address))
        return self._keys[1]

    async def id_token(self, code: str, verifier: str, redirect: str) -> str:
        """The token about the person of a code; raises WRONG_PROOF if no such code is known, UNAVAILABLE."""
        metadata = await self.metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        headers, proof = self._credentials(metadata)
        answer = await self._ask("code", "POST", metadata.token_endpoint, headers=headers, form=form | proof)
        return self._read(answer, _Tokens, "code").id_token

    def _credentials(self, metadata: Metadata) -> tuple[dict[str, str], dict[str, str]]:
        """Headers and fields that identify this service."""
        known, secret = self.club.client_id, self.club.client_secret
        if secret is None:
            return {}, {"client_id": known}
        if _BASIC in metadata.token_endpoint_auth_methods_supported:
            # Both are form-encoded first, so that a colon in them does no harm (RFC 6749, 2.3.1).
            written = f"{quote(known, safe='')}:{quote(secret, safe='')}".encode()
            return {"Authorization": f"Basic {b64encode(written).decode()}"}, {}
        return {}, {"client_id": known, "client_secret": secret}

    async def _ask(
        self,
        errand: str,
        method: str,
        address: str,
        *,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> bytes:
        try:
            async with asyncio.timeout(SECONDS), self._client() as client:
                request = client.stream(method, address, headers=headers, data=form)
                async with request as answer:
                    return await self._body(errand, answer)
        except (OSError, httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise _away(errand, type(error).__name__) from error

    def _client(self) -> httpx.AsyncClient:
        # One for each request: people sign in seldom, and a connection kept for an hour is dead by then.
        return httpx.AsyncClient(
            verify=self._trusted,
            timeout=SECONDS,
            follow_redirects=False,
            trust_env=False,
            headers={"Accept": "application/json"},
        )

    async def _body(self, errand: str, answer: httpx.Response) -> bytes:
        body = b""
        async for part in answer.aiter_bytes():
            body += part
            if len(body) > LARGEST_ANSWER:
                raise _away(errand, "too_large")
        if errand == "code" and answer.status_code in {400, 403}:
            raise ServiceError(
                Problem.WRONG_PROOF, "the club's provider does not know this code: begin again"
            )
        if answer.status_code != httpx.codes.OK:
            raise _away(errand, f"status_{answer.status_code}")
        return body

    @staticmethod
    def _read(body: bytes, kind: type[_Said], errand: str) -> _Said:
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _away(errand, "unreadable") from error


def _key_set(body: bytes) -> KeySet:
    """The keys that can have signed a token; a published shared secret does not count."""
    try:
        told = msgspec.json.decode(body)["keys"]
        signing = [key for key in told if key.get("kty") != "oct" and key.get("use", "sig") == "sig"]
        return KeySet.import_key_set({"keys": signing})
    except Exception as error:  # bytes of strangers make the library raise all kinds
        raise _away("keys", "unreadable") from error


def _away(errand: str, why: str) -> ServiceError:
    """The refusal that people see; administrators find the reason in the log."""
    logger.warning("club_away", asked=errand, why=why)
    return ServiceError(
        Problem.UNAVAILABLE, "the club's provider does not answer: try again later, or come in another way"
    )
