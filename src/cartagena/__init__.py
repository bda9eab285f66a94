"""Cartagena and The Pirate's Nest: the rules of both games, exact and fast."""

__version__ = "0.1.0"
