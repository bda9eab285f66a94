"""What a position holds has one list, its attributes: each is copied and compared, or named here with why."""

import pytest

from cartagena.rules.crew import Crew
from cartagena.rules.laws import same_crew, same_table
from cartagena.rules.pickling import parts_of
from cartagena.rules.position import Position
from cartagena.rules.ruleset import TORTUGA
from tests import tables


def table() -> Position:
    """A table with a row, so that each attribute shows."""
    return tables.table(TORTUGA, row="KSH", stock="BD")


TAKEN_APART = {"board", "crews", "crowd", "mover", "ruleset"}
"""They belong to the table, or are objects with attributes of their own."""
FOLLOWS = {"facts"}
"""What the ruleset says in numbers."""
NOT_COPIED = {"told"}
"""Who is listening to a position hears nothing of its copies."""
NOT_COMPARED = {"log", "told"}
"""How a table came about, and who listens: two tables may be alike without."""

NOT_ON_THE_TABLE = NOT_COMPARED | {"barriers", "renewals", "trimmer"}
"""The way there, and who trims while nobody does: equal positions may differ in it."""


def changed(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return value + b"\0"
    assert isinstance(value, list), value
    return [*value, 0]


@pytest.mark.parametrize("name", sorted(parts_of(table()).keys() - TAKEN_APART - FOLLOWS - NOT_COPIED))
def test_every_attribute_of_a_position_is_copied_and_compared(name: str) -> None:
    position = table()
    other = changed(getattr(position, name))
    setattr(position, name, other)
    position.mover = position.crews[position.seat]
    assert getattr(position.copy(), name) == other
    assert same_table(position, position.copy())
    assert same_table(position, table()) is (name in NOT_COMPARED)
    assert (position == table()) is (name in NOT_ON_THE_TABLE)


@pytest.mark.parametrize("name", sorted(parts_of(Crew())))
def test_every_attribute_of_a_crew_is_copied_and_compared(name: str) -> None:
    crew = Crew()
    setattr(crew, name, changed(getattr(crew, name)))
    assert same_crew(crew, crew.copy())
    assert not same_crew(crew, Crew())
