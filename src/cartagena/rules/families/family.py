"""The functions that a family of games gives the rules: what may be done, why not, and doing it."""

from mypy_extensions import i64

from cartagena.rules.choices import Choices
from cartagena.rules.crew import Crew
from cartagena.rules.position import Position
from cartagena.rules.preview import Foresight
from cartagena.rules.refusals import Refusal


class Family:
    """One family; `cartagena.rules.families.table` lists them."""

    def list_choices(self, position: Position, choices: Choices) -> None:
        """List everything the seat to act may do now, in ascending order."""
        raise NotImplementedError

    def refusal(self, position: Position, code: i64) -> Refusal | None:
        """Why the seat to act may not do as the code says; None if it may."""
        raise NotImplementedError

    def act(self, position: Position, code: i64) -> None:
        """Do what a legal code says."""
        raise NotImplementedError

    def has_action(self, position: Position, crew: Crew) -> bool:
        """Whether a crew could do anything that counts as an action if it were its turn."""
        raise NotImplementedError

    def opens_crossing(self, position: Position, crew: Crew) -> bool:
        """Whether a crew begins its turn with a free crossing."""
        raise NotImplementedError

    def may_cross_free(self, position: Position) -> bool:
        """Whether the seat to act may cross for free now."""
        raise NotImplementedError

    def is_dead(self, position: Position) -> bool:
        """Whether nobody can ever act again."""
        raise NotImplementedError

    def walkers(self, crew: Crew, dock: i64) -> i64:
        """The places that a crew's pirates can leave while the sloop lies at a dock."""
        raise NotImplementedError

    def target_of_play(self, position: Position, crew: Crew, sign: i64, start: i64) -> i64:
        """Where a card takes a pirate of a crew, as a set of one place or none."""
        raise NotImplementedError

    def target_of(self, position: Position, code: i64) -> i64:
        """Where the pirate that a legal code moves goes, as a set of one; 0 if the code moves none."""
        raise NotImplementedError

    def foresee(self, position: Position, code: i64, foresight: Foresight) -> bool:
        """Foresee a legal code; False if it must be done to know all that comes of it."""
        raise NotImplementedError
