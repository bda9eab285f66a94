"""Bots: their interface, those that look no further than one turn, and the levels by name."""
