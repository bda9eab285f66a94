"""The catalogue: one key, one language, one sentence."""

import shutil
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from cartagena.words import MissingWords, Words, catalogue

DUTCH = """
msgid ""
msgstr ""
"Language: nl\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "sign.skull"
msgstr "doodskop"

msgid "sign.hat"
msgstr ""
"""


def test_values_are_put_in_by_name() -> None:
    assert Words("en").say("happening.played", seat="Red", card="the hat") == "Red plays the hat."


def test_one_and_many_have_their_own_forms() -> None:
    words = Words("en")
    assert words.count("happening.trim_due.debt", 1, seat="Red") == "Red must discard 1 card"
    assert words.count("happening.trim_due.debt", 2, seat="Red") == "Red must discard 2 cards"


@pytest.mark.parametrize("key", ["refusal.no_such_reason"])
def test_a_missing_key_is_an_error_that_says_what_to_do(key: str) -> None:
    with pytest.raises(MissingWords, match="make words"):
        Words("en").say(key)
    with pytest.raises(KeyError):
        Words("en").count(key, 2)


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="number"):
        Words("en").say("place.space")


def test_keys_can_be_listed_by_their_beginning() -> None:
    assert Words("en").keys("edition.") == ["edition.de", "edition.en", "edition.nl", "edition.sv"]


@pytest.fixture
def dutch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Dutch that knows one word."""
    locale = tmp_path / "locale"
    shutil.copytree(catalogue.LOCALE, locale)
    folder = locale / "nl" / "LC_MESSAGES"
    with (folder / "cartagena.mo").open("wb") as target:
        write_mo(target, read_po(DUTCH.splitlines(keepends=True), locale="nl"))
    monkeypatch.setattr(catalogue, "LOCALE", locale)


@pytest.mark.usefixtures("dutch")
def test_a_language_that_lacks_a_word_says_it_in_english() -> None:
    words = Words("nl")
    assert (words.say("sign.skull"), words.say("sign.hat")) == ("doodskop", "hat")
    assert words.count("happening.quiet", 1).startswith("1 round")


@pytest.mark.usefixtures("dutch")
def test_the_environment_chooses_when_nobody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "nl_NL.UTF-8")
    assert Words().say("sign.skull") == "doodskop"
    monkeypatch.setenv("LANG", "C")
    assert Words().say("sign.skull") == "skull"


def test_an_unknown_language_is_english() -> None:
    assert Words("xx").say("sign.skull") == "skull"
