"""Positions laid out by hand: a draft of any line, and what the rules say of it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from cartagena.local.study import fault_message
from cartagena.messages.cards import MessageError, words_of
from cartagena.messages.studies import ArrangedMessage, DraftMessage
from cartagena.messages.views import board_of, board_words
from cartagena.notation import format_position, format_ruleset, parse_ruleset, sight_of
from cartagena.notation.names import CARD_BY_WORD, Cards
from cartagena.rules.position import Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.setup import Layout, arrange


def draft_of(position: Position) -> DraftMessage:
    """A draft that leaves a position as it is; raises PositionError in mid-action and after the end."""
    sight = sight_of(position)
    family = sight.ruleset.family
    return DraftMessage(
        ruleset=format_ruleset(sight.ruleset),
        board=board_words(sight.board),
        pirates=sight.pirates,
        hands=tuple(_words(family, hand) for hand in sight.hands),
        row=_words(family, sight.row),
        stock=_words(family, sight.stock),
        discard=_words(family, sight.discard),
        seat=sight.seat,
        actions_used=sight.actions_used,
        dock=sight.dock,
        crossing_open=sight.crossing_open,
        turn=sight.turn,
        last_progress=sight.last_progress,
        most_home=sight.most_home,
    )


def _words(family: str, cards: Cards) -> tuple[str, ...]:
    """The words of cards; the sight of a position knows all of them."""
    return words_of(family, (card for card in cards if card is not None))


def checked_draft(draft: DraftMessage) -> ArrangedMessage:
    """Let the stock take every card that lies nowhere else, and say whether such a table can be."""
    layout = _layout(draft)
    family = layout.ruleset.family
    draft = replace(draft, stock=words_of(family, layout.stock))
    try:
        position = arrange(layout)
    except PositionError as error:
        return ArrangedMessage(draft=draft, text=None, fault=fault_message(error, family))
    return ArrangedMessage(draft=draft, text=format_position(position), fault=None)


def _layout(draft: DraftMessage) -> Layout:
    ruleset = parse_ruleset(draft.ruleset)
    family = ruleset.family
    hands = tuple(_cards(family, hand) for hand in draft.hands)
    row, discard = _cards(family, draft.row), _cards(family, draft.discard)
    elsewhere = Counter(card for cards in (*hands, row, discard) for card in cards)
    return Layout(
        ruleset=ruleset,
        board=board_of(family, draft.board),
        pirates=draft.pirates,
        hands=hands,
        row=row,
        stock=_fitted(_cards(family, draft.stock), Counter(ruleset.deck()) - elsewhere),
        discard=discard,
        seat=draft.seat,
        actions_used=draft.actions_used,
        dock=draft.dock,
        crossing_open=draft.crossing_open,
        turn=draft.turn,
        last_progress=draft.last_progress,
        most_home=draft.most_home,
    )


def _cards(family: str, words: Iterable[str]) -> tuple[int, ...]:
    known = CARD_BY_WORD[family]
    try:
        return tuple(map(known.__getitem__, words))
    except KeyError as error:
        raise MessageError(f"this game has no card called {error}") from None


def _fitted(stock: Sequence[int], left: Counter[int]) -> tuple[int, ...]:
    """The stock with these cards and no others: in its order as far as it had them, the rest below."""
    kept = []
    for card in stock:
        if left[card] > 0:
            left[card] -= 1
            kept.append(card)
    return (*kept, *sorted(left.elements()))
