"""Names: what a player may be called, when two names count as one, and names for guests who bring none."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from cartagena.notation.record import is_name
from cartagena.tables.errors import Problem, ServiceError

FIRST: Final = """
Barnacle Black-Eyed Brave Briny Bristly Copper Crafty Curly Daring Drowsy Fearless Fiddling Foggy Gentle
Gilded Grinning Gusty Hasty Hungry Iron Jolly Laughing Left-Handed Limping Lucky Merry Moonlit Muddy
Mumbling Old One-Eared Patient Pegleg Quiet Rambling Red Restless Rusty Salty Scarlet Seasick Silent Silver
Singing Sleepless Sly Squinting Stormy Sunburnt Tattooed Thirsty Tidal Wandering Whistling Wily Windy
"""
"""How a pirate is."""

SECOND: Final = """
Agnes Alonso Amparo Anselm Bartolo Beatriz Bess Bram Caspar Cato Cecily Clara Cosmo Delia Diego Dora Edda
Elias Esteban Fergus Finn Florin Greta Gus Hanne Hector Ines Iskra Jago Joost Jory Juana Kees Lars Leonor
Lorcan Lotte Luz Maeve Marisol Mateo Nell Nils Olga Oskar Paloma Pepe Quim Ragna Rosa Rufus Saskia Sigrid
Silvestre Tamsin Thea Tomas Ulla Ursel Vicente Wout Ximena Yara Zacharias
"""
"""What a pirate is called at home."""


def pirate_name(chance: Callable[[int], bytes]) -> str:
    """A friendly name drawn by chance.

    >>> pirate_name(bytes)
    'Barnacle Agnes'
    """
    return f"{_drawn(FIRST, chance)} {_drawn(SECOND, chance)}"


def _drawn(words: str, chance: Callable[[int], bytes]) -> str:
    choices = words.split()
    return choices[int.from_bytes(chance(4)) % len(choices)]


LONGEST_NAME: Final = 24

DELETED: Final = "deleted pirate"
"""The name of every player who left for good; no other player may have it."""

MOST_MARKS: Final = 3
"""The most accents on one letter; more of them climb over other lines."""

INVISIBLE: Final = frozenset(
    chr(code)
    for code in (
        0x034F,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        *range(0x180B, 0x1810),
        0x2800,
        0x3164,
        *range(0xFE00, 0xFE10),
        0xFFA0,
        *range(0xE0100, 0xE01F0),
    )
)
"""Characters that count as printable but show nothing: with them two names could look the same."""

BLANK: Final = re.compile(r"\b(?:BLANK|FILLER|NULL)\b")
"""What Unicode calls further characters that many fonts draw as nothing."""

SCRIPTS: Final = frozenset({"LATIN", "GREEK", "CYRILLIC"})
"""Scripts that have letters in common, to the eye."""

KEPT_BACK: Final = """
admin administrator administratör beheerder bot cartagena moderator system random deckhand sailor bosun
captain chance zufall decksmann matrose bootsmann kapitän toeval dekknecht matroos bootsman kapitein slump
jungman matros båtsman kapten
"""
"""Names of those who run a service, and of the levels of bots: no player is taken for one of them."""


def clean_name(text: str) -> str:
    """A name as it is stored: composed, trimmed, and fit to stand in a list; raises UNFIT if it cannot.

    >>> clean_name("  Anne Bonny ")
    'Anne Bonny'
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ServiceError(Problem.UNFIT, f"a name has 1 to {LONGEST_NAME} characters")
    if not is_name(name) or any(map(_is_blank, name)) or _is_smeared(name):
        raise ServiceError(Problem.UNFIT, "a name is one line of visible characters without #")
    if name_key(name) == DELETED:
        raise ServiceError(Problem.UNFIT, "this name is kept for those who left")
    return name


def new_name(text: str) -> str:
    """Like `clean_name`, for a name that a player takes from now on; raises UNFIT also if it deceives.

    >>> new_name("Captain Kidd")
    'Captain Kidd'
    """
    name = clean_name(text)
    if any(len(_scripts(word)) > 1 for word in name.split()):
        raise ServiceError(Problem.UNFIT, "a word of a name is written with the letters of one script")
    if name_key(name) in KEPT_BACK.split():
        raise ServiceError(Problem.UNFIT, "this name is kept for bots and for those who run the service")
    return name


def name_key(name: str) -> str:
    """The folded form of a name, equal for names that are too alike for two accounts.

    >>> name_key("ANNE  Bonny") == name_key("Anne Bonny") == name_key("\uff21nne bonny")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def short_text(text: str, longest: int) -> str:
    r"""A label on one line: unprintable characters become spaces, and what is too long is cut off.

    >>> short_text(" my\n  phone ", 60)
    'my phone'
    """
    shown = "".join(sign if sign.isprintable() else " " for sign in unicodedata.normalize("NFC", text))
    return " ".join(shown.split())[:longest].strip()


def long_text(text: str, longest: int) -> str:
    """Some lines of text, trimmed; raises UNFIT if nothing is left, or too much."""
    lines = ["".join(filter(str.isprintable, line)).rstrip() for line in text.splitlines()]
    kept = "\n".join(lines).strip()
    if not 1 <= len(kept) <= longest:
        raise ServiceError(Problem.UNFIT, f"the text has 1 to {longest} characters")
    return kept


def _is_blank(sign: str) -> bool:
    return sign in INVISIBLE or BLANK.search(unicodedata.name(sign, "")) is not None


def _scripts(word: str) -> set[str]:
    """Which of the scripts with letters in common a word uses."""
    return {unicodedata.name(sign, "").partition(" ")[0] for sign in word} & SCRIPTS


def _is_smeared(name: str) -> bool:
    marks = 0
    for place, sign in enumerate(name):
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks > MOST_MARKS or (marks and place == 0):
            return True
    return False
