"""Environments for learning programs: they translate the rules for PettingZoo and hold no rule themselves."""
