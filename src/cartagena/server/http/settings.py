"""How this service is reached: its own addresses, whom it trusts, how patient it is."""

from dataclasses import dataclass, field

from cartagena.server.http.address import Network, networks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """What an operator decides about the face of the service; everything has a careful default.

    An origin is written as a browser sends it: `https://cartagena.example`. Without own origins a request
    is at home where its `Host` says; that is for development and for a club's own network.
    """

    own_origins: frozenset[str] = frozenset()
    """Where our own pages live; if one is https, cookies are Secure and browsers keep to https."""
    home: str | None = None
    """The one of these that people are told to open."""
    cors_origins: frozenset[str] = frozenset()
    """Pages of others that may read our answers."""
    cors_credentials: bool = False
    """Whether those pages may also use the player's cookie."""
    trusted_proxies: tuple[str, ...] = ()
    """Networks whose X-Forwarded-For is believed; `unix` for a proxy that comes through a socket file."""
    spared_addresses: tuple[str, ...] = ()
    """Networks that share no limit per address, such as a school or a load test; sessions keep theirs."""
    pace: float = 1.0
    """All limits times this."""
    metrics_token: str | None = field(default=None, repr=False)
    """Who brings it may read /metrics from anywhere; without it only this machine may."""
    version: str = "0"
    """Of the service, for the page about it."""

    @property
    def https(self) -> bool:
        """Whether players reach us encrypted."""
        return any(origin.startswith("https://") for origin in self.own_origins)

    @property
    def cookie_origins(self) -> frozenset[str]:
        """Whose pages may change things with the player's cookie."""
        return self.own_origins | self.cors_origins if self.cors_credentials else self.own_origins

    @property
    def spared(self) -> tuple[Network, ...]:
        """The spared addresses, read."""
        return networks_of(self.spared_addresses)
