"""Players that are programs: they get a view, a source of chance and a budget, nothing else."""

from cartagena.bots.players.interface import UNHURRIED, Bot, Budget
from cartagena.bots.players.registry import BotError, make, names

__all__ = ["UNHURRIED", "Bot", "BotError", "Budget", "make", "names"]
