"""Rulesets: which game is played, and by which reading of its rules.

A ruleset is a value. Code asks for an option, never for a ruleset's name.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from mypy_extensions import i64

# The version of the rules, apart from the engine, so that `cartagena --version` need not load it.

RULES_VERSION: Final = 1
"""The version of the rules that this engine plays; it grows when a recorded game would end differently."""


ESCAPE: Final = "escape"
NEST: Final = "nest"

CREW_SIZE: Final = 6
"""R1.3: the pirates of a crew."""
ACTIONS_PER_TURN: Final = 3
"""R2.3: the most actions of a turn."""
SPACE_LIMIT: Final = 3
"""R2.17: the most pirates on a space."""
FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 5
"""R1.2: two to five seats play."""


class OptionError(ValueError):
    """An option has a value that no edition of the game has."""


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """One game with every open point decided; docs/rules/options.md explains each option."""

    key: str
    family: str
    hands_open: bool = False
    row_length: i64 = 0
    hand_size: i64 = 6
    pass_allowed: bool = False
    retreat_from_sloop: bool = True
    reshuffle: str = "shuffle"
    row_refill: str = "immediate"
    short_row: str = "top_up"
    start_is_island1: bool = True
    captain_needs_aboard: bool = True
    captain_needs_precondition: bool = True
    stalemate: str = "draw"
    quiet_rounds: i64 = 40
    renewal: str = "when_needed"
    may_decline: bool = False

    def __post_init__(self) -> None:
        for option in OPTIONS:
            option.check(self.family, getattr(self, option.name))
        if self.hands_open != (self.row_length > 0):
            raise OptionError("hands are open exactly when there is a row of cards: change both or neither")

    def __reduce__(self) -> tuple[object, ...]:
        """Make the value anew: compiled, a frozen one cannot be filled in by copy and pickle."""
        return remade, (
            self.key,
            self.family,
            {option.name: getattr(self, option.name) for option in OPTIONS},
        )

    def written_options(self) -> dict[str, Any]:
        """The options by which text and messages name this game, in the order of their table.

        Those added after 0.1.0 stay out at their default: older games keep their texts, and with these the
        keys of their shuffles, and older programs read what is sent.
        """
        return {
            option.name: getattr(self, option.name)
            for option in OPTIONS
            if self.family in option.families
            and not (option.added_later and getattr(self, option.name) == option.values[0])
        }

    @property
    def signs(self) -> tuple[str, ...]:
        """The words of the signs, in the order of their numbers."""
        return SIGNS[self.family]

    def deck(self) -> list[int]:
        """Every card of the game, sorted by its number."""
        return list(DECKS[self.family])

    def with_options(self, /, **changes: object) -> "Ruleset":
        """Return this game with some options changed.

        >>> TORTUGA.with_options(pass_allowed=True).pass_allowed
        True
        """
        for name, value in changes.items():
            if name not in OPTIONS_BY_NAME:
                known = ", ".join(OPTIONS_BY_NAME)
                raise OptionError(f"no option is called {name!r}; the options are {known}")
            # Compiled, a number given for a truth value would fail before the check of the whole ruleset.
            OPTIONS_BY_NAME[name].check(self.family, value)
        return replace(self, **changes)  # type: ignore[arg-type]  # checked by __post_init__


def remade(key: str, family: str, options: dict[str, Any]) -> Ruleset:
    """A ruleset by its parts, as copy and pickle hand them over."""
    return Ruleset(key=key, family=family, **options)


@dataclass(frozen=True, kw_only=True)
class Option:
    """A point on which editions differ: its name, its values (default first), its families, its rule.

    `added_later` marks what version 0.1.0 did not have.
    """

    name: str
    values: tuple[object, ...]
    families: tuple[str, ...]
    rule: str
    added_later: bool = False

    def check(self, family: str, value: object) -> None:
        """Refuse a value that is not listed, or an option changed in a game that does not have it."""
        allowed = self.values_in(family)
        # True equals 1 and 40.0 equals 40, but neither is what the option wants.
        if value not in allowed or type(value) is not type(allowed[0]):
            shown = ", ".join(map(str, allowed[:5]))
            raise OptionError(f"{self.name} of the family {family} is one of {shown}, not {value!r}")

    def values_in(self, family: str) -> tuple[object, ...]:
        """The values this option may have in a family; a family without the option keeps the default."""
        if self.name == "hand_size":
            return (6,) if family == ESCAPE else (7,)
        return self.values if family in self.families else self.values[:1]


GOLD: Final = 7
"""A gold card's number is its sign's number plus this."""

SIGNS: Final = {
    ESCAPE: ("bottle", "dagger", "hat", "key", "pistol", "skull"),
    NEST: ("cannon", "chest", "compass", "ducats", "map", "parrot", "telescope"),
}
"""R1.4, R9.2: the signs of each game, in the order of their numbers."""

DECKS: Final = {
    ESCAPE: tuple(sorted([*range(6)] * 17)),
    NEST: (*sorted([*range(7)] * 14), *range(GOLD, 2 * GOLD)),
}
"""R1.10, R9.10: every card of a game, sorted by its number: 17 of each sign, or 14 and one of gold."""

_BOTH: Final = (ESCAPE, NEST)

OPTIONS: Final = (
    Option(name="hands_open", values=(False, True), families=(ESCAPE,), rule="R7.3"),
    Option(name="row_length", values=(0, 12), families=(ESCAPE,), rule="R1.13"),
    Option(name="hand_size", values=(6, 7), families=_BOTH, rule="R1.12"),
    Option(name="pass_allowed", values=(False, True), families=_BOTH, rule="R2.8"),
    Option(name="retreat_from_sloop", values=(True, False), families=(ESCAPE,), rule="R4.8"),
    Option(name="reshuffle", values=("shuffle", "turn_over"), families=_BOTH, rule="R5.13"),
    Option(name="row_refill", values=("immediate", "on_demand"), families=(ESCAPE,), rule="R5.8"),
    Option(name="short_row", values=("top_up", "short"), families=(ESCAPE,), rule="R5.15"),
    Option(name="start_is_island1", values=(True, False), families=(NEST,), rule="R12.4"),
    Option(name="captain_needs_aboard", values=(True, False), families=(NEST,), rule="R12.8"),
    Option(name="captain_needs_precondition", values=(True, False), families=(NEST,), rule="R12.11"),
    Option(name="stalemate", values=("draw", "most_home"), families=_BOTH, rule="R6.11"),
    Option(name="quiet_rounds", values=(40, *range(40), *range(41, 1001)), families=_BOTH, rule="R6.14"),
    Option(
        name="renewal",
        values=("when_needed", "when_empty"),
        families=_BOTH,
        rule="R5.19",
        added_later=True,
    ),
    Option(name="may_decline", values=(False, True), families=(ESCAPE,), rule="R4.10", added_later=True),
)
OPTIONS_BY_NAME: Final = {option.name: option for option in OPTIONS}

JAMAICA: Final = Ruleset(key="jamaica", family=ESCAPE)
TORTUGA: Final = replace(JAMAICA, key="tortuga", hands_open=True, row_length=12)
PIRATES_NEST: Final = Ruleset(key="nest", family=NEST, hand_size=7)

PRESETS: Final = {ruleset.key: ruleset for ruleset in (TORTUGA, JAMAICA, PIRATES_NEST)}

# A game may be meant by its ruleset, or by its name.


def ruleset_of(game: Ruleset | str) -> Ruleset:
    """The preset of a key, or the ruleset itself; raises ValueError that lists the known keys.

    >>> ruleset_of("jamaica").hands_open
    False
    """
    if isinstance(game, Ruleset):
        return game
    if game not in PRESETS:
        raise ValueError(f"no ruleset is called {game!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[game]


def family_of(game: Ruleset | str) -> str:
    """The family of a game, which may be a ruleset, the key of one, or the family itself.

    >>> family_of("tortuga"), family_of("escape"), family_of(PIRATES_NEST)
    ('escape', 'escape', 'nest')
    """
    return game if isinstance(game, str) and game in SIGNS else ruleset_of(game).family


EDITIONS: Final[dict[str, dict[str, object]]] = {
    "en": {},
    "nl": {"renewal": "when_empty"},
    "sv": {},
    "de": {"pass_allowed": True, "renewal": "when_empty"},
}
"""The options in which a printed edition differs from the defaults; `en` is played if none is named."""
