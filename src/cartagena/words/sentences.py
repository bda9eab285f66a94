"""Sentences that players read: happenings, refusals, effects of a choice, advice, turns and endings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, assert_never

from cartagena.notation.names import COLOURS
from cartagena.rules.actions import Kind, action_of
from cartagena.rules.board import space_of_place
from cartagena.rules.explain import Explanation
from cartagena.rules.families.facts import facts_of
from cartagena.rules.happenings import (
    Dead,
    Drew,
    Happening,
    Moved,
    Passed,
    Played,
    Quiet,
    Renewed,
    RowLaid,
    Sailed,
    TrimDue,
    Trimmed,
    TrimShown,
    TurnEnded,
    Won,
)
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, START
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import ACTIONS_PER_TURN, GOLD, Ruleset
from cartagena.words.catalogue import ENGLISH, Words

# Names for what lies on the table: crews, cards, places.


class Names:
    """The names of one game's things in one language; `players` are called by their own.

    >>> from cartagena.rules.ruleset import PIRATES_NEST
    >>> names = Names(Words("en"), PIRATES_NEST)
    >>> names.crew(0), names.card(12), names.place(16)
    ('Red', 'gold parrot', 'space 15')
    """

    def __init__(self, words: Words, ruleset: Ruleset, players: Sequence[str] = ()) -> None:
        self.words = words
        self.ruleset = ruleset
        self._players = players

    def crew(self, seat: int) -> str:
        """The name of a seat: that of its player, if no other has it, or that of its crew."""
        name = self._players[seat] if seat < len(self._players) else ""
        if name and self._players.count(name) == 1:
            return name
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


ADVICE: Final = {
    Kind.PLAY: "advice.play",
    Kind.RETREAT: "advice.retreat",
    Kind.DECLINE: "advice.decline",
    Kind.PUSH: "advice.push",
    Kind.SAIL: "advice.sail",
    Kind.CAPTAIN_SAIL: "advice.captain_sail",
    Kind.TRIM: "advice.trim",
    Kind.END_TURN: "advice.end_turn",
}
"""The key of each kind of choice."""


def advice(names: Names, code: int) -> str:
    """What a code says, as a suggestion."""
    action = action_of(names.ruleset.family, code)
    named: dict[str, str] = {}
    if action.card is not None:
        named["card"] = names.card_with_article(action.card)
    if action.crew is not None:
        named["crew"] = names.crew(action.crew)
    if action.place is not None:
        named["place"] = names.from_place(action.place)
    return names.words.say(ADVICE[action.kind], **named)


def tip_words(names: Names, codes: tuple[int, ...], chance: float) -> str:
    """What the seat to act might do, in this order, and its chance to win with that."""
    actions = ", ".join(advice(names, code) for code in codes)
    return names.words.say("terminal.tip", actions=actions, chance=round(100 * chance))


class Reason(Protocol):
    """Why something is refused: one of the rules' own reasons, or one that a message tells of."""

    @property
    def code(self) -> str:
        """The public code."""

    @property
    def rule(self) -> str:
        """The number of the rule that says so."""


def refusal_lines(names: Names, reason: Reason, card: int | None = None) -> tuple[str, str]:
    """Why something is refused, and the sentence of the rulebook; `card` is the one that was wished for."""
    say = names.words.say
    quoted = say("rules.quoted", number=reason.rule, sentence=say(f"rule.{reason.rule}"))
    return refusal_sentence(names, reason.code, card), quoted


def refusal_sentence(names: Names, code: str, card: int | None = None) -> str:
    """Why something is refused; a card that is not held is named where `card` says which was wished for."""
    if code == Refusal.CARD_NOT_HELD.code and card is not None:
        return names.words.say("refusal.card_not_held.sign", card=names.no_card(card))
    return names.words.say(f"refusal.{code}")


def refusal_in_english(refusal: Refusal) -> str:
    """The sentence and the rule by which a program that reads no code understands a refusal.

    >>> refusal_in_english(Refusal.NOBODY_ABOARD)
    'To sail from the small island, you need a pirate of your own aboard. (R12.2)'
    """
    return f"{Words(ENGLISH).say(f'refusal.{refusal.code}')} ({refusal.rule})"


def tell(names: Names, happening: Happening) -> str:
    """One sentence for what happened; what the audience may not know stays out of it."""
    match happening:
        case Played() | Moved() | Sailed() | Passed():
            return _tell_choice(names, happening)
        case Drew() | RowLaid() | Renewed():
            return _tell_cards(names, happening)
        case TrimDue() | Trimmed() | TrimShown():
            return _tell_trim(names, happening)
        case TurnEnded() | Won() | Dead() | Quiet():
            return _tell_end(names, happening)
        case _:
            assert_never(happening)


