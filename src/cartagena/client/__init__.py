"""The way to a service, for programs that wait and for programs that do many things at once.

Requests are values, all described in `cartagena.client.tables`; `Client` and `AsyncClient` only send them::

    with Client("http://localhost:8000") as client:
        client.become_guest("Anne")
        table = client.send(tables.see(table_id))

A stream never loses its place, and a `Player` keeps the promise of the shuffle.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cartagena.client.connection import TableConnection
from cartagena.client.fairness import Pledge
from cartagena.client.player import Choose, Player
from cartagena.client.request import (
    BrokenPromise,
    ClientError,
    Misunderstood,
    Patience,
    Refused,
    Request,
    Stale,
    StreamEnded,
    Unreachable,
)
from cartagena.client.stream import PlayerTold, Told
from cartagena.client.table_state import TableState
from cartagena.fairness import Kept

if TYPE_CHECKING:
    from cartagena.client.asynchronous import AsyncClient
    from cartagena.client.synchronous import Client
else:

    def __getattr__(name: str) -> object:
        """Load the clients of a service when first asked for: a device needs neither them nor httpx."""
        homes = {"AsyncClient": "asynchronous", "Client": "synchronous"}
        if name not in homes:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found = getattr(import_module(f"{__name__}.{homes[name]}"), name)
        return found


__all__ = [
    "AsyncClient",
    "BrokenPromise",
    "Choose",
    "Client",
    "ClientError",
    "Kept",
    "Misunderstood",
    "Patience",
    "Player",
    "PlayerTold",
    "Pledge",
    "Refused",
    "Request",
    "Stale",
    "StreamEnded",
    "TableConnection",
    "TableState",
    "Told",
    "Unreachable",
]
