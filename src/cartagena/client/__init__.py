"""The way to a service, for programs that wait and for programs that do many things at once.

Requests are values (`tables`, `players`), described once; `Client` and `AsyncClient` only send them:

    with Client("http://localhost:8000") as client:
        client.become_guest("Anne")
        table = client.send(tables.see(table_id))

A stream never loses its place, and a `Player` keeps the promise of the shuffle.
"""

from cartagena.client.asynchronous import AsyncClient
from cartagena.client.errors import (
    BrokenPromise,
    ClientError,
    Misunderstood,
    Refused,
    Stale,
    StreamEnded,
    Unreachable,
)
from cartagena.client.following import Told
from cartagena.client.patience import Patience
from cartagena.client.player import Choose, Player
from cartagena.client.promise import Pledge
from cartagena.client.request import Request
from cartagena.client.standing import Standing
from cartagena.client.synchronous import Client
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
    "Standing",
    "StreamEnded",
    "Told",
    "Unreachable",
]
