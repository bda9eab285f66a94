"""Sending to strangers' addresses: once, quickly, and never into our own network (SSRF)."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from types import TracebackType
from typing import Final, Self, TypeAlias

import httpx

from cartagena.server.shared.library_checks import machine_trusts
from cartagena.tables.errors import Problem, ServiceError

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


SECONDS: Final = 10.0
_PORTS: Final = {"http": 80, "https": 443}


class Poster:
    """Posts to addresses of strangers; `private` allows those of our own network.

    A host name is looked up once, its addresses are checked, and the connection goes to one of exactly these:
    a name that resolves differently a moment later gains nothing. No redirect is followed, no answer is read.
    """

    def __init__(
        self,
        *,
        private: bool,
        trusted: ssl.SSLContext | None = None,
        seconds: float = SECONDS,
        resolve: Resolve = resolve,
    ) -> None:
        self._private = private
        self._seconds = seconds
        self._resolve = resolve
        # These loggers would write addresses, which are as secret as the keys of a browser.
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._client = httpx.AsyncClient(
            verify=trusted or machine_trusts(),
            # A connection kept for one host must not serve another at the same address.
            limits=httpx.Limits(max_keepalive_connections=0),
            timeout=seconds,
            follow_redirects=False,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> int | None:
        """The status that a post was answered with, None if it was not answered; never raises."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._status(url_of(address, private=self._private), headers, body)
        except (OSError, httpx.HTTPError, ServiceError, UnicodeError):
            return None

    async def _status(self, url: httpx.URL, headers: Mapping[str, str], body: bytes) -> int:
        addresses = await self._resolve(url.host, url.port or _PORTS[url.scheme])
        if not may_reach(url, addresses, private=self._private):
            raise OSError("the host is in a network where notices do not go")
        for address in addresses[:-1]:
            with suppress(httpx.ConnectError):
                return await self._post_to(address, url, headers, body)
        return await self._post_to(addresses[-1], url, headers, body)

    async def _post_to(
        self, address: IpAddress, url: httpx.URL, headers: Mapping[str, str], body: bytes
    ) -> int:
        request = self._client.stream(
            "POST",
            url.copy_with(host=str(address)),
            headers={**headers, "Host": url.netloc.decode("ascii")},
            content=body,
            extensions={"sni_hostname": url.host},
        )
        async with request as answer:
            return answer.status_code
