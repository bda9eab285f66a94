"""Sockets that a program listens on, opened before anything else, and what to say if they cannot be."""

import enum
import errno
import socket
import sys
from contextlib import suppress
from typing import Final

from cartagena.rules.refusals import CartagenaError


class ListenTrouble(enum.Enum):
    """Why a port cannot be opened."""

    TAKEN = "taken"
    NOT_HERE = "not here"
    FORBIDDEN = "forbidden"
    OTHER = "other"


class CannotListen(CartagenaError):
    """A port cannot be opened; `trouble` says why."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        self.host = host
        self.port = port
        self.trouble = trouble_of(error)
        self.reason = error.strerror or str(error)
        super().__init__(f"port {port} of {host} cannot be opened: {self.reason}")


_ELSEWHERE: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})


def trouble_of(error: OSError) -> ListenTrouble:
    """What an error of `bind` or of looking up a name means to an operator.

    >>> trouble_of(OSError(errno.EADDRINUSE, "Address already in use"))
    <ListenTrouble.TAKEN: 'taken'>
    """
    if isinstance(error, socket.gaierror) or error.errno in _ELSEWHERE:
        return ListenTrouble.NOT_HERE
    if error.errno == errno.EADDRINUSE:
        return ListenTrouble.TAKEN
    return ListenTrouble.FORBIDDEN if isinstance(error, PermissionError) else ListenTrouble.OTHER


def listening_sockets(host: str, port: int) -> list[socket.socket]:
    """Sockets bound to every address of `host`; raises CannotListen.

    They do not listen yet: until the service is ready, connections are refused and a proxy asks another node.
    """
    opened: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for address_family, kind, protocol, _, address in dict.fromkeys(found):
            try:
                opened.append(_bound(address_family, kind, protocol, address))
            except OSError as error:
                # `localhost` may have an address of IPv6 on a machine without it.
                if error.errno not in _ELSEWHERE or len(found) == 1:
                    raise
        if not opened:
            raise OSError(errno.EADDRNOTAVAIL, "no such address here")  # noqa: TRY301 - told like the others
    except OSError as error:
        for one in opened:
            one.close()
        raise CannotListen(host, port, error) from error
    return opened


def _bound(
    address_family: socket.AddressFamily,
    kind: socket.SocketKind,
    protocol: int,
    address: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes],
) -> socket.socket:
    """A socket bound as asyncio would bind it."""
    bound = socket.socket(address_family, kind, protocol)
    try:
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address_family == socket.AF_INET6:
            with suppress(OSError):
                bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound
