"""What is said where a library is missing that an extra brings."""

from cartagena.install import install_command, installed_from
from cartagena.words import Words


def no_library(key: str, extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error for people, with the command that installs the extra; `key` is its sentence."""
    command = install_command(extra, installed_from())
    return ModuleNotFoundError(Words("en").say(key, library=error.name, command=command), name=error.name)
