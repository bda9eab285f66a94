"""Which rulesets there are: read from the engine's own values, so that no list gets out of date."""

from functools import cache

from cartagena.bots.players.registry import names as levels
from cartagena.messages.lobby import OptionMessage, OptionValue, PresetMessage, RulesetsMessage
from cartagena.notation.position_text import options_of
from cartagena.rules.ruleset import EDITIONS, FEWEST_SEATS, MOST_SEATS, PRESETS, Option, Ruleset
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import clock_settings
from cartagena.tables.sheet import Clock


def preset_named(name: str) -> Ruleset:
    """The ruleset of that name; raises UNFIT, listing the names there are."""
    if name not in PRESETS:
        raise ServiceError(Problem.UNFIT, f"no ruleset is called so; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def rulesets(quick: Clock | None = None) -> RulesetsMessage:
    """Everything a table can be set to; `quick` is the clock of games with strangers, where there are any."""
    return RulesetsMessage(
        rulesets=tuple(_preset(ruleset) for ruleset in PRESETS.values()),
        editions={name: {key: _word(value) for key, value in own.items()} for name, own in EDITIONS.items()},
        fewest_seats=FEWEST_SEATS,
        most_seats=MOST_SEATS,
        levels=tuple(levels()),
        quick_clock=None if quick is None else clock_settings(quick),
    )


@cache
def _preset(ruleset: Ruleset) -> PresetMessage:
    options = options_of(ruleset.family).values()
    return PresetMessage(
        preset=ruleset.key,
        family=ruleset.family,
        signs=ruleset.signs,
        options=tuple(_option(ruleset, option) for option in options),
    )


def _option(ruleset: Ruleset, option: Option) -> OptionMessage:
    allowed = _allowed(ruleset, option)
    numbers = _run_of_numbers(allowed)
    return OptionMessage(
        name=option.name,
        rule=option.rule,
        default=_word(getattr(ruleset, option.name)),
        values=None if numbers else allowed,
        lowest=numbers[0] if numbers else None,
        highest=numbers[-1] if numbers else None,
    )


def _allowed(ruleset: Ruleset, option: Option) -> tuple[OptionValue, ...]:
    """The values that this option can take in this preset, its other options left as they are."""
    return tuple(_word(value) for value in option.values_in(ruleset.family) if _fits(ruleset, option, value))


def _fits(ruleset: Ruleset, option: Option, value: object) -> bool:
    try:
        ruleset.with_options(**{option.name: value})
    except ValueError:
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
