"""Cartagena and The Pirate's Nest: exact rules, views, records and bots to play with.

>>> import cartagena
>>> from random import Random
>>> board = cartagena.Board.of_segments(range(6), [False] * 6)
>>> deck = Random(1672).sample(cartagena.TORTUGA.deck(), 102)
>>> position = cartagena.new(cartagena.TORTUGA, board, seats=3, order=deck)
>>> position.to_act
0
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
        return getattr(importlib.import_module("cartagena.api"), name)

    def __dir__() -> list[str]:
        """Everything that can be asked for."""
        return ["__version__", *importlib.import_module("cartagena.api").__all__]
