"""Which rulesets there are: read from the engine's own values, so that no list gets out of date."""

from functools import cache
from typing import Final

from cartagena.bots.players.registry import names as levels
from cartagena.messages.lobby import OptionMessage, OptionValue, PresetMessage, RulesetsMessage
from cartagena.notation.position_text import options_of
from cartagena.rules.ruleset import EDITIONS, FEWEST_SEATS, MOST_SEATS, PRESETS, Option, Ruleset
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import clock_settings
from cartagena.tables.sheet import Clock

MOST_QUIET_ROUNDS: Final = 40
"""The most quiet rounds at a new table of a service: without a bound two players could play on for ever."""


def require_end(ruleset: Ruleset) -> None:
    """Raise UNFIT for a game that need not end, or only after very many rounds without progress."""
    if ruleset.quiet_rounds not in range(1, MOST_QUIET_ROUNDS + 1):
        raise ServiceError(
            Problem.UNFIT, f"a game here must come to an end: set quiet_rounds to 1 to {MOST_QUIET_ROUNDS}"
        )


def preset_named(name: str) -> Ruleset:
    """The ruleset of that name; raises UNFIT, listing the names there are."""
    if name not in PRESETS:
        raise ServiceError(Problem.UNFIT, f"no ruleset is called so; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def rulesets(quick: Clock | None = None, *, endless: bool = True) -> RulesetsMessage:
    """Everything a table can be set to; `quick` is the clock of games with strangers, where there are any.

    Where games are not to be `endless`, only what `require_end` lets through is told.
    """
    return RulesetsMessage(
        rulesets=tuple(_preset(ruleset, endless=endless) for ruleset in PRESETS.values()),
        editions={name: {key: _word(value) for key, value in own.items()} for name, own in EDITIONS.items()},
        fewest_seats=FEWEST_SEATS,
        most_seats=MOST_SEATS,
        levels=tuple(levels()),
        quick_clock=None if quick is None else clock_settings(quick),
    )


@cache
def _preset(ruleset: Ruleset, *, endless: bool) -> PresetMessage:
    options = options_of(ruleset.family).values()
    return PresetMessage(
        preset=ruleset.key,
        family=ruleset.family,
        signs=ruleset.signs,
        options=tuple(_option(ruleset, option, endless=endless) for option in options),
    )


def _option(ruleset: Ruleset, option: Option, *, endless: bool) -> OptionMessage:
    allowed = _allowed(ruleset, option, endless=endless)
    numbers = _run_of_numbers(allowed)
    return OptionMessage(
        name=option.name,
        rule=option.rule,
        default=_word(getattr(ruleset, option.name)),
        values=None if numbers else allowed,
        lowest=numbers[0] if numbers else None,
        highest=numbers[-1] if numbers else None,
    )


def _allowed(ruleset: Ruleset, option: Option, *, endless: bool) -> tuple[OptionValue, ...]:
    """The values that this option can take in this preset, its other options left as they are."""
    values = option.values_in(ruleset.family)
    return tuple(_word(value) for value in values if _fits(ruleset, option, value, endless=endless))


def _fits(ruleset: Ruleset, option: Option, value: object, *, endless: bool) -> bool:
    try:
        changed = ruleset.with_options(**{option.name: value})
        if not endless:
            require_end(changed)
    except (ValueError, ServiceError):
        return False
    return True


def _run_of_numbers(values: tuple[OptionValue, ...]) -> range | None:
    """The range from the lowest to the highest, if the values are a gapless run of more than a few."""
    numbers = sorted(value for value in values if type(value) is int)
    few = 10
    if len(numbers) <= few or numbers != list(range(numbers[0], numbers[-1] + 1)):
        return None
    return range(numbers[0], numbers[-1] + 1)


def _word(value: object) -> OptionValue:
    assert isinstance(value, bool | int | str), "an option is a truth value, a number or a word"
    return value
