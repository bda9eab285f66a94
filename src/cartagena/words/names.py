"""Names for what lies on the table: crews, cards, places."""

from collections import Counter
from collections.abc import Iterable

from cartagena.notation.names import COLOURS
from cartagena.rules.board import space_of_place
from cartagena.rules.families.facts import facts_of
from cartagena.rules.places import HOME, START
from cartagena.rules.ruleset import GOLD, Ruleset
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
        """The letter of a sign, different for each sign of a game."""
        return self.words.say(f"letter.{self.ruleset.signs[sign]}")

    def card(self, card: int) -> str:
        """The name of a card."""
        if card < GOLD:
            return self.sign(card)
        return self.words.say("card.gold", sign=self.sign(card - GOLD))

    def card_with_article(self, card: int) -> str:
        """A card as the object of a verb, with the article that its language wants."""
        return self._form_of(card, "with_article")

    def no_card(self, card: int) -> str:
        """The words for having none of a card, such as `no hat`."""
        return self._form_of(card, "none")

    def _form_of(self, card: int, form: str) -> str:
        return self.words.say(f"sign.{self.ruleset.signs[card % GOLD]}.{form}", card=self.card(card))

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
        return self._place(place, "")

    def from_place(self, place: int) -> str:
        """The place that a pirate leaves, with the preposition that its language wants there."""
        return self._place(place, ".from")

    def to_place(self, place: int) -> str:
        """The place that a pirate goes to, with the preposition that its language wants there."""
        return self._place(place, ".to")

    def at_dock(self, dock: int) -> str:
        """Where the sloop lies, by the island of its dock."""
        return self.words.say(f"place.dock.{dock}")

    def to_dock(self, dock: int) -> str:
        """Where the sloop sails to, by the island of that dock."""
        return self.words.say(f"place.dock.{dock}.to")

    def _place(self, place: int, form: str) -> str:
        family = self.ruleset.family
        if place == START:
            return self.words.say(f"place.start.{family}{form}")
        if place == HOME:
            return self.words.say(f"place.home.{family}{form}")
        if place == facts_of(family).sloop:
            return self.words.say(f"place.sloop{form}")
        return self.words.say(f"place.space{form}", number=space_of_place(family, place))
