"""What a command says whose libraries are not installed: which one is missing, and what to type."""

from cartagena.cli.style import Refused
from cartagena.install import install_command, installed_from


def no_client(library: str) -> Refused:
    """Tables of a service need the extra `client`."""
    return Refused("error.no_client", library=library, command=install_command("client", installed_from()))


def no_service(library: str) -> Refused:
    """A service needs the extra `server`."""
    return Refused("error.no_service", library=library, command=install_command("server", installed_from()))
