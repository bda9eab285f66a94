"""The table of families: a third one would be a module beside these, and a row here and in `facts`."""

from typing import Final

from cartagena.rules.families.escape import Escape
from cartagena.rules.families.family import Family
from cartagena.rules.families.nest import Nest
from cartagena.rules.position import Position

TABLE: Final[list[Family]] = [Escape(), Nest()]


def rules_of(position: Position) -> Family:
    """The rules by which a position is played."""
    return TABLE[position.facts.number]
