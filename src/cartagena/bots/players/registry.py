"""The registry of bots: every bot by its name, ours and those of installed packages.

A package adds a bot by an entry point of the group `cartagena.bots`. A bot that is still being written
needs no package: `module:Class` is a name too. An engine, `engine:COMMAND`, is none of these bots: it is a
program of its own, and only `cartagena.engine_protocol` starts it.
"""

import functools
from collections.abc import Callable
from difflib import get_close_matches
from importlib import metadata
from typing import Final, cast

from cartagena.bots.players.interface import Bot
from cartagena.rules.refusals import CartagenaError

GROUP: Final = "cartagena.bots"

LEVELS: Final = {
    "random": "cartagena.bots.players.simple:RandomBot",
    "deckhand": "cartagena.bots.players.levels:deckhand",
    "sailor": "cartagena.bots.players.levels:sailor",
    "bosun": "cartagena.bots.players.levels:bosun",
    "captain": "cartagena.bots.players.levels:captain",
}
"""Our own bots, the weakest first, and what makes each; it is imported when it is asked for."""

ENGINE: Final = "engine:"
"""How the name of an engine begins; the command that starts it follows."""

Factory = Callable[[], Bot]
"""What makes a fresh bot, such as its class."""


class BotError(CartagenaError):
    """There is no bot of this name, or it cannot be made; the message says what to do."""


class NoSuchBot(BotError):
    """No level and no installed package has this name."""

    def __init__(self, name: str) -> None:
        known = names()
        advice = f"choose one of {', '.join(known)}, install its package, or write module:Class"
        meant = "".join(f"did you mean {near}? Or " for near in get_close_matches(name, known, n=1))
        super().__init__(f"there is no bot {name!r}; {meant}{advice}")


def names() -> list[str]:
    """Every bot that can be asked for by name: our levels, then the installed ones in alphabetical order."""
    installed = {entry.name for entry in metadata.entry_points(group=GROUP)}
    return [*LEVELS, *sorted(installed - LEVELS.keys())]


def make(name: str) -> Bot:
    """A fresh bot, for one seat of one game; raises BotError if that cannot be.

    It starts no program, so that a service, which makes bots by this function, can start none either.

    >>> type(make("random")).__name__
    'RandomBot'
    """
    try:
        bot = _factory(name)()
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"the bot {name!r} cannot be made ({_told(error)}); ask its author") from error
    return checked(bot, name)


def checked(bot: object, name: str) -> Bot:
    """A bot that is one; raises BotError if it cannot choose."""
    if not callable(getattr(bot, "choose", None)):
        raise BotError(
            f"the bot {name!r} has no method `choose`; give it one, as `cartagena.bots.Bot` describes it"
        )
    return cast("Bot", bot)


@functools.cache
def _factory(name: str) -> Factory:
    """Return the factory of a name; cached, because an arena asks for it in every game."""
    entry = _entry(name)
    try:
        factory: Factory = entry.load()
    except Exception as error:  # whatever a module does when it is imported
        raise BotError(f"the bot {name!r} cannot be imported ({_told(error)}); {_advice(entry)}") from error
    return factory


def _entry(name: str) -> metadata.EntryPoint:
    """Return the entry point of a bot; our own come first, so that no package can take their names."""
    if name in LEVELS:
        return metadata.EntryPoint(name, LEVELS[name], GROUP)
    found = list(metadata.entry_points(group=GROUP, name=name))
    if len(found) > 1:
        packages = " and ".join(sorted(_package(entry) for entry in found))
        raise BotError(f"the bot {name!r} is in {packages}; uninstall all of them but one")
    if found:
        return found[0]
    if name.startswith(ENGINE):
        raise BotError(
            f"the engine {name!r} is a program, and is started only for the person whose machine this is; "
            "name it to `cartagena play --level`, `cartagena arena` or `cartagena.engine_protocol.make`"
        )
    if ":" in name:
        return metadata.EntryPoint(name, name, GROUP)
    raise NoSuchBot(name)


def _advice(entry: metadata.EntryPoint) -> str:
    if entry.dist is not None:
        return f"reinstall the package {_package(entry)}, or uninstall it"
    module, _, maker = entry.value.partition(":")
    if module.endswith(".py"):
        return f"write {module.removesuffix('.py')}:{maker}, without .py"
    return "write module:Class, with the folder of the module in PYTHONPATH"


def _package(entry: metadata.EntryPoint) -> str:
    return "a package" if entry.dist is None else entry.dist.name


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
