"""Choosing a table: what every environment is made with."""

from cartagena.rules.ruleset import PRESETS, Ruleset


def preset(ruleset: str | Ruleset) -> Ruleset:
    """The ruleset of a key, or the ruleset itself; raises ValueError that lists the known keys."""
    if isinstance(ruleset, Ruleset):
        return ruleset
    if ruleset not in PRESETS:
        raise ValueError(f"no ruleset is called {ruleset!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[ruleset]
