"""Engines by name: `engine:` and the command that starts one."""

import shlex
import shutil
from typing import Final

from cartagena.bots.players import registry
from cartagena.bots.players.interface import Bot
from cartagena.bots.players.registry import ENGINE, BotError

LONGEST: Final = 200
"""How long the name of a bot may be: it stands in records and lists."""


def make(name: str) -> Bot:
    """A fresh bot, as `cartagena.bots.make` makes it, or an engine; raises BotError if that cannot be.

    The program of an engine is started when it is first asked.

    >>> type(make("engine:python3 my_engine.py")).__name__
    'EngineBot'
    """
    if not name.startswith(ENGINE):
        return registry.make(name)
    from cartagena.engine_protocol.player import EngineBot  # noqa: PLC0415 - few games have an engine

    if len(name) > LONGEST:
        raise BotError(
            f"the name of an engine has at most {LONGEST} characters; put the command into a script"
        )
    return EngineBot(command_of(name.removeprefix(ENGINE)))


def command_of(text: str) -> list[str]:
    """The program and its arguments, split as a shell would, which is not started; raises BotError."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise BotError(f"the command {text!r} cannot be read ({error}); quote it as for a shell") from error
    if not command:
        raise BotError(
            "an engine needs a command: write engine:./my_engine, or 'engine:python3 my_engine.py'"
        )
    if shutil.which(command[0]) is None:
        raise BotError(
            f"there is no program {command[0]!r}, or it must not be run; "
            "write its path, such as engine:./my_engine, and make it executable (chmod +x)"
        )
    return command