def _tell_choice(names: Names, happening: Played | Moved | Sailed | Passed) -> str:
    say, seat = names.words.say, names.crew(happening.seat)
    match happening:
        case Played(card=card):
            return say("happening.played", seat=seat, card=names.card_with_article(card))
        case Moved():
            return _tell_move(names, happening)
        case Sailed(dock=dock, free=free):
            key = "happening.sailed.free" if free else "happening.sailed"
            return say(key, seat=seat, to=names.to_dock(dock))
        case Passed(forced=forced):
            return say("happening.passed.forced" if forced else "happening.passed", seat=seat)
        case _:
            assert_never(happening)


def _tell_move(names: Names, moved: Moved) -> str:
    key = "happening.moved"
    if moved.seat != moved.crew:
        key = "happening.moved.pushed"
    elif moved.target < moved.start:
        key = "happening.moved.back"
    return names.words.say(
        key,
        seat=names.crew(moved.seat),
        crew=names.crew(moved.crew),
        start=names.from_place(moved.start),
        target=names.to_place(moved.target),
    )


def _tell_cards(names: Names, happening: Drew | RowLaid | Renewed) -> str:
    say = names.words.say
    match happening:
        case Drew(seat=seat, card=card, from_row=from_row):
            if card is None:
                return say("happening.drew.unknown", seat=names.crew(seat))
            key = "happening.drew.from_row" if from_row else "happening.drew"
            return say(key, seat=names.crew(seat), card=names.card_with_article(card))
        case RowLaid(cards=cards):
            return say("happening.row_laid", cards=names.cards(cards))
        case Renewed(size=size, order=order):
            if order is None:
                return names.words.count("happening.renewed", size)
            return say("happening.renewed.turned_over", cards=names.cards(order))
        case _:
            assert_never(happening)


def _tell_trim(names: Names, happening: TrimDue | Trimmed | TrimShown) -> str:
    words = names.words
    match happening:
        case TrimDue(surplus=surplus):
            debts = [
                words.count("happening.trim_due.debt", owed, seat=names.crew(seat))
                for seat, owed in enumerate(surplus)
                if owed
            ]
            return words.say("happening.trim_due", debts=", ".join(debts))
        case Trimmed(seat=seat, card=card):
            if card is None:
                return words.say("happening.trimmed.unknown", seat=names.crew(seat))
            return words.say("happening.trimmed", seat=names.crew(seat), card=names.card_with_article(card))
        case TrimShown(cards=cards):
            shown = [
                words.say("happening.trim_shown.card", seat=names.crew(seat), card=names.card(card))
                for seat, card in cards
            ]
            return words.say("happening.trim_shown", cards=", ".join(shown))
        case _:
            assert_never(happening)


def _tell_end(names: Names, happening: TurnEnded | Won | Dead | Quiet) -> str:
    words = names.words
    match happening:
        case TurnEnded(seat=seat, next_seat=following):
            return words.say("happening.turn_ended", seat=names.crew(seat), next_seat=names.crew(following))
        case Won(seat=seat):
            key = "happening.won.nest" if facts_of(names.ruleset.family).has_crossing else "happening.won"
            return words.say(key, seat=names.crew(seat))
        case Dead(winner=winner):
            if winner is None:
                return words.say("happening.dead")
            return words.say("happening.dead.winner", winner=names.crew(winner))
        case Quiet(rounds=rounds):
            return words.count("happening.quiet", rounds)
        case _:
            assert_never(happening)


def turn_lines(names: Names, view: View) -> Iterator[str]:
    """Whose turn it is and what is left of it; nothing when the game is over."""
    if view.over:
        return
    words, left = names.words, ACTIONS_PER_TURN - view.actions_used
    yield words.count("table.turn", left, turn=view.turn, seat=names.crew(view.turn_seat))
    if view.crossing_open:
        yield words.say("table.crossing_open", seat=names.crew(view.turn_seat))
    for seat, owed in enumerate(view.surplus):
        if owed:
            yield words.count("table.surplus", owed, seat=names.crew(seat))


def result_sentence(names: Names, winner: int | None) -> str:
    """Who has won a game that is over; None if it ended without a winner."""
    if winner is None:
        return names.words.say("terminal.end.nobody")
    return names.words.say("terminal.end.winner", seat=names.crew(winner))
