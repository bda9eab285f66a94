"""The way to a service, for programs that wait and for programs that do many things at once.

Requests are values, all described in `cartagena.client.tables`; `Client` and `AsyncClient` only send them::

    with Client("http://localhost:8000") as client:
        client.become_guest("Anne")
        table = client.send(tables.see(table_id))

A stream never loses its place, and a `Player` keeps the promise of the shuffle.
"""

from cartagena.client.asynchronous import AsyncClient
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
from cartagena.client.stream import Told
from cartagena.client.synchronous import Client
from cartagena.client.table_state import TableState
from cartagena.fairness import Kept

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
    "Pledge",
    "Refused",
    "Request",
    "Stale",
    "StreamEnded",
    "TableState",
    "Told",
    "Unreachable",
]
