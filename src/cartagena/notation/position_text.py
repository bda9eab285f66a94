"""Positions as text: a block of lines, each with a key and a value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from cartagena.notation.names import (
    COLOURS,
    NONE,
    PLACE_BY_WORD,
    UNKNOWN,
    Cards,
    format_board,
    format_cards,
    in_hand,
    in_runs,
    place_word,
    places_expected,
    read_board,
    read_cards,
    read_playing_seat,
    read_runs,
)
from cartagena.notation.sight import Sight, all_cards, arranged, sight_of, sight_of_view
from cartagena.notation.tokens import NotationError, TextLine, TokenReader, lines_of, whole_number
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.position import Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import (
    ACTIONS_PER_TURN,
    CREW_SIZE,
    FEWEST_SEATS,
    OPTIONS,
    PRESETS,
    Option,
    OptionError,
    Ruleset,
)

# Rulesets as one line: the preset, then the options of its game.

_BOOLEANS: Final = {"false": False, "true": True}


def options_of(family: str) -> dict[str, Option]:
    """The options that a family has, by name, in the order they are written."""
    return {option.name: option for option in OPTIONS if family in option.families}


def format_ruleset(ruleset: Ruleset) -> str:
    """The one line that says a ruleset; the fair shuffle hashes it.

    >>> from cartagena.rules.ruleset import JAMAICA
    >>> format_ruleset(JAMAICA)[:42]
    'jamaica hands_open=false row_length=0 hand'
    """
    preset = PRESETS.get(ruleset.key)
    if preset is None or preset.family != ruleset.family:
        raise ValueError(f"a ruleset is written by the key of its preset, and {ruleset.key!r} is none")
    options = [f"{name}={_value_word(value)}" for name, value in ruleset.written_options().items()]
    return " ".join([ruleset.key, *options])


def parse_ruleset(text: str) -> Ruleset:
    """The ruleset of a line; options that are not written keep the value of the preset.

    >>> parse_ruleset("tortuga pass_allowed=true").pass_allowed
    True
    """
    return read_ruleset(TextLine(text, 1).stripped())


def read_ruleset(line: TextLine) -> Ruleset:
    """Read a whole line as a ruleset."""
    words = TokenReader(line)
    preset = words.one_of(PRESETS, f"a ruleset ({', '.join(PRESETS)})")
    changes: dict[str, object] = {}
    while not words.done:
        name, value = _read_option(words, preset.family, changes)
        changes[name] = value
    try:
        return preset.with_options(**changes)
    except OptionError as error:
        raise line.error(f"a ruleset in which {error}") from error


def _read_option(words: TokenReader, family: str, before: Mapping[str, object]) -> tuple[str, object]:
    known = options_of(family)
    name, equals, value = words.peek().partition("=")
    if name not in known or not equals:
        raise words.error(f"an option as name=value ({', '.join(known)})", known)
    if name in before:
        raise words.error(f"{name} only once")
    meaning = _value(value)
    allowed = known[name].values_in(family)
    if not any(meaning == one and type(meaning) is type(one) for one in allowed):
        raise words.error(f"{name}={_choices(allowed)}")
    words.take()
    return name, meaning


def _value(word: str) -> object:
    if word in _BOOLEANS:
        return _BOOLEANS[word]
    number = whole_number(word)
    return word if number is None else number


def _value_word(value: object) -> str:
    return str(value).lower()


def _choices(values: tuple[object, ...]) -> str:
    if len(values) > len(_BOOLEANS):
        numbers = [value for value in values if isinstance(value, int)]
        return f"{min(numbers)} to {max(numbers)}"
    return " or ".join(map(_value_word, values))


LATEST_TURN: Final = 999_999_999
_CROSSINGS: Final = {"open": True, "closed": False}
KEYS_AFTER_BOARD: Final = (
    *COLOURS,
    "Row",
    "Stock",
    "Discard",
    "Turn",
    "Used",
    "Progress",
    "Most home",
    "Dock",
    "Crossing",
)
KEYS: Final = (
    "Ruleset",
    "Board",
    *KEYS_AFTER_BOARD,
)


def format_position(position: Position | View | Sight) -> str:
    """The lines of a position, or of what is seen of one, with `?` for an unknown card.

    Raises PositionError in a trim, before a shuffle and after the end: a record gets there by replay.
    """
    sight = _seen(position)
    lines = [f"Ruleset: {format_ruleset(sight.ruleset)}", f"Board: {format_board(sight.board)}"]
    return "\n".join([*lines, *lines_after_board(sight)]) + "\n"


def lines_after_board(sight: Sight) -> list[str]:
    """What lies on a board and how far the turn has gone, in the lines of a position."""
    family, lines = sight.ruleset.family, []
    for colour, places, hand in zip(COLOURS, sight.pirates, sight.hands, strict=False):
        standing = in_runs(place_word(family, place) for place in places)
        lines.append(f"{colour}: {standing} / {format_cards(family, hand)}")
    if sight.ruleset.row_length:
        lines.append(f"Row: {format_cards(family, sight.row)}")
    lines += [
        f"Stock: {format_cards(family, sight.stock)}",
        f"Discard: {format_cards(family, sight.discard)}",
        f"Turn: {sight.turn} {COLOURS[sight.seat]}",
        f"Used: {sight.actions_used}",
        f"Progress: {sight.last_progress}",
        f"Most home: {' '.join(map(str, sight.most_home))}",
    ]
    if facts_of(family).has_crossing:
        lines.append(f"Dock: {sight.dock}")
        lines.append(f"Crossing: {'open' if sight.crossing_open else 'closed'}")
    return lines


def described(position: Position) -> str:
    """The lines of a position, which `parse_position` reads; of one that has none, how far its game is."""
    try:
        return format_position(position)
    except PositionError as error:
        return f"<Position of {position.ruleset.key}, turn {position.turn}: {error}>"


def _seen(position: Position | View | Sight) -> Sight:
    if isinstance(position, Position):
        return sight_of(position)
    return sight_of_view(position) if isinstance(position, View) else position


def parse_position(text: str) -> Position:
    """The position that a text describes; raises NotationError, also if a card is unknown."""
    sight, block = _read(text)
    if None in all_cards(sight):
        unknown = next(line for line in block.values.values() if UNKNOWN in line.text)
        raise unknown.error("only known cards, for this is what somebody sees of a position")
    return arranged(sight)


def parse_sight(text: str) -> Sight:
    """What a text tells of a position, cards unknown where it says so; raises NotationError."""
    return _read(text)[0]


def read_sight(values: Mapping[str, TextLine], last: TextLine) -> Sight:
    """What lines tell of a position, by their keys; `last` is where a missing one is missed."""
    return _read_block(_Block(values, last))


@dataclass(frozen=True, slots=True)
class _Block:
    """The values of a position's lines by their keys."""

    values: Mapping[str, TextLine]
    last: TextLine

    def value(self, key: str, default: str = "") -> TextLine:
        """The value of a key, or a default; a key without a default must be there."""
        if key in self.values:
            return self.values[key]
        if not default:
            raise NotationError("", self.last.number, self.last.column, f"also a line {key!r}")
        return TextLine(default, self.last.number, self.last.column)

    def number(self, key: str, default: str, least: int, most: int) -> int:
        """The number that is the value of a key."""
        words = TokenReader(self.value(key, default))
        number = words.number(f"a number from {least} to {most}", least, most)
        words.end()
        return number


