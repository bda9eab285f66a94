"""How a node gets its bus."""

import ssl

from cartagena.server.bus.contract import Bus
from cartagena.server.bus.local import LocalBus


async def open_bus(
    url: str | None,
    *,
    prefix: str = "cartagena",
    tls: ssl.SSLContext | None = None,
    credentials: str | None = None,
) -> Bus:
    """The bus at an address of NATS; without an address the one within this process.

    The address may name several servers of one cluster with commas between, and user and password, or a
    token, before an @. `tls://` insists on encryption; `tls` says whom to trust if not the usual authorities,
    `credentials` names the file that opens it.
    A NATS that does not answer is waited for in the background: a node works without it, only slower.
    Raises ValueError if the address is none.
    """
    if url is None:
        return LocalBus()
    # Its client brings a whole web framework, an eighth of the start of a node, most of which have no NATS.
    from cartagena.server.bus.nats import NatsBus  # noqa: PLC0415

    bus = NatsBus(url, prefix=prefix, tls=tls, credentials=credentials)
    await bus.open()
    return bus
