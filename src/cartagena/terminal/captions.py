"""What is said beside the board: whose turn it is, what a wish would do, why not, and how it ended."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from cartagena.rules.actions import Kind
from cartagena.rules.places import HOME
from cartagena.terminal.choices import Choosing, ChosenAction
from cartagena.terminal.drawing import CHOSEN, DIM, Brush
from cartagena.terminal.source import Moment
from cartagena.words.sentences import effects, refusal_sentence, result_sentence, turn_lines


def head_lines(brush: Brush, moment: Moment) -> Iterator[str]:
    """Whose turn it is and what is left of it; after the end who has won."""
    assert moment.view is not None, "somebody has a turn after the deal"
    if moment.is_over:
        yield result_sentence(brush.names, moment.winner)
    else:
        yield from turn_lines(brush.names, moment.view)


def end_lines(brush: Brush, moment: Moment, keys: Iterable[str]) -> Iterator[Text | str]:
    """Who has won, how many pirates each crew brought home, and what the keys would do now."""
    view = moment.view
    assert view is not None, "a game that has ended was dealt"
    yield from (result_sentence(brush.names, moment.winner), "")
    for seat, places in enumerate(view.pirates):
        line = brush.crew(seat).append(f" {brush.names.crew(seat)}  ")
        yield line.append(brush.say("terminal.end.home", number=places.count(HOME)))
    yield from ("", moment.note) if moment.note else ()
    yield ""
    yield from (Text(brush.say(key)) for key in keys)


def wish_line(brush: Brush, wish: ChosenAction, *, is_chosen: bool) -> Text:
    """A wish in one line of the list: what, and where it leads or that it is refused."""
    line = Text(f"{brush.glyphs.here if is_chosen else ' '}{wish_name(brush, wish)}")
    if wish.explanation is None:
        line.append(f" {brush.glyphs.no}")
        line.stylize(DIM)
    else:
        line.append(_outcome(brush, wish))
    if is_chosen:
        line.stylize(CHOSEN)
    return line


def wish_name(brush: Brush, wish: ChosenAction) -> str:
    """What is wished for, with its key before it."""
    card, names = wish.action.card, brush.names
    match wish.action.kind:
        case Kind.PLAY | Kind.TRIM if card is not None:
            return f"{brush.card(card).plain:<3} {names.card(card)}"
        case Kind.RETREAT:
            return f"R   {brush.say('terminal.wish.retreat')}"
        case Kind.PUSH:
            return f"R   {brush.say('terminal.wish.push', crew=names.crew(wish.action.crew or 0))}"
        case Kind.SAIL:
            return f"C   {brush.say('terminal.wish.sail')}"
        case Kind.CAPTAIN_SAIL:
            return f"C   {brush.say('terminal.wish.captain_sail')}"
        case _:
            return f"E   {brush.say('terminal.wish.end_turn')}"


def _outcome(brush: Brush, wish: ChosenAction) -> str:
    assert wish.explanation is not None
    told, target = "", wish.explanation.target
    if target is not None:
        told = f" {brush.glyphs.to} {brush.names.place(target)}"
    return f"{told} +{wish.explanation.gains}" if wish.explanation.gains else told


def pirate_line(brush: Brush, choosing: Choosing) -> Text:
    """Which pirate is looked at, and which of how many that is."""
    pirate = choosing.pirate
    if pirate is None:
        return Text(brush.say("terminal.trim"))
    line = brush.crew(pirate.crew).append(f" {brush.names.place(pirate.place)}", "bold")
    if pirate in choosing.pirates:
        line.append(f" ({choosing.pirates.index(pirate) + 1}/{len(choosing.pirates)})", DIM)
    return line


def wish_lines(brush: Brush, wish: ChosenAction | None) -> Iterator[str]:
    """What a wish would do, or why it is refused."""
    if wish is None:
        return
    if wish.explanation is not None:
        told = ", ".join(effects(brush.names, wish.explanation))
        if told:
            yield f"{told[0].upper()}{told[1:]}."
        if wish.explanation.reveals:
            yield brush.say("terminal.reveals")
    elif wish.refusal is not None:
        yield refusal_sentence(brush.names, wish.refusal.code, wish.action.card)
        yield brush.say("terminal.why_key", rule=wish.refusal.rule)
