"""Every language says what English says: the same keys, values and code, in words of its own."""

import re
import string
from functools import cache
from typing import Final

import pytest
from babel.messages.pofile import read_po

from cartagena.notation.names import COLOURS
from cartagena.rules.ruleset import SIGNS
from cartagena.words import Words, languages
from cartagena.words.catalogue import ENGLISH, LOCALE

TRANSLATED: Final = [language for language in languages() if language != ENGLISH]
CATALOGUES: Final = ["cartagena", "click", "web"]
LABEL: Final = 8
"""How long a name at the beginning of a line of the drawn table may be."""
END: Final = 9
"""How long the name of the start or of home may be: nothing stands in columns behind it."""
KEYS_OF_THE_GAME: Final = set("CELMRTZ")
"""Letters that do something in the browser other than jump to a sign."""

CODE: Final = re.compile(r"`[^`]*`|R\d+\.\d+|--[a-z-]+|CARTAGENA_[A-Z]+|\bcartagena [a-z].*")
WORD: Final = re.compile(r"[^\W\d_]{2,}")

Forms = tuple[str, ...]
"""What a key says; two forms where a number decides."""


@cache
def said(language: str, name: str) -> dict[str, Forms]:
    """Every key of a catalogue with its forms, in the order of the file."""
    with (LOCALE / language / "LC_MESSAGES" / f"{name}.po").open("rb") as source:
        messages = [message for message in read_po(source, locale=language, abort_invalid=True) if message.id]
    return {
        message.id if isinstance(message.id, str) else message.id[0]: (
            (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        )
        for message in messages
    }


def pairs(language: str, name: str) -> list[tuple[str, Forms, Forms]]:
    """Key, English forms and forms of the language, for every key that both have."""
    english, own = said(ENGLISH, name), said(language, name)
    return [(key, english[key], own[key]) for key in english if key in own]


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def code(forms: Forms) -> list[list[str]]:
    return [sorted(CODE.findall(form)) for form in forms]


def words_beside_values(text: str) -> list[str]:
    return WORD.findall(re.sub(r"\{\w*\}", " ", text))


def test_four_languages_are_spoken() -> None:
    assert languages() == ["de", "en", "nl", "sv"]


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_key_is_missing_and_their_order_is_that_of_english(language: str, name: str) -> None:
    assert sorted(set(said(ENGLISH, name)) - set(said(language, name))) == []
    assert list(said(language, name)) == list(said(ENGLISH, name))


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_the_values_in_braces_are_those_of_english(language: str, name: str) -> None:
    for key, english, own in pairs(language, name):
        assert [values(form) for form in own] == [values(form) for form in english], key


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_empty_and_plurals_have_as_many_forms(language: str, name: str) -> None:
    for key, english, own in pairs(language, name):
        assert all(own), key
        assert len(own) == len(english), key


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_sentence_is_left_in_english(language: str, name: str) -> None:
    # A single word may be a name, or the same in both languages.
    for key, english, own in pairs(language, name):
        left = [form for form in own if form in english and len(words_beside_values(form)) > 1]
        assert left == [], key


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_code_and_numbers_of_rules_are_those_of_english(language: str, name: str) -> None:
    for key, english, own in pairs(language, name):
        # What stands beside a command, the reason in one example and the word in another are translated.
        if key not in {"command.short", "command.admin.examples", "command.rules.examples"}:
            assert code(own) == code(english), key


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_lines_and_spaces_at_the_ends_are_those_of_english(language: str, name: str) -> None:
    for key, english, own in pairs(language, name):
        for theirs, ours in zip(english, own, strict=True):
            assert ours.count("\n") == theirs.count("\n"), key
            assert len(ours) - len(ours.lstrip()) == len(theirs) - len(theirs.lstrip()), key
            assert len(ours) - len(ours.rstrip()) == len(theirs) - len(theirs.rstrip()), key


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_nobody_shouts(language: str, name: str) -> None:
    for key, english, own in pairs(language, name):
        assert [form.count("!") for form in own] == [form.count("!") for form in english], key


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_two_rules_are_the_same_sentence(language: str) -> None:
    everything = said(language, "cartagena")
    rules = [everything[key] for key in everything if key.startswith(("rule.", "refusal."))]
    assert len(rules) == len(set(rules))


@pytest.mark.parametrize("language", languages())
def test_the_built_catalogue_of_every_language_is_the_written_one(language: str) -> None:
    words = Words(language)
    for key, forms in said(language, "cartagena").items():
        numbers = (None,) if len(forms) == 1 else (1, 2)
        assert tuple(words._text(key, number) for number in numbers) == forms, "run `make words`"


@pytest.mark.parametrize("language", languages())
def test_crews_have_letters_of_their_own(language: str) -> None:
    letters = [Words(language).say(f"crew.{colour}.letter") for colour in COLOURS]
    assert len(set(letters)) == len(COLOURS)
    assert all(len(letter) == 1 for letter in letters)


@pytest.mark.parametrize("language", languages())
def test_names_at_the_beginning_of_a_line_fit(language: str) -> None:
    keys = ["table.row", "table.stock", "table.discard", *(f"crew.{colour}" for colour in COLOURS)]
    ends = [f"table.{end}.{family}" for end in ("start", "home") for family in SIGNS]
    words = Words(language)
    assert [key for key in keys if len(words.say(key)) > LABEL] == []
    assert [key for key in ends if len(words.say(key)) > END] == []


@pytest.mark.parametrize("language", languages())
def test_signs_of_a_game_have_keys_of_their_own(language: str) -> None:
    for signs in SIGNS.values():
        letters = [said(language, "web")[f"web.board.letter.{sign}"][0] for sign in signs]
        assert len(set(letters)) == len(signs)
        assert not KEYS_OF_THE_GAME & set(letters)
