"""The bus: hints that something changed, within one process or through NATS; the store has the truth."""

from cartagena.server.bus.interface import Bus, Handler
from cartagena.server.bus.messages import (
    Announcement,
    BusMessage,
    Closing,
    LobbyChange,
    PresenceReport,
    Wake,
)
from cartagena.server.bus.nats import open_bus

__all__ = [
    "Announcement",
    "Bus",
    "BusMessage",
    "Closing",
    "Handler",
    "LobbyChange",
    "PresenceReport",
    "Wake",
    "open_bus",
]
