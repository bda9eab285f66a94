"""Names for what lies on the table: crews, cards, places."""

from collections import Counter
from collections.abc import Iterable

from cartagena.notation.names import COLOURS
from cartagena.rules.board import SLOOP, space_of_place
from cartagena.rules.places import HOME, START
from cartagena.rules.ruleset import GOLD, NEST, Ruleset
from cartagena.words.catalogue import Words


class Names:
    """The names of one game's things in one language.

    >>> from cartagena.rules.ruleset import PIRATES_NEST
    >>> names = Names(Words("en"), PIRATES_NEST)
    >>> names.crew(0), names.card(12), names.place(16)
    ('Red', 'gold parrot', 'space 15')
    """

    def __init__(self, words: Words, ruleset: Ruleset) -> None:
        self.words = words
        self.ruleset = ruleset

    def crew(self, seat: int) -> str:
        """The name of a seat, which is that of its crew."""
        return self.words.say(f"crew.{COLOURS[seat]}")

    def letter(self, seat: int) -> str:
        """The letter of a crew's pirates."""
        return self.words.say(f"crew.{COLOURS[seat]}.letter")

    def sign(self, sign: int) -> str:
        """The name of a sign."""
        return self.words.say(f"sign.{self.ruleset.signs[sign]}")

    def letter_of_sign(self, sign: int) -> str:
        """The letter of a sign, another one for each sign of a game."""
        return self.words.say(f"letter.{self.ruleset.signs[sign]}")

    def card(self, card: int) -> str:
        """The name of a card."""
        if card < GOLD:
            return self.sign(card)
        return self.words.say("card.gold", sign=self.sign(card - GOLD))

    def cards(self, cards: Iterable[int]) -> str:
        """The names of cards that lie in an order."""
        return ", ".join(map(self.card, cards)) or self.words.say("card.none")

    def hand(self, cards: Iterable[int]) -> str:
        """The names of cards without an order: equal ones are counted."""
        parts = [
            self.card(card) if number == 1 else self._several(card, number)
            for card, number in sorted(Counter(cards).items())
        ]
        return ", ".join(parts) or self.words.say("card.none")

    def _several(self, card: int, number: int) -> str:
        return self.words.say("card.several", number=number, card=self.card(card))

    def place(self, place: int) -> str:
        """The name of a place: a space by its printed number."""
        family = self.ruleset.family
        if place == START:
            return self.words.say(f"place.start.{family}")
        if place == HOME:
            return self.words.say(f"place.home.{family}")
        if place == SLOOP and family == NEST:
            return self.words.say("place.sloop")
        return self.words.say("place.space", number=space_of_place(family, place))
