"""What a choice would do, told as far as its seat may know."""

from collections.abc import Iterator

from cartagena.rules.explain import Explanation
from cartagena.words.naming import Names


def effects(names: Names, explanation: Explanation) -> Iterator[str]:
    """Each thing that a choice would bring about, in a few words."""
    words = names.words
    if explanation.target is not None:
        yield names.to_place(explanation.target)
    if explanation.dock is not None:
        yield names.to_dock(explanation.dock)
    if explanation.cards:
        yield words.say("menu.takes", cards=names.cards(explanation.cards))
    unknown = explanation.gains - len(explanation.cards)
    if unknown:
        yield words.count("menu.draws", unknown)
    if explanation.wins:
        yield words.say("menu.wins")
