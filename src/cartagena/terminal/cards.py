"""The cards of a table as lines of text: the row, the piles and the hands."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from cartagena.rules.hidden.view import View
from cartagena.terminal.brush import BOLD, DIM, Brush
from cartagena.terminal.source import printable
from cartagena.terminal.wishing import Wish

_LABEL: Final = 14
_NAME: Final = 9


def draw_cards(
    brush: Brush, view: View, players: tuple[str, ...], wish: Wish | None, width: int
) -> list[Text]:
    """The row and the piles, then a line for every seat; cards that the wish would take are set apart."""
    taken = 0 if wish is None or wish.explanation is None else len(wish.explanation.cards)
    lines = [*_row(brush, view, taken), _piles(brush, view)]
    return [line for each in [*lines, *_hands(brush, view, players)] for line in _folded(each, width)]


def _row(brush: Brush, view: View, taken: int) -> Iterator[Text]:
    if view.ruleset.row_length:
        cards = [brush.card(card) for card in view.row]
        for card in cards[:taken]:
            card.stylize("reverse")
        yield _labelled(brush.say("table.row"), cards)


def _piles(brush: Brush, view: View) -> Text:
    stock = [Text(str(view.stock_size))] if view.stock is None else [brush.card(card) for card in view.stock]
    line = _labelled(brush.say("table.stock"), stock)
    line.append(f"   {brush.say('table.discard')} {len(view.discard)}")
    return line.append(" ").append_text(brush.card(view.discard[-1])) if view.discard else line


def _hands(brush: Brush, view: View, players: tuple[str, ...]) -> Iterator[Text]:
    for seat in range(view.seats):
        name = printable(players[seat]) if seat < len(players) else ""
        yield _hand(brush, view, seat, name or brush.names.crew(seat))


def _hand(brush: Brush, view: View, seat: int, name: str) -> Text:
    is_acting = view.to_act == seat
    line = Text(brush.glyphs.here if is_acting else " ").append_text(brush.crew(seat))
    shown = name if len(name) <= _NAME else f"{name[: _NAME - 1]}{brush.glyphs.dots[0]}"
    line.append(f" {shown}", BOLD if is_acting else "")
    line.append(" " * (_LABEL - len(line.plain)))
    hand = view.hands[seat]
    if hand is None:
        return line.append(brush.names.words.count("table.cards", view.hand_sizes[seat]), DIM)
    stacks = [brush.card(card, number) for card, number in sorted(Counter(hand).items())]
    return line.append(f"{len(hand):>2}: ").append_text(Text(" ").join(stacks))


def _labelled(label: str, cards: Iterable[Text]) -> Text:
    return Text(f" {label:<{_LABEL - 1}}").append_text(Text(" ").join(cards))


def _folded(line: Text, width: int) -> list[Text]:
    """A line cut where it is too wide, at a blank; what is left goes on below the cards."""
    if len(line.plain) <= width:
        return [line]
    cut = line.plain.rfind(" ", _LABEL + 1, width + 1)
    if cut < 0:
        return [line]
    rest = Text(" " * _LABEL).append_text(line[cut + 1 :])
    return [line[:cut], *_folded(rest, width)]
