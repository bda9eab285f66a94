"""What a command says if it cannot open its port."""

from typing import Final

from cartagena.cli.style import CommandRefused
from cartagena.server.shared.listening import CannotListen, ListenTrouble

KEYS: Final = {
    ListenTrouble.TAKEN: "error.port_taken",
    ListenTrouble.NOT_HERE: "error.host_not_here",
    ListenTrouble.FORBIDDEN: "error.port_forbidden",
    ListenTrouble.OTHER: "error.port_closed",
}


def cannot_listen(error: CannotListen, *, flag: str) -> CommandRefused:
    """The refusal of a command whose port is named by `flag`."""
    return CommandRefused(
        KEYS[error.trouble], port=error.port, host=error.host, flag=flag, reason=error.reason
    )
