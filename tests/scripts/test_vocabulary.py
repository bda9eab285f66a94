"""The phrases that prose does without."""

import pytest

from scripts.vocabulary import files, findings_in


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("# Tries for so many cards.", "so many"),
        ("Whoever listens is told.", "Whoever"),
        ("whosever turn it is", "whosever"),
        ("Nought stays nought.", "Nought"),
        ('    """The same, for views."""', '"""The same'),
    ],
)
def test_a_phrase_is_found_with_its_line(text: str, phrase: str) -> None:
    line, found, instead = next(findings_in(f"First.\n{text}\n"))
    assert (line, found) == (2, phrase)
    assert instead


@pytest.mark.parametrize("text", ["def test_whoever_comes_first():", "The same game.", "He fought."])
def test_names_and_other_phrases_are_left_alone(text: str) -> None:
    assert not list(findings_in(text))


def test_the_rulebook_keeps_its_voice_and_all_else_is_read() -> None:
    names = {file.name for file in files()}
    assert {"README.md", "vocabulary.py"} & names == {"README.md"}
    assert not any("docs/rules" in file.as_posix() for file in files())
