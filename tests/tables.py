"""Drawn tables: positions written as short strings, for every test.

Cartagena. A letter is a sign: Bottle, Dagger, Hat, Key, Pistol, Skull. Crews are drawn below the
spaces, a digit for each crowd, and pirates that are not drawn stand at the start:

    table(
        JAMAICA,
        "BDHKPS",                 # space 1 shows a bottle; segments that are not drawn show BDHKPS too
        red=".1..2",              # one pirate on space 2, two on 5, three at the start
        blue="3 > 1",             # three on space 1, one in the sloop, two at the start
        hands=("KS", ""),         # red holds a key and a skull, blue nothing
        stock="HH",               # two hats on top, below them all cards that lie nowhere else, sorted
    )

A crew may also be a list of places: ``red=[9, 17, HOME]``. Seats are named in their order: red, blue,
yellow, green, violet; ``seats=5`` sits down crews that are not drawn. ``rest`` says where the cards lie
that are not drawn: in the ``"stock"`` (its bottom), in the ``"discard"`` (its oldest cards), or in the
hand of a crew.

The Nest. A card or sign is a word or its first two letters, a GOLD card is written large; crews are
lists of spaces by their printed numbers, with ``sloop`` and ``nest``:

    nest_table(red="3 3 sloop 20 nest", blue="14", hands=("map MAP", "pa"), dock=2)
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict, Unpack

from cartagena.rules.board import Board, place_of_space
from cartagena.rules.codes import decline_code, play_code, push_code, retreat_code, trim_code
from cartagena.rules.places import HOME, SLOOP, START
from cartagena.rules.position import Position
from cartagena.rules.ruleset import CREW_SIZE, ESCAPE, GOLD, JAMAICA, NEST, PIRATES_NEST, SIGNS, Ruleset
from cartagena.rules.setup import Layout, arrange

RED, BLUE, YELLOW, GREEN, VIOLET = range(5)
COLOURS = ("red", "blue", "yellow", "green", "violet")
LETTERS = "BDHKPS"

Crew = str | Sequence[int]


class Drawing(TypedDict, total=False):
    """All that can be drawn of a table; what is left out is empty, at the start or at its beginning."""

    red: Crew
    blue: Crew
    yellow: Crew
    green: Crew
    violet: Crew
    seats: int
    hands: Sequence[str]
    stock: str
    row: str
    discard: str
    rest: str
    seat: int
    actions_used: int
    dock: int
    crossing_open: bool | None
    turn: int
    last_progress: int
    most_home: tuple[int, ...]


def table(ruleset: Ruleset = JAMAICA, signs: str = LETTERS, **drawing: Unpack[Drawing]) -> Position:
    """A position of Cartagena; two crews sit down unless more are drawn."""
    return lay_out(ruleset, board_drawn(signs), [crew_drawn(crew) for crew in seated(drawing)], drawing)


def nest_table(
    ruleset: Ruleset = PIRATES_NEST, pieces: Sequence[str] = (), **drawing: Unpack[Drawing]
) -> Position:
    """A position of the Nest; pieces of the board that are not given show the signs in order."""
    return lay_out(ruleset, nest_board(pieces), [crew_named(crew) for crew in seated(drawing)], drawing)


def lay_out(ruleset: Ruleset, board: Board, pirates: list[tuple[int, ...]], drawing: Drawing) -> Position:
    """The position that a drawing shows, every card of the deck in its place."""
    held = [cards(hand) for hand in drawing.get("hands", ())]
    hands: list[tuple[int, ...]] = held + [()] * (len(pirates) - len(held))
    row = cards(drawing.get("row", ""))
    stock = cards(drawing.get("stock", ""))
    discard = cards(drawing.get("discard", ""))
    drawn = Counter([*row, *stock, *discard, *(card for hand in hands for card in hand)])
    others = tuple(sorted((Counter(ruleset.deck()) - drawn).elements()))
    match drawing.get("rest", "stock"):
        case "stock":
            stock += others
        case "discard":
            discard = others + discard
        case colour:
            hands[COLOURS.index(colour)] += others
    return arrange(
        Layout(
            ruleset=ruleset,
            board=board,
            pirates=tuple(pirates),
            hands=tuple(hands),
            stock=stock,
            row=row,
            discard=discard,
            seat=drawing.get("seat", RED),
            actions_used=drawing.get("actions_used", 0),
            dock=drawing.get("dock", 1),
            crossing_open=drawing.get("crossing_open"),
            turn=drawing.get("turn", 1),
            last_progress=drawing.get("last_progress", 0),
            most_home=drawing.get("most_home", ()),
        )
    )


# Cards and boards.


def cards(text: str) -> tuple[int, ...]:
    """The numbers of cards: letters for Cartagena ("KKS"), words for the Nest ("map pa MAP")."""
    words = text.split()
    if all(set(word) <= set(LETTERS) for word in words):
        return tuple(LETTERS.index(letter) for word in words for letter in word)
    return tuple(nest_card(word) for word in words)


def nest_card(word: str) -> int:
    """The number of a card of the Nest by its word or its first letters; large letters are gold."""
    (sign,) = [number for number, name in enumerate(SIGNS[NEST]) if name.startswith(word.lower())]
    return GOLD + sign if word.isupper() else sign


def letters(numbers: Sequence[int]) -> str:
    """Cards of Cartagena as letters, in the order they lie."""
    return "".join(LETTERS[number] for number in numbers)


def board_drawn(signs: str) -> Board:
    """The tunnel whose first segments are drawn; the others show the signs in order."""
    drawn = cards(signs.replace("|", ""))
    return Board(ESCAPE, drawn + tuple(range(6)) * ((36 - len(drawn)) // 6))


def nest_board(pieces: Sequence[str]) -> Board:
    """The two islands whose first pieces are given; the others show the signs in order."""
    given = [cards(piece) for piece in pieces]
    return Board.of_pieces(given + [tuple(range(7))] * (5 - len(given)))


# Crews.


def seated(drawing: Drawing) -> list[Crew]:
    """The crews in the order of their seats, two of them unless more are drawn or asked for."""
    crews: list[Crew | None] = [drawing.get("red"), drawing.get("blue"), drawing.get("yellow")]
    crews += [drawing.get("green"), drawing.get("violet")]
    while len(crews) > drawing.get("seats", 2) and crews[-1] is None:
        crews.pop()
    return [crew or "" for crew in crews]


def crew_drawn(drawing: Crew) -> tuple[int, ...]:
    """The places of six pirates, drawn below the tunnel or listed."""
    if not isinstance(drawing, str):
        return six(drawing)
    tunnel, _, sloop = drawing.partition(">")
    crowds = enumerate(tunnel.rstrip().replace("|", ""), start=1)
    standing = [place for place, crowd in crowds if crowd.isdigit() for _ in range(int(crowd))]
    return six(standing + [HOME] * int(sloop or 0))


def crew_named(words: Crew) -> tuple[int, ...]:
    """The places of six pirates, by printed numbers and words or as a list of places."""
    return six([nest_place(word) for word in words.split()] if isinstance(words, str) else words)


def six(standing: Sequence[int]) -> tuple[int, ...]:
    """These places, and the start for every other pirate of the crew."""
    return (*standing, *([START] * (CREW_SIZE - len(standing))))


def nest_place(word: str) -> int:
    """The place of a space by its printed number, or of the start, the sloop, the nest."""
    named = {"start": START, "sloop": SLOOP, "nest": HOME}
    return named[word] if word in named else place_of_space(NEST, int(word))


# Reading a position.


def places(position: Position, seat: int) -> list[int]:
    """The places of a crew in travel order."""
    return position.crews[seat].places(SLOOP)


def hand(position: Position, seat: int) -> str:
    """A hand of Cartagena as letters, sorted."""
    return letters(position.crews[seat].cards())


def truth(position: Position) -> dict[str, object]:
    """Everything a position knows, by name, so that two positions can be compared to the last bit."""
    known: dict[str, object] = {name: getattr(position, name) for name in names(position)}
    known["crews"] = [{name: getattr(crew, name) for name in names(crew)} for crew in position.crews]
    known["crowd"] = [position.crowd.first, position.crowd.second, position.crowd.third]
    known["mover"] = position.crews.index(position.mover)
    for pile in ("discard", "trimmed", "log"):
        known[pile] = list(getattr(position, pile))
    return known


def names(thing: object) -> Sequence[str]:
    """The attributes of an object of the engine, interpreted or compiled."""
    compiled: Sequence[str] = getattr(type(thing), "__mypyc_attrs__", ())
    return compiled or list(vars(thing))


# Codes.


def play(card: str, place: int | str) -> int:
    """The code of a play from a place; in the Nest from a printed number or word, such as "20"."""
    (number,) = cards(card)
    return play_code(number, place if isinstance(place, int) else nest_place(place))


def retreat(place: int) -> int:
    """The code of a retreat."""
    return retreat_code(place)


def decline(place: int) -> int:
    """The code of a retreat that declines its cards."""
    return decline_code(place)


def push(crew: int, place: int | str) -> int:
    """The code of a push from a place, or from a printed number or word."""
    return push_code(crew, place if isinstance(place, int) else nest_place(place))


def trim(card: str) -> int:
    """The code of a trim."""
    (number,) = cards(card)
    return trim_code(number)
