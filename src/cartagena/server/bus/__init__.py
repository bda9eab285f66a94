"""The bus: hints that something changed, within one process or through NATS; the store has the truth."""

import ssl

from cartagena.server.bus.interface import Bus, Handler, LocalBus
from cartagena.server.bus.messages import (
    Announcement,
    BusMessage,
    Closing,
    LobbyChange,
    PlayerChange,
    PresenceReport,
    Wake,
)

__all__ = [
    "Announcement",
    "Bus",
    "BusMessage",
    "Closing",
    "Handler",
    "LobbyChange",
    "PlayerChange",
    "PresenceReport",
    "Wake",
    "open_bus",
]


async def open_bus(
    url: str | None,
    *,
    prefix: str = "cartagena",
    tls: ssl.SSLContext | None = None,
    credentials: str | None = None,
) -> Bus:
    """Open the bus at a NATS address, or without an address the one within this process.

    The address may list several servers of one cluster, separated by commas, and user and password, or a
    token, before an @. `tls://` requires encryption; `tls` says whom to trust if not the usual authorities,
    and `credentials` names a credentials file.
    A NATS that does not answer is tried again in the background: a node works without it, only slower.
    Raises ValueError if the address is not valid.
    """
    if url is None:
        return LocalBus()
    # Its client brings a whole web framework, an eighth of a node's startup, and most nodes have no NATS.
    from cartagena.server.bus.nats import NatsBus  # noqa: PLC0415

    bus = NatsBus(url, prefix=prefix, tls=tls, credentials=credentials)
    await bus.open()
    return bus
