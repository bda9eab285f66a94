"""The version of the rules, apart from the engine, so that `cartagena --version` need not load it."""

from typing import Final

RULES_VERSION: Final = 1
"""The version of the rules that this engine plays; it grows when a recorded game would end differently."""
