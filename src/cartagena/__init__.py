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
        api = importlib.import_module("cartagena.api")
        names = globals()
        names |= {each: getattr(api, each) for each in ("__all__", *api.__all__)}
        # Python looks names up quickly only in a module that has no such function.
        for function in ("__getattr__", "__dir__"):
            names.pop(function, None)
        if name not in names:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return names[name]

    def __dir__() -> list[str]:
        """Everything that can be asked for."""
        return ["__version__", *importlib.import_module("cartagena.api").__all__]
