"""The way to a service: one description of every request, two clients that send it, streams that never lose
their place, and a player who keeps the promise of the shuffle.

    from cartagena.client import Client, tables

    with Client("http://localhost:8000") as client:
        client.become_guest("Anne")
        table = client.send(tables.look(table_id))
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
from cartagena.client.promise import Kept, Pledge
from cartagena.client.request import Request
from cartagena.client.standing import Standing
from cartagena.client.synchronous import Client

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
