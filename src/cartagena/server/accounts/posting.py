"""Sending bytes to a stranger's address: quickly, once, and only where they may go."""

import asyncio
import logging
import ssl
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import httpx

from cartagena.server.accounts.addresses import IpAddress, Resolve, may_reach, resolve, url_of
from cartagena.server.shared.errors import ServiceError
from cartagena.server.shared.trusted import machine_trusts

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
