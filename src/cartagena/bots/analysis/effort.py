"""How many simulations hints and analyses take: known before the search is loaded."""

from typing import Final

ANALYSIS_SIMULATIONS: Final = 300
"""For each decision; at this number a game of two takes some seconds on the compiled engine."""
HINT_SIMULATIONS: Final = 600
"""As many as run before a person notices the wait: some tenths of a second on the compiled engine."""
