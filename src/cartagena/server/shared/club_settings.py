"""The club's own identity provider, read from the environment (OpenID Connect)."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from cartagena.server.shared.settings_parsing import Reading, is_safe_web

LONGEST_NAME: Final = 40
"""A longer name does not fit on a button."""

_EXAMPLE: Final = "https://id.example.org/realms/club"


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """Where a club's people sign in, and the client that this service is there.

    Without a secret the service is a public client; PKCE guards both kinds.
    """

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    name: str


def read_club(reading: Reading) -> Club | None:
    """The club's provider, None if none is set; raises SettingsError, which says what to set."""
    issuer, client_id = reading.text("CARTAGENA_OIDC_ISSUER"), reading.text("CARTAGENA_OIDC_CLIENT_ID")
    secret, name = reading.text("CARTAGENA_OIDC_CLIENT_SECRET"), reading.text("CARTAGENA_OIDC_NAME")
    if not any((issuer, client_id, secret, name)):
        return None
    if issuer is None or not is_issuer(issuer):
        wanted = "the address of the club's provider, https:// outside this machine"
        raise reading.secret_trouble("CARTAGENA_OIDC_ISSUER", wanted, _EXAMPLE)
    if client_id is None:
        raise reading.trouble("CARTAGENA_OIDC_CLIENT_ID", "what the provider calls this service", "cartagena")
    shown = name or urlsplit(issuer).hostname or issuer
    if name is not None and (len(name) > LONGEST_NAME or not name.isprintable()):
        wanted = f"what the button says, up to {LONGEST_NAME} letters"
        raise reading.trouble("CARTAGENA_OIDC_NAME", wanted, "Harbour Club")
    return Club(issuer=issuer, client_id=client_id, client_secret=secret, name=shown[:LONGEST_NAME])


def is_issuer(text: str) -> bool:
    """Whether this can be an issuer: a safe address without query or fragment.

    >>> is_issuer("https://id.example.org/realms/club"), is_issuer("https://id.example.org/?club=1")
    (True, False)
    """
    return is_safe_web(text) and not {"?", "#"} & set(text)
