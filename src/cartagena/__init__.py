"""Cartagena and The Pirate's Nest: exact rules, views, records and bots to play with.

>>> import cartagena
>>> game = cartagena.Game.start("tortuga", seats=3, seed=1672)
>>> game.play_out("random")
>>> game.over
True
"""

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cartagena.api import *  # noqa: F403  # its __all__ is the list
else:

    def __getattr__(name: str) -> object:
        """Load the engine when it is first asked for, so that `cartagena --help` need not wait for it."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        # Kept, so that the next time it is an attribute like any other.
        found = globals()[name] = getattr(importlib.import_module("cartagena.api"), name)
        return found

    def __dir__() -> list[str]:
        """Everything that can be asked for."""
        return ["__version__", *importlib.import_module("cartagena.api").__all__]
