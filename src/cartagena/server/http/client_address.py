"""Where a request comes from, and which proxies are trusted to say so."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from cartagena.endpoints.request import Headers

Network = IPv4Network | IPv6Network
RawHeaders = Iterable[tuple[bytes, bytes]]

UNIX: Final = "unix"
"""The peer of a connection through a socket file."""

_FORWARDED: Final = b"x-forwarded-for"
_IPV6_SITE: Final = 64


def networks_of(names: Iterable[str]) -> tuple[Network, ...]:
    """Return the networks in `names`, such as `10.0.0.0/8`; a single address is a network of one."""
    return tuple(ip_network(name, strict=False) for name in names if name != UNIX)


class Addresses:
    """Finds the address of a client; X-Forwarded-For counts only when a trusted proxy sends it.

    >>> raw = [(b"x-forwarded-for", b"198.51.100.7, 10.0.0.9")]
    >>> Addresses(("10.0.0.0/8",)).of("10.0.0.1", raw)
    '198.51.100.7'
    >>> Addresses(()).of("10.0.0.1", raw)
    '10.0.0.1'
    """

    def __init__(self, trusted_proxies: tuple[str, ...]) -> None:
        networks = networks_of(trusted_proxies)
        trusts_sockets = UNIX in trusted_proxies

        @lru_cache(maxsize=4096)
        def trusts(peer: str) -> bool:
            if peer == UNIX:
                return trusts_sockets
            address = read_address(peer)
            return address is not None and any(address in network for network in networks)

        self._trusts = trusts
        self._trusts_nobody = not trusted_proxies

    def trusts(self, peer: str) -> bool:
        """Whether the other end of a connection is a trusted proxy."""
        return not self._trusts_nobody and self._trusts(peer)

    def of(self, peer: str, headers: RawHeaders) -> str:
        """The nearest address that is not a trusted proxy's."""
        if not self.trusts(peer):
            return peer
        for hop in reversed(_hops(headers)):
            address = read_address(hop)
            if address is None:
                break
            peer = str(address)
            if not self._trusts(peer):
                break
        return peer


def _hops(headers: RawHeaders) -> list[str]:
    """List every forwarded address, farthest first; a proxy may add its own header or extend one."""
    whole = b",".join(value for name, value in headers if name == _FORWARDED)
    return [hop.strip() for hop in whole.decode("latin-1").split(",") if hop.strip()]


@lru_cache(maxsize=4096)
def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address; an IPv4-mapped IPv6 address becomes IPv4; None if it is not an address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@lru_cache(maxsize=16384)
def household_of(text: str) -> str:
    """Return what a limit counts as one: an IPv4 address, or an IPv6 site, whose owner has 2**64 addresses.

    >>> household_of("2001:db8::1:2:3:4")
    '2001:db8::/64'
    """
    address = read_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_SITE), strict=False))
    return text


class Households:
    """Gives households names that reveal nothing about their addresses; each process has its own names."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def name_of(self, address: str) -> str:
        """Return the name of the household that an address belongs to."""
        household = household_of(address).encode()
        return hashlib.blake2b(household, key=self._secret, digest_size=8).hexdigest()


def is_this_machine(peer: str, headers: Headers) -> bool:
    """Whether a program on this machine asks for itself, not as a proxy for another client."""
    address = read_address(peer)
    speaks_for_another = _FORWARDED in headers or b"forwarded" in headers
    return address is not None and address.is_loopback and not speaks_for_another
