"""Addresses that strangers hand in: where a notice may be sent, so that none reaches into our network."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias

import httpx

from cartagena.server.shared.errors import Problem, ServiceError

LONGEST_URL: Final = 2_000
PORTS: Final = range(1, 65_536)

IpAddress: TypeAlias = IPv4Address | IPv6Address
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[IpAddress]]]
"""Returns the addresses of a host; raises OSError if it has none."""

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def url_of(text: str, *, private: bool) -> httpx.URL:
    """An address that may be kept; raises UNFIT.

    With `private` it may lie in our own network, and use plain http there.
    """
    url = _parsed(text)
    schemes = ("https", "http") if private else ("https",)
    if url.scheme not in schemes or not _is_plain(url):
        raise _unfit("an address begins with https:// and names a host, no user and no place in a page")
    literal = _literal(url.host)
    if literal is not None and not may_reach(url, [literal], private=private):
        raise _unfit("this address cannot be reached from outside")
    return url


def may_reach(url: httpx.URL, addresses: Sequence[IpAddress], *, private: bool) -> bool:
    """Whether a host with these addresses may be written to: all must be public, unless `private`.

    Plain http stays inside our own network.
    """
    public = [is_public(address) for address in addresses]
    if url.scheme == "http":
        return private and bool(public) and not any(public)
    return bool(public) and (private or all(public))


def is_public(address: IpAddress) -> bool:
    """Whether an address belongs to the public internet, also if it is wrapped in another.

    >>> is_public(ip_address("8.8.8.8")), is_public(ip_address("::ffff:10.0.0.1"))
    (True, False)
    """
    inner = _inner(address)
    local = inner.is_multicast or inner.is_reserved or getattr(inner, "is_site_local", False)
    return inner.is_global and not local


async def resolve(host: str, port: int) -> Sequence[IpAddress]:
    """The addresses of a host as the operating system knows them; raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(str(address[0]).partition("%")[0]) for *_, address in found]


def _parsed(text: str) -> httpx.URL:
    if len(text) > LONGEST_URL or not text.isascii() or not text.isprintable() or " " in text:
        raise _unfit(f"an address has at most {LONGEST_URL} plain characters")
    try:
        return httpx.URL(text)
    except httpx.InvalidURL as error:
        raise _unfit("this is no address") from error


def _is_plain(url: httpx.URL) -> bool:
    port_fits = url.port is None or url.port in PORTS
    return bool(url.host) and port_fits and not url.userinfo and not url.fragment


def _literal(host: str) -> IpAddress | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _inner(address: IpAddress) -> IpAddress:
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1] or address


def _unfit(sentence: str) -> ServiceError:
    return ServiceError(Problem.UNFIT, sentence)
