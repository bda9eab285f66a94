"""Rulesets as one line: the preset, then every option of its game."""

from collections.abc import Mapping
from typing import Final

from cartagena.notation.tokens import TextLine, TokenReader, whole_number
from cartagena.rules.ruleset import OPTIONS, PRESETS, Option, OptionError, Ruleset

_BOOLEANS: Final = {"false": False, "true": True}


def options_of(family: str) -> dict[str, Option]:
    """The options that a family has, by name, in the order they are written."""
    return {option.name: option for option in OPTIONS if family in option.families}


def format_ruleset(ruleset: Ruleset) -> str:
    """The one line that says a ruleset in full; the fair shuffle hashes it.

    >>> from cartagena.rules.ruleset import JAMAICA
    >>> format_ruleset(JAMAICA)[:42]
    'jamaica hands_open=false row_length=0 hand'
    """
    preset = PRESETS.get(ruleset.key)
    if preset is None or preset.family != ruleset.family:
        raise ValueError(f"a ruleset is written by the key of its preset, and {ruleset.key!r} is none")
    options = [f"{name}={_value_word(getattr(ruleset, name))}" for name in options_of(ruleset.family)]
    return " ".join([ruleset.key, *options])


def parse_ruleset(text: str) -> Ruleset:
    """The ruleset of a line; options that are not written keep the value of the preset.

    >>> parse_ruleset("tortuga pass_allowed=true").pass_allowed
    True
    """
    return read_ruleset(TextLine(text, 1).stripped())


def read_ruleset(line: TextLine) -> Ruleset:
    """Read a whole line as a ruleset."""
    words = TokenReader(line)
    preset = words.one_of(PRESETS, f"a ruleset ({', '.join(PRESETS)})")
    changes: dict[str, object] = {}
    while not words.done:
        name, value = _read_option(words, preset.family, changes)
        changes[name] = value
    try:
        return preset.with_options(**changes)
    except OptionError as error:
        raise line.error(f"a ruleset in which {error}") from error


def _read_option(words: TokenReader, family: str, before: Mapping[str, object]) -> tuple[str, object]:
    known = options_of(family)
    name, equals, value = words.peek().partition("=")
    if name not in known or not equals:
        raise words.error(f"an option as name=value ({', '.join(known)})")
    if name in before:
        raise words.error(f"{name} only once")
    meaning = _value(value)
    allowed = known[name].values_in(family)
    if not any(meaning == one and type(meaning) is type(one) for one in allowed):
        raise words.error(f"{name}={_choices(allowed)}")
    words.take()
    return name, meaning


def _value(word: str) -> object:
    if word in _BOOLEANS:
        return _BOOLEANS[word]
    number = whole_number(word)
    return word if number is None else number


def _value_word(value: object) -> str:
    return str(value).lower()


def _choices(values: tuple[object, ...]) -> str:
    if len(values) > len(_BOOLEANS):
        numbers = [value for value in values if isinstance(value, int)]
        return f"{min(numbers)} to {max(numbers)}"
    return " or ".join(map(_value_word, values))
