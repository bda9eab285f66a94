"""What a player may wish for: the pirates to choose from, and what each could do or why not.

No rule stands here: everything is looked up in the wish table.
"""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cartagena.messages.cards import cards_of
from cartagena.messages.wishes import LegalMessage, RefusalMessage, WishesMessage, answer_to
from cartagena.rules.actions import Action, Kind, action_of, code_of
from cartagena.rules.explain import Explanation
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME


class Pirate(NamedTuple):
    """One pirate: all pirates of a crew on one place are the same."""

    crew: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenAction:
    """An action, and what would come of it or why it is refused."""

    action: Action
    explanation: Explanation | None = None
    refusal: RefusalMessage | None = None

    @property
    def code(self) -> int | None:
        """What to send; None if it is refused."""
        return None if self.explanation is None else self.explanation.code


def pirates_to_choose(view: View, wishes: WishesMessage) -> list[Pirate]:
    """The player's own pirates in travel order, then others that can be pushed; none during a trim."""
    if view.trimming or view.seat is None:
        return []
    pushed = {Pirate(each.crew, each.place or 0) for each in wishes.legal if each.crew is not None}
    movable = {each.place for each in wishes.legal}
    own = sorted({place for place in view.pirates[view.seat] if place != HOME or place in movable})
    return [*(Pirate(view.seat, place) for place in own), *sorted(pushed, key=lambda one: one.place)]


def wishes_about(view: View, wishes: WishesMessage, pirate: Pirate | None) -> list[ChosenAction]:
    """Every wish that uses a pirate, then those that need none."""
    return [_answered(view, wishes, action) for action in _actions(view, wishes, pirate)]


def _actions(view: View, wishes: WishesMessage, pirate: Pirate | None) -> Iterator[Action]:
    hand = sorted(set(view.hands[view.seat or 0] or ()))
    if view.trimming:
        yield from (Action(kind=Kind.TRIM, card=card) for card in hand)
        return
    if pirate is not None and pirate.crew == view.seat:
        yield from (Action(kind=Kind.PLAY, card=card, place=pirate.place) for card in hand)
        if not facts_of(view.ruleset.family).has_crossing:
            yield Action(kind=Kind.RETREAT, place=pirate.place)
        if view.ruleset.may_decline:
            yield Action(kind=Kind.DECLINE, place=pirate.place)
    elif pirate is not None:
        yield Action(kind=Kind.PUSH, crew=pirate.crew, place=pirate.place)
    yield from _without_pirate(view, wishes)


def _without_pirate(view: View, wishes: WishesMessage) -> Iterator[Action]:
    if facts_of(view.ruleset.family).has_crossing:
        yield Action(kind=Kind.SAIL)
    if any(each.kind is Kind.CAPTAIN_SAIL for each in wishes.legal):
        yield Action(kind=Kind.CAPTAIN_SAIL)
    yield Action(kind=Kind.END_TURN)


def _answered(view: View, wishes: WishesMessage, action: Action) -> ChosenAction:
    code = code_of(action)
    if code is None:
        # A retreat from the start, which no code names (R4.7).
        return ChosenAction(action=action, refusal=wishes.retreat_from_start)
    answer = answer_to(wishes, code)
    if isinstance(answer, LegalMessage):
        return ChosenAction(action=action, explanation=explanation_of(answer))
    assert answer is not None, f"the wish table of {view.ruleset.key} knows every code, also {code}"
    return ChosenAction(action=action, refusal=RefusalMessage(code=answer.code, rule=answer.rule))


def explanation_of(legal: LegalMessage) -> Explanation:
    """What a line of the wish table says a choice would do, as the rules have it."""
    return Explanation(
        code=legal.code,
        start=legal.start,
        target=legal.target,
        jumped=legal.jumped,
        gains=legal.gains,
        cards=cards_of(legal.cards),
        reveals=legal.reveals,
        dock=legal.dock,
        wins=legal.wins,
    )