def _block_of(text: str) -> _Block:
    values: dict[str, TextLine] = {}
    last = TextLine("", 1)
    for line, _ in lines_of(text):
        if not line.text:
            continue
        parts = line.split()
        if parts is None or parts[0].text not in KEYS:
            raise line.error(f"a line with one of the keys {', '.join(KEYS)}")
        key, last = parts
        if key.text in values:
            raise line.error(f"{key.text} only once")
        values[key.text] = last
    return _Block(values, last)


def _read(text: str) -> tuple[Sight, _Block]:
    block = _block_of(text)
    return _read_block(block), block


def _read_block(block: _Block) -> Sight:
    ruleset = read_ruleset(block.value("Ruleset"))
    family = ruleset.family
    crews = [_read_crew(line, family) for line in _crew_lines(block)]
    turn, seat = _read_turn(block.value("Turn", "1 red"), len(crews))
    row, stock, discard = (_read_pile(block, key, family) for key in ("Row", "Stock", "Discard"))
    sight = Sight(
        ruleset=ruleset,
        board=read_board(block.value("Board"), family),
        pirates=tuple(places for places, _ in crews),
        hands=tuple(hand for _, hand in crews),
        row=row,
        stock=stock,
        discard=discard,
        seat=seat,
        actions_used=block.number("Used", "0", 0, ACTIONS_PER_TURN),
        dock=block.number("Dock", "1", 1, facts_of(family).docks),
        crossing_open=_read_crossing(block, family),
        turn=turn,
        last_progress=block.number("Progress", "0", 0, turn),
        most_home=_read_most_home(block, len(crews)),
    )
    return _checked(sight, block)


def _checked(sight: Sight, block: _Block) -> Sight:
    """Refuse what cannot lie on a table, and decide what follows from the rest."""
    try:
        position = arranged(sight)
    except PositionError as error:
        raise block.last.error(f"another position, because {error}") from error
    most_home = tuple(crew.most_home for crew in position.crews)
    return replace(sight, crossing_open=position.crossing_open, most_home=most_home)


def _crew_lines(block: _Block) -> list[TextLine]:
    """The lines of the crews in play: red and blue at least, and none left out between."""
    present = [colour for colour in COLOURS if colour in block.values]
    crews = max(FEWEST_SEATS, len(present))
    return [block.value(colour) for colour in COLOURS[:crews]]


def _read_crew(line: TextLine, family: str) -> tuple[tuple[int, ...], Cards]:
    words = TokenReader(line)
    places = read_runs(words, PLACE_BY_WORD[family], places_expected(family))
    if len(places) != CREW_SIZE:
        raise words.error(f"the places of {CREW_SIZE} pirates before '/', not of {len(places)}")
    words.expect("/")
    hand = read_cards(words, family)
    words.end()
    return tuple(sorted(places)), in_hand(hand)


def _read_pile(block: _Block, key: str, family: str) -> Cards:
    words = TokenReader(block.value(key, "" if key == "Stock" else NONE))
    cards = read_cards(words, family)
    words.end()
    return cards


def _read_turn(line: TextLine, seats: int) -> tuple[int, int]:
    words = TokenReader(line)
    turn = words.number("the number of the turn, from 1 on", 1, LATEST_TURN)
    seat = read_playing_seat(words, seats)
    words.end()
    return turn, seat


def _read_most_home(block: _Block, seats: int) -> tuple[int, ...]:
    if "Most home" not in block.values:
        return ()
    words = TokenReader(block.values["Most home"])
    expected = f"a number from 0 to {CREW_SIZE} for each crew"
    most = tuple(words.number(expected, 0, CREW_SIZE) for _ in range(seats))
    words.end()
    return most


def _read_crossing(block: _Block, family: str) -> bool | None:
    if "Crossing" not in block.values:
        return None
    words = TokenReader(block.values["Crossing"])
    known = _CROSSINGS if facts_of(family).has_crossing else {"closed": False}
    crossing = words.one_of(known, " or ".join(known))
    words.end()
    return crossing
