"""What a command says if its libraries are not installed: which one is missing, and what to type."""

from cartagena.cli.style import NotInstalled
from cartagena.install import install_command, installed_from


def no_client(library: str) -> NotInstalled:
    """Tables of a service need the extra `client`."""
    command = install_command("client", installed_from())
    return NotInstalled("error.no_client", library=library, command=command)


def no_service(library: str) -> NotInstalled:
    """A service needs the extra `server`."""
    command = install_command("server", installed_from())
    return NotInstalled("error.no_service", library=library, command=command)