class Choosing:
    """Which wish the player looks at: a pirate, and a line of what can be wished with it."""

    def __init__(self, view: View, wishes: WishesMessage, near: Pirate | None = None) -> None:
        self._view = view
        self._table = wishes
        self.pirates = pirates_to_choose(view, wishes)
        self.pirate = near if near in self.pirates else self._first_able()
        self._look(self.pirate)

    def _first_able(self) -> Pirate | None:
        able = (one for one in self.pirates if self._choices(one))
        return next(able, self.pirates[0] if self.pirates else None)

    def _choices(self, pirate: Pirate) -> list[LegalMessage]:
        crew = None if pirate.crew == self._view.seat else pirate.crew
        return [each for each in self._table.legal if each.place == pirate.place and each.crew == crew]

    def _look(self, pirate: Pirate | None) -> None:
        self.pirate = pirate
        self.wishes = wishes_about(self._view, self._table, pirate)
        self.line = next((at for at, one in enumerate(self.wishes) if one.code is not None), 0)

    @property
    def wish(self) -> ChosenAction | None:
        """The wish that is looked at."""
        return self.wishes[self.line] if self.line < len(self.wishes) else None

    def step(self, lines: int) -> None:
        """Look at a wish further down, or up; after the last comes the first."""
        self.line = (self.line + lines) % max(1, len(self.wishes))

    def turn_to(self, line: int) -> None:
        """Look at a line, if there is one."""
        if 0 <= line < len(self.wishes):
            self.line = line

    def next_pirate(self, step: int) -> None:
        """Look at the next pirate, or the one before, with a wish of the same action if there is one."""
        if self.pirate is None or len(self.pirates) == 0:
            return
        wished = self.wish
        at = self.pirates.index(self.pirate) if self.pirate in self.pirates else -1
        self._look(self.pirates[(at + step) % len(self.pirates)])
        if wished is not None and wished.action.card is not None:
            self.to_cards([wished.action.card])

    def to_cards(self, cards: Container[int]) -> bool:
        """Look at what one of `cards` would do; return whether one can be wished for."""
        return self._to(lambda wish: wish.action.card is not None and wish.action.card in cards)

    def to_kind(self, *kinds: Kind) -> bool:
        """Look at the first wish of one of `kinds`; return whether there is one."""
        return self._to(lambda wish: wish.action.kind in kinds)

    def _to(self, fits: Callable[[ChosenAction], bool]) -> bool:
        fitting = [at for at, wish in enumerate(self.wishes) if fits(wish)]
        # Pressed again, a key goes on to the next that fits: a gold card stands after the plain one.
        later = [at for at in fitting if at > self.line] if self.line in fitting else fitting
        self.line = (later or fitting or [self.line])[0]
        return bool(fitting)

    def to_place(self, place: int) -> bool:
        """Look at the wish that leads to a place, else at a pirate there; return whether there is one."""
        leading = [
            at for at, wish in enumerate(self.wishes) if wish.explanation and wish.explanation.target == place
        ]
        if leading and self.pirate and self.pirate.place != place:
            self.line = next((at for at in leading if at > self.line), leading[0])
            return True
        standing = [Pirate(crew, place) for crew, places in enumerate(self._view.pirates) if place in places]
        standing.sort(key=lambda one: (one.crew != self._view.seat, not self._choices(one)))
        if not standing or self._view.trimming or self._view.seat is None:
            return False
        if not facts_of(self._view.ruleset.family).has_crossing and standing[0].crew != self._view.seat:
            return False
        self._look(standing[0])
        return True

    def to_code(self, code: int) -> bool:
        """Look at the wish of a code."""
        action = action_of(self._view.ruleset.family, code)
        assert self._view.seat is not None
        if action.place is not None:
            crew = self._view.seat if action.crew is None else action.crew
            self._look(Pirate(crew, action.place))
        return self._to(lambda wish: wish.code == code)
