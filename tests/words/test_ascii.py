"""ASCII in every language: nothing else is left, and nothing becomes a question mark."""

import pytest

from cartagena.words import Words, languages
from cartagena.words.catalogue import in_ascii, in_columns
from tests.words.test_languages import said


@pytest.mark.parametrize("language", languages())
def test_every_word_can_be_spelled(language: str) -> None:
    for key, forms in said(language, "cartagena").items():
        for text in forms:
            spelled = in_ascii(text, language)
            assert spelled.isascii(), key
            assert spelled.count("?") == text.count("?"), key


def test_each_language_spells_its_own_way() -> None:
    assert in_ascii("Grün", "de") == "Gruen"
    assert in_ascii("Grön", "sv") == "Gron"
    assert Words("de", ascii_only=True).say("crew.green") == "Gruen"
    assert Words("de").in_ascii().say("crew.green") == "Gruen"


def test_names_that_are_put_in_are_spelled_too() -> None:
    assert Words("nl", ascii_only=True).say("terminal.news.sat", name="Zoë 船") == "Zoe ? gaat zitten."


@pytest.mark.parametrize("text", ["Zoë", "Größe", "船长", "a\u0308b", "…", ""])
def test_what_is_laid_out_keeps_its_length(text: str) -> None:
    assert len(in_columns(text)) == len(text)
    assert in_columns(text).isascii()
