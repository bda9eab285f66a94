"""How this service is reached: its own addresses, whom it trusts, how patient it is."""

from dataclasses import dataclass, field

from cartagena.server.http.client_address import Network, networks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """What an operator decides about HTTP; everything has a careful default.

    An origin is written as a browser sends it: `https://cartagena.example`. Without `own_origins` the `Host`
    of a request counts as our own; that is for development and for a club's own network.
    """

    own_origins: frozenset[str] = frozenset()
    """Where our own pages live; if one is https, cookies are Secure and browsers keep to https."""
    home: str | None = None
    """The one of `own_origins` that people are told to open."""
    cors_origins: frozenset[str] = frozenset()
    """Pages of others that may read our answers."""
    cors_credentials: bool = False
    """Whether those pages may also use the player's cookie."""
    trusted_proxies: tuple[str, ...] = ()
    """Networks whose X-Forwarded-For is believed; `unix` for a proxy that comes through a socket file."""
    spared_addresses: tuple[str, ...] = ()
    """Networks without a limit per address, such as a school or a load test; players keep their limits."""
    pace: float = 1.0
    """All limits are multiplied by this."""
    metrics_token: str | None = field(default=None, repr=False)
    """With this token /metrics may be read from anywhere; without it, only from this machine."""
    version: str = "0"
    """The version of the service, for its documentation."""

    @property
    def https(self) -> bool:
        """Whether players use https."""
        return any(origin.startswith("https://") for origin in self.own_origins)

    @property
    def cookie_origins(self) -> frozenset[str]:
        """Origins whose pages may change things with the player's cookie."""
        return self.own_origins | self.cors_origins if self.cors_credentials else self.own_origins

    @property
    def spared(self) -> tuple[Network, ...]:
        """The spared addresses as networks."""
        return networks_of(self.spared_addresses)
