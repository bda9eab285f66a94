"""An authenticator in software: it makes passkeys and signs with them, byte for byte as a real one does."""

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from msgspec import Raw

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40

Json = dict[str, Any]
"""Any: what browsers send has many shapes, and tests bend them."""


def encoded(data: bytes) -> str:
    """Bytes in base64url, as WebAuthn writes them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of a base64url text."""
    return urlsafe_b64decode(text + "==")


@dataclass(slots=True)
class Passkey:
    """A key pair that lives on the authenticator, and for whom it was made."""

    rp_id: str
    user_handle: bytes
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    count: int = 0

    def cose_key(self) -> bytes:
        """The public key as WebAuthn writes it: EC2, ES256, P-256."""
        numbers = self.key.public_key().public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})


@dataclass(slots=True)
class Authenticator:
    """A security key in a browser at `origin`; `counts` says whether it counts its signatures."""

    origin: str
    counts: bool = True
    passkeys: list[Passkey] = field(default_factory=list)

    def create(self, options: Raw, **bent: str) -> Raw:
        """What `navigator.credentials.create` gives; `bent` replaces parts of what the browser tells."""
        wanted = json.loads(bytes(options))
        passkey = Passkey(rp_id=wanted["rp"]["id"], user_handle=decoded(wanted["user"]["id"]))
        self.passkeys.append(passkey)
        attested = (
            bytes(16)
            + struct.pack(">H", len(passkey.credential_id))
            + passkey.credential_id
            + passkey.cose_key()
        )
        told = self._authenticator_data(passkey, PRESENT | VERIFIED | HAS_KEY) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": told})
        response = {
            "clientDataJSON": encoded(self._client_data("webauthn.create", wanted["challenge"], bent)),
            "attestationObject": encoded(attestation),
            "transports": ["usb"],
        }
        return self._credential(passkey, response)

    def get(self, options: Raw, **bent: str) -> Raw:
        """What `navigator.credentials.get` gives: the newest passkey signs."""
        wanted = json.loads(bytes(options))
        passkey = self.passkeys[-1]
        assert wanted["rpId"] == passkey.rp_id, "a browser offers no passkey of another place"
        passkey.count += self.counts
        told = self._authenticator_data(passkey, PRESENT | VERIFIED)
        client_data = self._client_data("webauthn.get", wanted["challenge"], bent)
        signed = passkey.key.sign(told + hashlib.sha256(client_data).digest(), ec.ECDSA(SHA256()))
        response = {
            "clientDataJSON": encoded(client_data),
            "authenticatorData": encoded(told),
            "signature": encoded(signed),
            "userHandle": encoded(passkey.user_handle),
        }
        return self._credential(passkey, response)

    def _authenticator_data(self, passkey: Passkey, flags: int) -> bytes:
        return hashlib.sha256(passkey.rp_id.encode()).digest() + struct.pack(">BI", flags, passkey.count)

    def _client_data(self, kind: str, challenge: str, bent: dict[str, str]) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps({**told, **bent}).encode()

    def _credential(self, passkey: Passkey, response: Json) -> Raw:
        name = encoded(passkey.credential_id)
        told = {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
            "authenticatorAttachment": "cross-platform",
        }
        return Raw(json.dumps(told).encode())
