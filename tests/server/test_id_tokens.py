"""ID tokens that no honest provider signs, made here: what the library and we must refuse."""

from datetime import UTC, datetime
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from cartagena.server.accounts.club.provider import ExpectedClaims, verified
from cartagena.tables.errors import Problem, ServiceError

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
SECONDS = int(NOW.timestamp())
EXPECTED = ExpectedClaims(issuer="https://id.example.org", client_id="cartagena", nonce="n-0S6")
CLAIMS = {
    "iss": EXPECTED.issuer,
    "aud": EXPECTED.client_id,
    "sub": "anne",
    "nonce": EXPECTED.nonce,
    "iat": SECONDS,
    "exp": SECONDS + 300,
}
OURS = ECKey.generate_key("P-256", {"kid": "ours"})
FOREIGN = ECKey.generate_key("P-256", {"kid": "ours"})
KEYS = KeySet([OURS])


# Any: claims and headers are JSON.
def signed(key: ECKey, claims: dict[str, Any], **header: object) -> str:
    return jwt.encode({"alg": "ES256", "kid": "ours", **header}, claims, key)


def test_an_honest_token_tells_who_it_is() -> None:
    assert verified(signed(OURS, CLAIMS), KEYS, EXPECTED, NOW).subject == "anne"


@pytest.mark.parametrize("claims", [{"nbf": SECONDS + 600}, {"nbf": "soon"}, {"sub": ""}, {"sub": "a\nb"}])
def test_a_token_whose_claims_do_not_hold_is_refused(claims: dict[str, Any]) -> None:
    with pytest.raises(ServiceError) as refused:
        verified(signed(OURS, CLAIMS | claims), KEYS, EXPECTED, NOW)
    assert refused.value.problem is Problem.WRONG_PROOF


@pytest.mark.parametrize(
    "header",
    [
        {"jwk": FOREIGN.as_dict(private=False)},
        {"jku": "https://evil.example.org/keys"},
        {"x5u": "https://evil.example.org/chain"},
    ],
    ids=["jwk", "jku", "x5u"],
)
def test_a_token_does_not_bring_its_own_key(header: dict[str, Any]) -> None:
    with pytest.raises(ServiceError) as refused:
        verified(signed(FOREIGN, CLAIMS, **header), KEYS, EXPECTED, NOW)
    assert refused.value.problem is Problem.WRONG_PROOF
